import { type Static, Type } from '@sinclair/typebox'
import { openChain } from '../../chain/client.ts'
import { isRpcFault } from '../../chain/faults.ts'
import { type Arrivals, readArrivals } from '../../chain/token/arrivals.ts'
import type { TransferLog } from '../../chain/token/transfers.ts'
import { checksumAddress, type Hex, isHash } from '../../core/chain/evm.ts'
import { assetAt, assetsOf, type Chain, findNetwork } from '../../core/chain/registry.ts'
import { AppError } from '../../core/errors.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import { NO_LOG, type Payment } from '../../core/invoice/state.ts'
import { formatAmount } from '../../core/money.ts'
import { findInvoice } from '../../store/invoice/invoices.ts'
import { recordTransfers } from '../../store/invoice/observations.ts'
import type { Authenticate } from '../http/auth.ts'
import { invalidBody, readJsonBody } from '../http/body.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { formParser } from '../http/form.ts'
import type { PathIds } from '../http/id.ts'
import {
  type Documented,
  type DocumentedSchema,
  envelope,
  integer,
  list,
  object,
  optionalText,
  responses,
  text,
} from '../http/schema.ts'
import { readInvoice } from './get.ts'
import { TRANSACTION_ID_PARAMETER } from './schema.ts'

/**
 * POST /v1/invoices/:id/transactions: a merchant names a transaction that the invoice should know, and
 * every transfer to its address that the ledger lacks is recorded.
 */

const REQUEST = Type.Object(
  { networkId: Type.String(), txHash: Type.String() },
  { additionalProperties: false },
)

const parseRequest = formParser(REQUEST, {
  '': 'must be a JSON object',
  networkId: 'must be a string, e.g. "base-sepolia"',
  txHash: 'must be a string',
})

const HASH = '0x3f1a5c0e9d7b2468ace013579bdf02468ace013579bdf02468ace013579bdf02'
const requestFields = {
  networkId: text(
    'The chain, which may be one that the invoice does not list, by networkId or CAIP-2 identifier.',
    'base-sepolia',
  ),
  txHash: text('The hash of the transaction.', HASH),
} satisfies Record<keyof Static<typeof REQUEST>, DocumentedSchema>

const found = object('One transfer to the deposit address.', {
  transactionId: optionalText(
    'Identifies the transfer in the ledger; null when it is not recorded.',
    TRANSACTION_ID_PARAMETER.example,
  ),
  outcome: text(
    'What became of it. `unsupported_token`: nobody has listed its contract, so that it is not ' +
      'recorded; once the operator lists it with RECOVERABLE_TOKENS, hand the transaction in again.',
    'recorded',
    { enum: ['recorded', 'known', 'unsupported_token'] },
  ),
  logIndex: integer('Which log of its block the transfer is; null for native coin.', 4, {
    nullable: true,
  }),
  asset: optionalText('The symbol of the token, null when it is unknown.', 'USDC'),
  tokenAddress: text(
    'The contract of the token; all zeros for native coin.',
    '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  ),
  from: text('Who sent the tokens.', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'),
  amount: optionalText('What was transferred, null when the token is unknown.', '12.5'),
  baseUnits: text("What was transferred, in the token's smallest unit.", '12500000'),
})

const answerSchema = object('What was found.', {
  networkId: text('The chain.', 'base-sepolia'),
  txHash: text('The hash of the transaction.', HASH),
  status: text('`not_found` may be mined later: ask again then.', 'mined', {
    enum: ['not_found', 'reverted', 'mined'],
  }),
  blockNumber: integer('The number of its block; null while there is none.', 31_415_926, {
    nullable: true,
  }),
  transfers: list('What it brought to the deposit address.', found),
})

export const handInDetail: Documented = {
  tags: ['Invoices'],
  summary: 'Hand in a transaction',
  description:
    'Looks a transaction up and records every transfer to the deposit address that the ledger lacks: ' +
    'of the accepted token, of another token, or on another chain. What counts is decided by the same ' +
    'rules as ever; the rest can be refunded. Native coin that the transaction itself sends, and tokens ' +
    'that only the operator lists, are recorded in no other way: nobody watches for them. Coin that a ' +
    'contract sends on is not found. Handing in the same again changes nothing.',
  operationId: 'handInTransaction',
  security: [{ secretKey: [] }],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { ...object('Where to look.', requestFields), additionalProperties: false },
      },
    },
  },
  responses: responses(
    { 200: { description: 'What was found.', schema: envelope(answerSchema) } },
    [
      'invalid_invoice_id',
      'invalid_request_body',
      'unknown_chain',
      'unauthorized',
      'invoice_not_found',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

export function handInRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { availability, config, database } = deps
  const clients = new Map(config.chains.map((chain) => [chain.networkId, openChain(chain)]))

  return async (exchange: Exchange, ids: PathIds): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const { networkId, txHash } = checked(parseRequest(await readJsonBody(exchange.request)))
    const before = await readInvoice(deps, merchantId, ids.id)
    const client = clients.get(findNetwork(config.chains, networkId)?.networkId ?? '')
    if (!client) throw unknownChain(config.chains)
    const { chain } = client
    const { id: invoiceId, depositAddress } = before.invoice
    const arrivals = await asked(() => readArrivals(client.rpc, txHash, depositAddress))
    const recordable = supported(arrivals, chain)
    if (arrivals.type === 'mined' && recordable.length > 0) {
      const transfers = recordable.map(({ from: sender, ...transfer }) => ({
        ...transfer,
        networkId: chain.networkId,
        sender,
        blockTime: arrivals.blockTime,
      }))
      await availability.guard(() =>
        recordTransfers({ database, config }, invoiceId, transfers, deps.now()),
      )
      deps.wake([chain.networkId], { type: 'advance_invoice', invoiceId })
      deps.ringNotifier()
    }
    const after = await availability.guard(() => findInvoice(database, merchantId, invoiceId))
    const json = present(chain, txHash, arrivals, before, after ?? before)
    return sendObject(exchange, 200, JSON.stringify(json))
  }
}

function checked({ networkId, txHash }: Static<typeof REQUEST>) {
  const hash = txHash.toLowerCase()
  if (isHash(hash)) return { networkId, txHash: hash }
  throw invalidBody([{ path: 'txHash', message: 'must be 32 bytes in hexadecimal, 0x first' }])
}

function unknownChain(chains: readonly Chain[]): AppError {
  const message = `must be one of ${chains.map(({ networkId }) => networkId).join(', ')}`
  return new AppError('unknown_chain', [{ path: 'networkId', message }])
}

/** A node that is away is a fault of ours that passes. */
async function asked<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isRpcFault(error)) throw new AppError('service_unavailable', [], { cause: error })
    throw error
  }
}

/** Anybody can make a contract that logs transfers; only what somebody has listed is money. */
function supported(arrivals: Arrivals, chain: Chain): readonly TransferLog[] {
  if (arrivals.type !== 'mined') return []
  const known = new Set(assetsOf(chain).map(({ address }) => address))
  return arrivals.transfers.filter(({ token }) => known.has(token))
}

function present(
  chain: Chain,
  txHash: Hex,
  arrivals: Arrivals,
  before: InvoiceRows,
  after: InvoiceRows,
) {
  const { networkId } = chain
  const isKnown = new Set(before.payments.filter(isStanding).map(({ id }) => id))
  const transfers = arrivals.type === 'mined' ? arrivals.transfers : []
  return {
    networkId,
    txHash,
    status: arrivals.type === 'unknown' ? 'not_found' : arrivals.type,
    blockNumber: arrivals.type === 'unknown' ? null : Number(arrivals.blockNumber),
    transfers: transfers.map((transfer) => {
      const token = assetAt({ networkId, token: transfer.token }, [chain])
      const payment = after.payments.find((p) => isOf(p, networkId, transfer))
      const known = payment && isKnown.has(payment.id) ? 'known' : 'recorded'
      return {
        transactionId: payment?.id ?? null,
        outcome: payment ? known : 'unsupported_token',
        logIndex: transfer.logIndex === NO_LOG ? null : transfer.logIndex,
        asset: token?.symbol ?? null,
        tokenAddress: checksumAddress(transfer.token),
        from: checksumAddress(transfer.from),
        amount: token ? formatAmount(transfer.amount, token.decimals) : null,
        baseUnits: transfer.amount.toString(),
      }
    }),
  }
}

function isStanding({ status }: Payment): boolean {
  return status !== 'reverted'
}

function isOf(payment: Payment, networkId: string, transfer: TransferLog): boolean {
  return (
    isStanding(payment) &&
    payment.networkId === networkId &&
    payment.txHash === transfer.txHash &&
    payment.logIndex === transfer.logIndex &&
    payment.blockHash === transfer.blockHash
  )
}
