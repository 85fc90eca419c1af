import type { ChainClient } from '../../../chain/client.ts'
import { settledPermits, submittedPermits } from '../../../chain/permit/use.ts'
import { receiptsOf } from '../../../chain/transactions/receipts.ts'
import type { PaidByOthers } from '../../../store/x402/settlement/byOthers.ts'

/** Of a payment by Permit2, its transaction shows the transfer; that its nonce is used up by it was judged before. */
export async function isPermitShown(
  rpc: ChainClient['rpc'],
  { token, payer, payTo, amount, permitHub, txHash, logIndex, blockHash }: PaidByOthers,
): Promise<boolean | null> {
  const [receipt] = await receiptsOf(rpc, [txHash])
  if (receipt === undefined || receipt.blockHash !== blockHash || permitHub === null) return null
  const paid = [
    ...settledPermits(permitHub, receipt.logs),
    ...submittedPermits(permitHub, receipt.logs),
  ]
  return paid.some(
    (one) =>
      one.logIndex === logIndex &&
      one.token === token &&
      one.payer === payer &&
      one.to === payTo &&
      one.amount === amount,
  )
}
