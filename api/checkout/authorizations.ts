import { AppError } from '../../core/base/errors.ts'
import { currentInvoice } from '../../core/checkout/session.ts'
import { presentAuthorization, unstoredAuthorization } from '../../core/checkout/signature.ts'
import type { SignatureMethod } from '../../core/invoice/signature.ts'
import { FieldReader } from '../../core/x402/fields.ts'
import { readAuthorization } from '../../store/x402/invoiceClaims.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf, invalidBody, refined } from '../request/body.ts'
import { PAYER } from '../request/examples.ts'
import { one } from '../request/responses.ts'
import { pastedField, text } from '../request/schema.ts'
import type { X402Dependencies } from '../x402/facilitator.ts'
import { payInvoice } from '../x402/invoicePayment.ts'
import { authorizationSchema, SESSION_ID_PARAMETER } from './schema.ts'
import { readForPage } from './sessions.ts'

/** POST /v1/checkout/sessions/:id/authorizations: a payer signs, and a relayer pays for the gas. */

const REQUEST = bodyOf('A TransferWithAuthorization (EIP-3009) to the deposit address.', {
  networkId: pastedField('The chain.', 'base-sepolia'),
  from: text('The payer.', PAYER),
  value: text('In base units.', '12500000'),
  validAfter: text('Unix seconds.', '0'),
  validBefore: text('Unix seconds.', '1785586200'),
  nonce: text('32 random bytes.', `0x${'5c'.repeat(32)}`),
  signature: text('By the payer.', '0xab1b'),
})

/** The longest examination, in ms. */
const TIMEOUT_MS = 15_000

export const payBySignatureRoute = route({
  operation: 'POST /v1/checkout/sessions/:id/authorizations',
  access: 'payer',
  ids: { id: SESSION_ID_PARAMETER },
  isCrossOrigin: true,
  body: refined(REQUEST, (sent) => {
    const reader = new FieldReader()
    const from = { path: 'body', fields: { ...sent }, reason: 'invalid_payload' } as const
    const signed = {
      from: reader.address(from, 'from'),
      value: reader.uint256(from, 'value'),
      validAfter: reader.uint256(from, 'validAfter'),
      validBefore: reader.uint256(from, 'validBefore'),
      nonce: reader.word(from, 'nonce'),
    }
    const signature = reader.signature(from, 'signature')
    const { problem } = reader
    if (problem !== null) throw invalidBody([{ path: '', message: problem.message }])
    return { networkId: sent.networkId, signed, signature }
  }),
  summary: 'Pay by signature',
  description:
    'Executes a signed transfer; the payer needs no gas. The same one again continues. Another one replaces one ' +
    'that was not sent.',
  operationId: 'payBySignature',
  successes: { 200: one('The state.', authorizationSchema) },
  errors: [
    'unknown_chain',
    'session_not_found',
    'origin_not_allowed',
    'choice_not_possible',
    'budget_exceeded',
  ],
  handle: async (deps: X402Dependencies, { exchange, ids, body }) => {
    const { networkId, signed, signature } = body
    const { rows } = await readForPage(deps, exchange, ids.id)
    const chain = deps.tokens.chains().find((known) => known.networkId === networkId)
    if (chain === undefined) throw new AppError('unknown_chain')
    const invoice = currentInvoice(rows)
    if (invoice === null) throw new AppError('choice_not_possible')
    const method: SignatureMethod = 'signature'
    const authorization = { ...signed, to: invoice.depositAddress }
    const result = await payInvoice({
      ...{ deps, exchange, invoice, chain, authorization, signature, method },
      deadline: exchange.startedAt + TIMEOUT_MS,
    })
    if (result.type === 'claimed') {
      const claimed = await guardDatabase(deps, (sql) => readAuthorization(sql, result.id))
      if (claimed === null) throw new AppError('service_unavailable')
      return sendObject(exchange, 200, presentAuthorization(invoice, claimed))
    }
    if (result.type === 'refused') exchange.about = { ...exchange.about, reason: result.reason }
    const sent = { method, networkId, payer: signed.from, amount: signed.value }
    return sendObject(exchange, 200, unstoredAuthorization(invoice, sent, result, deps.now()))
  },
})
