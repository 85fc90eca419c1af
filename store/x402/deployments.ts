import type { X402PaymentId } from '../../core/base/ids.ts'
import type { Deployment } from '../../core/x402/walletDeployment.ts'
import type { Transaction } from '../database/database.ts'

/** The calls that create payers' wallets (ERC-6492), each with the payment that it comes before. */

export interface PaymentDeployment {
  readonly paymentId: X402PaymentId
  readonly deployment: Deployment | null
}

/** Stores them with the claims that they belong to. A payment that is claimed again has the newest. */
export async function storeDeployments(
  sql: Transaction,
  claimed: readonly PaymentDeployment[],
): Promise<void> {
  const rows = claimed.flatMap(({ paymentId, deployment }) =>
    deployment === null
      ? []
      : [{ id: paymentId, factory: deployment.factory, data: deployment.data }],
  )
  if (rows.length === 0) return
  await sql`
    insert into x402_deployment (payment_id, factory, calldata)
    select r.id, r.factory, r.data
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (id uuid, factory text, data text)
    on conflict (payment_id) do update set factory = excluded.factory, calldata = excluded.calldata`
}
