import { priceOfBody } from '../../core/access/costs.ts'
import type { MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import { isAboutChannels } from '../../core/channels/parse.ts'
import { type VerifyOutcome, verifyAnswer } from '../../core/x402/request/answers.ts'
import { parsePaymentRequest } from '../../core/x402/request/parse.ts'
import { reasonFor } from '../../core/x402/request/permitReasons.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import { verifyChannel } from '../channels/verify.ts'
import { spend } from '../http/budget.ts'
import { isOurFault } from '../http/errors.ts'
import { type Exchange, sendJson } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { exampleOf, flag, named, partial } from '../request/schema.ts'
import { deadlineOf, untilDeadline } from '../x402/deadline.ts'
import { MESSAGE_FIELD, PAYER_FIELD, reasonField } from '../x402/endpoints/paymentSchema.ts'
import type { X402Dependencies } from '../x402/facilitator.ts'
import { examineAndHold } from '../x402/holding.ts'
import { PAYMENT_BODY } from '../x402/request.ts'
import { examineScreened } from '../x402/screening.ts'

const verdict = named('VerifyResponse', 'The verdict.', {
  isValid: flag('Whether the payment could be settled now.', true),
  ...partial({
    payer: PAYER_FIELD,
    invalidReason: reasonField('Why not; only when isValid is false.'),
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
    'Says whether a payment could be settled now, always by a 200. A valid one holds its amount for ' +
    "some seconds: verify of the payer's others sees that much less.",
  operationId: 'verifyPayment',
  errors: ['budget_exceeded'],
  successes: { 200: { description: 'The verdict.', schema: verdict, example: VALID } },
  handle: async (deps: X402Dependencies, { exchange, caller, body }) => {
    await spend(deps, exchange, priceOfBody(body.bytes))
    if (isAboutChannels(body.value)) {
      const answer = await verifyChannel(deps, exchange, body.value, caller)
      return sendJson(exchange, 200, JSON.stringify(answer))
    }
    const parsed = parsePaymentRequest(body.value, deps.tokens.chains())
    const outcome: VerifyOutcome = parsed.ok
      ? await verify(deps, exchange, parsed.request, caller)
      : { isValid: false, ...parsed }
    if (!outcome.isValid) note(exchange, outcome)
    return sendJson(exchange, 200, JSON.stringify(verifyAnswer(outcome)))
  },
})

async function verify(
  deps: X402Dependencies,
  exchange: Exchange,
  request: PaymentRequest,
  keyMerchantId: MerchantId | null,
): Promise<VerifyOutcome> {
  const payer = request.authorization.from
  try {
    const examined = await untilDeadline(deadlineOf(request, exchange.startedAt), () =>
      examineAndHold(deps, request, () =>
        examineScreened(deps, exchange, request, keyMerchantId, 'verify'),
      ),
    )
    switch (examined.type) {
      case 'refused':
        return { isValid: false, payer, ...examined, reason: reasonFor(request, examined.reason) }
      case 'claimed':
        // A caller may repeat a payment whose success was never written out.
        return (await wasWritten(deps, examined.payment.id))
          ? { isValid: false, reason: 'duplicate_settlement', payer }
          : { isValid: true, payer }
      default:
        return { isValid: true, payer }
    }
  } catch (error) {
    if (isOurFault(error)) throw error
    exchange.about = { err: error }
    return { isValid: false, reason: 'unexpected_verify_error', payer }
  }
}

/** Whether the success was written out, as settle sees it: before the database has recorded it, too. */
async function wasWritten(
  { facilitator }: X402Dependencies,
  paymentId: X402PaymentId,
): Promise<boolean> {
  const { answeredAt } = await facilitator.successes.readOutcome({ paymentId, owner: null })
  return answeredAt !== null
}

function note(
  exchange: Exchange,
  { reason, payer, message }: Extract<VerifyOutcome, { isValid: false }>,
): void {
  exchange.about = { ...exchange.about, reason, payer, message }
}
