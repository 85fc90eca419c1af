import { priceOfBody } from '../../core/access/costs.ts'
import { isAboutChannels } from '../../core/channels/parse.ts'
import { type VerifyOutcome, verifyAnswer } from '../../core/x402/request/answers.ts'
import { parsePaymentRequest } from '../../core/x402/request/parse.ts'
import { verifyChannel } from '../channels/verify.ts'
import { spend } from '../http/budget.ts'
import { type Exchange, sendJson } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { exampleOf, flag, named, partial } from '../request/schema.ts'
import { MESSAGE_FIELD, PAYER_FIELD, reasonField } from '../x402/endpoints/paymentSchema.ts'
import type { X402Dependencies } from '../x402/facilitator.ts'
import { PAYMENT_BODY } from '../x402/request.ts'
import { verify } from '../x402/verify.ts'
import { deadlineOf } from '../x402/waiting.ts'

const verdict = named('VerifyResponse', 'The verdict.', {
  isValid: flag('Whether the payment could be settled now.', true),
  ...partial({
    payer: PAYER_FIELD,
    invalidReason: reasonField('The reason; only when isValid is false.'),
    invalidMessage: MESSAGE_FIELD,
  }),
})

const { invalidReason: _reason, invalidMessage: _message, ...VALID } = Object(exampleOf(verdict))

export const verifyPaymentRoute = route({
  operation: 'POST /v1/x402/verify',
  access: 'x402Anyone',
  isCrossOrigin: true,
  body: PAYMENT_BODY,
  summary: 'Verify a payment',
  description:
    'Returns whether a payment could be settled now. The status is always 200. A valid payment reserves its amount for ' +
    "some seconds, so that verify of the payer's other payments counts it.",
  operationId: 'verifyPayment',
  errors: ['budget_exceeded'],
  successes: { 200: { description: 'The verdict.', schema: verdict, example: VALID } },
  handle: async (deps: X402Dependencies, { exchange, caller: keyMerchantId, body }) => {
    await spend(deps, exchange, priceOfBody(body.bytes))
    if (isAboutChannels(body.value)) {
      const answer = await verifyChannel(deps, exchange, body.value, keyMerchantId)
      return sendJson(exchange, 200, JSON.stringify(answer))
    }
    const parsed = parsePaymentRequest(body.value, deps.tokens.chains())
    const outcome: VerifyOutcome = parsed.ok
      ? await verify({
          ...{ purpose: 'verify', deps, exchange, keyMerchantId, request: parsed.request },
          deadline: deadlineOf(parsed.request, exchange.startedAt),
        })
      : { isValid: false, ...parsed }
    if (!outcome.isValid) note(exchange, outcome)
    return sendJson(exchange, 200, JSON.stringify(verifyAnswer(outcome)))
  },
})

function note(
  exchange: Exchange,
  { reason, payer, message }: Extract<VerifyOutcome, { isValid: false }>,
): void {
  exchange.about = { ...exchange.about, reason, payer, message }
}
