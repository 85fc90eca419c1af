import type { TransferLog } from '../../chain/tokens/transfers.ts'
import { AppError } from '../../core/base/errors.ts'
import { formatAmount } from '../../core/base/money.ts'
import { type Address, checksumAddress, type Hex, isHash } from '../../core/chain/evm.ts'
import { type Chain, findNetwork, neverWatched, tokenAt } from '../../core/chain/registry.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import { isByBalance, NO_LOG, type Payment } from '../../core/invoice/state.ts'
import { findInvoice } from '../../store/invoice/invoices.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf, invalidBody, refined } from '../request/body.ts'
import { HASH, PAYER, TRANSACTION_ID, USDC } from '../request/examples.ts'
import { one } from '../request/responses.ts'
import {
  flag,
  integer,
  list,
  named,
  nullable,
  optionalText,
  partial,
  pastedField,
  text,
  transactionHash,
  wordField,
} from '../request/schema.ts'
import { readInvoice } from './read.ts'
import { INVOICE_ID_PARAMETER } from './schema.ts'
import { type Submitted, submitTransaction } from './submission.ts'

/**
 * POST /v1/invoices/:id/transactions: a merchant submits a transaction that the ledger may lack,
 * and missing transfers to the invoice's address are recorded.
 */

const REQUEST = bodyOf('The transaction.', {
  networkId: wordField(
    'The chain, by networkId or CAIP-2 identifier; it may be one that the invoice does not offer.',
    'base-sepolia',
  ),
  txHash: pastedField('The hash of the transaction.', HASH),
})

const transfer = named('FoundTransfer', 'A transfer to the deposit address.', {
  transactionId: optionalText(
    'Identifies the transfer in the ledger; null if it is not recorded.',
    TRANSACTION_ID,
  ),
  outcome: text(
    'The result. `unsupported_token`: submit it again once the operator lists its contract ' +
      'with RECOVERABLE_TOKENS.',
    'recorded',
    { enum: ['recorded', 'known', 'unsupported_token'] },
  ),
  logIndex: nullable(
    integer('The index of its log in the block; null for coin and for balance changes.', 4),
  ),
  asset: optionalText('The symbol; null if unknown.', 'USDC'),
  tokenAddress: text('All zeros for native coin.', USDC),
  from: text('The sender; all zeros if unknown.', PAYER),
  amount: optionalText('The transferred amount; null if the token is unknown.', '12.5'),
  baseUnits: text("The transferred amount, in the token's smallest unit.", '12500000'),
})

const always = {
  networkId: text('The chain.', 'base-sepolia'),
  txHash: transactionHash('The hash of the transaction.'),
  status: text('`not_found` may be mined later: repeat the request then.', 'mined', {
    enum: ['not_found', 'reverted', 'mined'],
  }),
  blockNumber: nullable(integer('Its block; null until mined.', 31_415_926)),
  transfers: list('Its transfers to the deposit address.', transfer),
}
const onceMined = {
  looked: text('The scope of the search, once it is mined.', 'transfer events to the address'),
  complete: flag('False if a part could not be read: repeat the request.', true),
}
const submission = named('Submission', 'The results.', {
  ...always,
  ...partial(onceMined),
})

export const submitTransactionRoute = route({
  operation: 'POST /v1/invoices/:id/transactions',
  access: 'merchant',
  ids: { id: INVOICE_ID_PARAMETER },
  body: refined(REQUEST, ({ networkId, txHash }) => {
    const hash = txHash.toLowerCase()
    if (isHash(hash)) return { networkId, txHash: hash }
    throw invalidBody([{ path: 'txHash', message: 'must be 32 bytes in hexadecimal, 0x first' }])
  }),
  isBodyFirst: true,
  summary: 'Submit a transaction',
  description:
    "Records a transaction's transfers to the deposit address, in any token on any chain, even if only the balance " +
    'shows them. Native coin, and tokens that only the operator lists, are recorded only this way.',
  operationId: 'submitTransaction',
  successes: { 200: one('The results.', submission) },
  errors: ['unknown_chain', 'invoice_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body: { networkId, txHash } }) => {
    const { chainClients, config } = deps
    const before = await readInvoice(deps, merchantId, ids.id)
    const client = chainClients.get(findNetwork(config.chains, networkId)?.networkId ?? '')
    if (!client) throw unknownChain(config.chains)
    const { chain } = client
    const { id: invoiceId } = before.invoice
    const found = await submitTransaction(deps, client, before.invoice, txHash)
    const after = await guardDatabase(deps, (sql) => findInvoice(sql, merchantId, invoiceId))
    return sendObject(exchange, 200, present(chain, txHash, found, before, after ?? before))
  },
})

function unknownChain(chains: readonly Chain[]): AppError {
  const message = `must be one of ${chains.map(({ networkId }) => networkId).join(', ')}`
  return new AppError('unknown_chain', [{ path: 'networkId', message }])
}

function present(
  chain: Chain,
  txHash: Hex,
  found: Submitted,
  before: InvoiceRows,
  after: InvoiceRows,
) {
  const { networkId } = chain
  const isKnown = new Set(before.payments.filter(isNotReverted).map(({ id }) => id))
  const transfers = found.type === 'mined' ? found.transfers : []
  return {
    networkId,
    txHash,
    status: found.type === 'unknown' ? 'not_found' : found.type,
    blockNumber: found.type === 'unknown' ? null : Number(found.blockNumber),
    ...(found.type === 'mined'
      ? { looked: searchedBlocks(chain, found), complete: found.unread.length === 0 }
      : {}),
    transfers: transfers.map((transfer) => {
      const token = tokenAt({ networkId, token: transfer.token }, [chain])
      const payment = after.payments.find((p) => isOf(p, networkId, transfer))
      const known = payment && isKnown.has(payment.id) ? 'known' : 'recorded'
      return {
        transactionId: payment?.id ?? null,
        outcome: payment ? known : 'unsupported_token',
        logIndex: transfer.logIndex <= NO_LOG ? null : transfer.logIndex,
        asset: token?.symbol ?? null,
        tokenAddress: checksumAddress(transfer.token),
        from: checksumAddress(transfer.from),
        amount: token ? formatAmount(transfer.amount, token.decimals) : null,
        baseUnits: transfer.amount.toString(),
      }
    }),
  }
}

/** An empty result proves no absence, so the response describes the scope of the search. */
function searchedBlocks(chain: Chain, { unread }: Submitted): string {
  const named = (addresses: readonly Address[]) =>
    neverWatched(chain)
      .filter(({ address }) => addresses.includes(address))
      .map(({ symbol }) => symbol)
      .join(', ')
  const balances = neverWatched(chain).flatMap(({ address }) =>
    unread.includes(address) ? [] : [address],
  )
  const parts = [
    'transfer events to the address in the transaction',
    'coin that the transaction itself sent',
    ...(balances.length > 0
      ? [`the address's balances before and after the block (${named(balances)})`]
      : []),
  ]
  const missing = unread.length > 0 ? `; not readable at this block: ${named(unread)}` : ''
  return `${parts.join(', ')}${missing}`
}

function isNotReverted({ status }: Payment): boolean {
  return status !== 'reverted'
}

function isOf(payment: Payment, networkId: string, transfer: TransferLog): boolean {
  return (
    isNotReverted(payment) &&
    payment.networkId === networkId &&
    // A block's balance growth is recorded once, for the first submitted transaction of the block.
    (payment.txHash === transfer.txHash || isByBalance(transfer)) &&
    payment.logIndex === transfer.logIndex &&
    payment.blockHash === transfer.blockHash
  )
}
