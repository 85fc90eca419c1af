import type { MerchantId } from '../../core/ids.ts'
import { type VerifyOutcome, verifyAnswer } from '../../core/x402/answers.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import type { Admit } from '../http/auth.ts'
import { isOurFault } from '../http/errors.ts'
import { type ApiDependencies, type Exchange, sendJson } from '../http/exchange.ts'
import { deadlineOf, untilDeadline } from './deadline.ts'
import { examine } from './examine.ts'
import { readPaymentRequest } from './request.ts'

/** POST /v1/x402/verify: specification sections 2.8 and 4.2. */

export function verifyRoute(deps: ApiDependencies, admit: Admit) {
  return async (exchange: Exchange): Promise<string> => {
    const startedAt = performance.now()
    const keyMerchantId = await admit(exchange)
    const parsed = await readPaymentRequest(deps, exchange.request)
    const outcome: VerifyOutcome = parsed.ok
      ? await verify(deps, exchange, parsed.request, keyMerchantId, startedAt)
      : { isValid: false, ...parsed }
    if (!outcome.isValid) note(deps, exchange, outcome)
    return sendJson(exchange, 200, JSON.stringify(verifyAnswer(outcome)))
  }
}

async function verify(
  deps: ApiDependencies,
  exchange: Exchange,
  request: PaymentRequest,
  keyMerchantId: MerchantId | null,
  startedAt: number,
): Promise<VerifyOutcome> {
  const payer = request.authorization.from
  try {
    const examined = await untilDeadline(deadlineOf(request, startedAt), (signal) =>
      examine(deps.facilitator, request, keyMerchantId, deps.now(), 'verify', signal),
    )
    switch (examined.type) {
      case 'refused':
        return { isValid: false, payer, ...examined }
      case 'claimed':
        // A payment whose success was never written out is asked for again, by the same caller.
        return examined.payment.answeredAt === null
          ? { isValid: true, payer }
          : { isValid: false, reason: 'duplicate_settlement', payer }
      default:
        return { isValid: true, payer }
    }
  } catch (error) {
    if (isOurFault(error)) throw error
    deps.log.warn({ traceId: exchange.traceId, err: error }, 'a payment could not be verified')
    return { isValid: false, reason: 'unexpected_verify_error', payer }
  }
}

function note(
  { log }: ApiDependencies,
  { traceId }: Exchange,
  { reason, payer, message }: Extract<VerifyOutcome, { isValid: false }>,
): void {
  log.info({ traceId, reason, payer, message }, 'payment refused')
}
