import { priceOfBody } from '../../core/access/costs.ts'
import { isAboutChannels } from '../../core/channels/parse.ts'
import {
  type SettleOutcome,
  settleAnswer,
  withExtensions,
} from '../../core/x402/request/answers.ts'
import { parsePaymentRequest } from '../../core/x402/request/parse.ts'
import { settleChannel } from '../channels/settle.ts'
import { spend } from '../http/budget.ts'
import { sendJson } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { USDC } from '../request/examples.ts'
import {
  exampleOf,
  flag,
  named,
  object,
  optionalTime,
  partial,
  text,
  uuid,
} from '../request/schema.ts'
import { echoed, endEcho } from '../x402/endpoints/echo.ts'
import { MESSAGE_FIELD, PAYER_FIELD, reasonField } from '../x402/endpoints/paymentSchema.ts'
import type { X402Dependencies } from '../x402/facilitator.ts'
import { PAYMENT_BODY } from '../x402/request.ts'
import { settle } from '../x402/settle.ts'
import { deadlineOf } from '../x402/waiting.ts'

const result = named('SettleResponse', 'The result.', {
  success: flag('Whether the payment was settled. Only one call reports it.', true),
  transaction: text('The transaction hash; empty when there is none.', `0x${'7f'.repeat(32)}`),
  network: text('The network, as named in the request.', 'eip155:84532'),
  settledAt: optionalTime('When it was settled.', '2026-08-14T09:30:00.000Z'),
  ...partial({
    payer: PAYER_FIELD,
    amount: text("In the token's base units.", '10000'),
    asset: text('The token.', USDC),
    paymentId: uuid('The payment.', '0192f0c1-2b8e-7c3a-9d54-1f2e3a4b5c6d'),
    error: reasonField(
      'The reason; only when success is false. Also as errorReason and error_reason.',
    ),
    errorMessage: MESSAGE_FIELD,
    extensions: object(
      'For clients, in version 2: `remit` (`paymentId`, `asset`, `settledAt`), `bazaar`.',
      {},
    ),
  }),
})

const {
  error: _error,
  errorMessage: _message,
  extensions: _extensions,
  ...SETTLED
} = Object(exampleOf(result))

export const settlePaymentRoute = route({
  operation: 'POST /v1/x402/settle',
  access: 'x402Anyone',
  isCrossOrigin: true,
  body: PAYMENT_BODY,
  summary: 'Settle a payment',
  description:
    'Executes a payment on-chain and waits for it. The status is always 200. Each payment ' +
    'succeeds once; later calls return `duplicate_settlement`. On `settlement_pending` repeat the ' +
    'call: it continues to wait and never pays twice. No key is needed.',
  operationId: 'settlePayment',
  errors: ['budget_exceeded'],
  successes: { 200: { description: 'The result.', schema: result, example: SETTLED } },
  handle: async (deps: X402Dependencies, { exchange, caller: keyMerchantId, body }) => {
    await spend(deps, exchange, priceOfBody(body.bytes))
    if (isAboutChannels(body.value)) {
      const answer = await settleChannel(deps, exchange, body.value, keyMerchantId)
      return sendJson(exchange, 200, JSON.stringify(withExtensions(answer, echoed(exchange))))
    }
    const parsed = parsePaymentRequest(body.value, deps.tokens.chains())
    const outcome: SettleOutcome = parsed.ok
      ? await settle({
          ...{ purpose: 'settle', deps, exchange, keyMerchantId, request: parsed.request },
          deadline: deadlineOf(parsed.request, exchange.startedAt),
        })
      : { success: false, ...parsed }
    exchange.about = { ...exchange.about, ...describe(outcome) }
    if (outcome.success) endEcho(exchange)
    const { dialect } = parsed.ok ? parsed.request : parsed
    const answer = settleAnswer(outcome)
    const shown = dialect === 'v2' ? withExtensions(answer, echoed(exchange)) : answer
    return sendJson(exchange, 200, JSON.stringify(shown))
  },
})

function describe(outcome: SettleOutcome) {
  const { network, payer, paymentId, transaction } = outcome
  const facts = { network, payer, paymentId, transaction }
  return outcome.success ? facts : { ...facts, reason: outcome.reason, message: outcome.message }
}
