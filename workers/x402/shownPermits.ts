import type { ChainClient } from '../../chain/rpc/client.ts'
import { logsOfTransactions } from '../../chain/transactions/logs.ts'
import { permitLogs, settledPermits, submittedPermits } from '../../chain/x402/permitUse.ts'
import type { PaidByOthers } from '../../store/x402/byOthers.ts'

/**
 * Of a payment by Permit2, its transaction shows the transfer; that it used up its nonce was verified before.
 * Null while the block shows nothing of it.
 */
export async function isPermitShown(
  rpc: ChainClient['rpc'],
  { token, payer, payTo, amount, permitHub, logIndex, ...place }: PaidByOthers,
): Promise<boolean | null> {
  if (permitHub === null) return null
  const [shown] = await logsOfTransactions(rpc, [place], permitLogs(permitHub, token, [payer]))
  if (shown === undefined) return null
  const paid = [
    ...settledPermits(permitHub, shown.logs),
    ...submittedPermits(permitHub, shown.logs),
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
