import { readSent } from '../../chain/tokens/sent.ts'
import { AppError, type Refusal } from '../../core/base/errors.ts'
import { isHash } from '../../core/chain/evm.ts'
import { type Chain, findNetwork, tokenOn } from '../../core/chain/registry.ts'
import { findTransfer, notShown, payersOf } from '../../core/invoice/externalRefund.ts'
import { presentExternalRefund } from '../../core/invoice/present.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { recordExternalRefund } from '../../store/refund/external.ts'
import { guardDatabase, withNode } from '../http/backends.ts'
import { type ApiDependencies, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { readInvoice } from '../invoice/read.ts'
import { INVOICE_ID_PARAMETER, refundSchema } from '../invoice/schema.ts'
import { bodyOf, invalidBody, refined } from '../request/body.ts'
import { HASH } from '../request/examples.ts'
import { one } from '../request/responses.ts'
import {
  amountField,
  integer,
  optional,
  pastedField,
  withRange,
  wordField,
} from '../request/schema.ts'

/** POST /v1/invoices/:id/refunds/external: a merchant has refunded a payer from its treasury. */

const LOG_INDEX = withRange(
  'must be a whole number from 0 on',
  integer('The index of the log in its block, if several transfers match.', 4, { minimum: 0 }),
)

const REQUEST = bodyOf('The refund.', {
  networkId: wordField(
    'A chain of the invoice, by networkId or CAIP-2 identifier.',
    'base-sepolia',
  ),
  txHash: pastedField('The hash of the transaction.', HASH),
  amount: amountField("The transferred amount, in the token's major unit.", '2.5'),
  logIndex: optional(LOG_INDEX, {
    isShown: false,
  }),
})

export const recordExternalRefundRoute = route({
  operation: 'POST /v1/invoices/:id/refunds/external',
  access: 'merchant',
  ids: { id: INVOICE_ID_PARAMETER },
  body: refined(REQUEST, ({ txHash, ...sent }) => {
    const hash = txHash.toLowerCase()
    if (isHash(hash)) return { ...sent, txHash: hash }
    throw invalidBody([{ path: 'txHash', message: 'must be 32 bytes in hexadecimal, 0x first' }])
  }),
  isBodyFirst: true,
  summary: 'Record a refund from your treasury',
  description:
    'Records a transfer of settled money back to the payer. It is verified on the chain, ' +
    'counted once it is confirmed, and only once. Idempotent.',
  operationId: 'recordExternalRefund',
  successes: {
    200: one('The existing refund.', refundSchema),
    201: one('The refund.', refundSchema),
  },
  errors: [
    'unknown_chain',
    'invoice_not_found',
    'refund_not_possible',
    'transfer_not_shown',
    'transfer_already_recorded',
  ],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const { amount, logIndex = null, txHash } = body
    const rows = await readInvoice(deps, merchantId, ids.id)
    const { invoice } = rows
    const { client, token } = placeOf(deps, invoice, body.networkId)
    const { networkId } = client.chain
    const sought = { token: token.address, recipients: payersOf(rows) }
    const sent = await withNode(() => readSent(client.rpc, txHash, sought))
    if (sent.type !== 'mined') throw refused(notMined(sent.type, client.chain))
    const found = findTransfer(rows, token, sent, { amount, logIndex })
    if (!found.ok) throw refused(found)
    const { blockNumber, blockHash } = sent
    const shown = { ...found.transfer, networkId, txHash, blockNumber, blockHash }
    const of = { merchantId, invoiceId: invoice.id }
    const result = await guardDatabase(deps, (sql) =>
      recordExternalRefund(sql, deps.config, of, shown, token),
    )
    if (!result.ok) throw refused(result)
    deps.wakeNotifier()
    const data = presentExternalRefund(result.invoice, result.refund, deps.config.registry)
    return sendObject(exchange, result.isNew ? 201 : 200, data)
  },
})

/** The requested chain, with the invoice's token on it. */
function placeOf({ chainClients, config }: ApiDependencies, invoice: Invoice, named: string) {
  const networkId = findNetwork(config.chains, named)?.networkId ?? ''
  const client = invoice.chains.includes(networkId) ? chainClients.get(networkId) : undefined
  const token = client && tokenOn(client.chain, invoice.tokenSymbol)
  if (client && token) return { client, token }
  const message = `must be one of ${invoice.chains.join(', ')}`
  throw new AppError('unknown_chain', [{ path: 'networkId', message }])
}

const NOT_SHOWN = {
  unknown: 'is not mined on',
  reverted: 'reverted on',
  unshown: 'transfers nothing to an address that paid the invoice, as far as its block shows, on',
} as const

function notMined(type: keyof typeof NOT_SHOWN, { networkId }: Chain) {
  return notShown('txHash', `${NOT_SHOWN[type]} ${networkId}`)
}

function refused({ code, details }: Refusal): AppError {
  return new AppError(code, details)
}
