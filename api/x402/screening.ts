import type { MerchantId } from '../../core/base/ids.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import type { Exchange } from '../http/exchange.ts'
import { examine } from './examine.ts'
import type { Examined } from './examined.ts'
import type { X402Dependencies } from './facilitator.ts'
import { screenPayers } from './screenPayers.ts'

/** Asking about a payer before anything is claimed, where the operator screens payers. */

/** Examines a payment and then its payer, who has signed it and has the money by then. */
export async function examineScreened(
  deps: X402Dependencies,
  exchange: Exchange,
  request: PaymentRequest,
  keyMerchantId: MerchantId | null,
  purpose: 'verify' | 'settle',
): Promise<Examined> {
  const examined = await examine(deps, exchange, request, keyMerchantId, purpose)
  const isNew = examined.type === 'good' || examined.type === 'carried_out'
  const refusal = isNew ? await screenPayers(deps, [request.authorization.from], purpose) : null
  return refusal === null ? examined : { type: 'refused', ...refusal }
}
