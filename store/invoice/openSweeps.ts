import { type DepositRows, knownDeposit, leaveOf } from '../../core/invoice/depositBooks.ts'
import type { Settlement } from '../../core/invoice/state.ts'
import type { Transaction } from '../database/database.ts'

/**
 * Brings those sweeps of an invoice up to date that wait to be sent, while its lock is held: what must stay
 * in their deposit may have changed since they were planned, and a refund may have deployed it. One that
 * a transaction carries is left as it was signed. So is one whose fee can't be charged any more: the hub
 * refuses it, and another is planned.
 */
export async function refreshOpenSweeps(sql: Transaction, rows: DepositRows): Promise<void> {
  const open = rows.settlements.filter(({ status }) => status === 'open')
  for (const sweep of open) {
    // Of several on one chain only the first one may deploy.
    if (open.some((other) => isBefore(other, sweep))) continue
    const { isDeployed, chargeable } = knownDeposit(rows, sweep.networkId)
    const leave = leaveOf(rows, sweep)
    if (leave === sweep.leave && isDeployed !== sweep.deploys) continue
    if (chargeable !== null && sweep.fee > chargeable) continue
    await sql`
      with waiting as (
        select from work_item
        where subject_id = ${sweep.id} and state = 'queued'
        for update
      )
      update settlement set leave = ${leave.toString()}, deploys = ${!isDeployed}
      where id = ${sweep.id} and status = 'open' and exists (select from waiting)`
  }
}

function isBefore(other: Settlement, sweep: Settlement): boolean {
  return other.networkId === sweep.networkId && other.round < sweep.round
}
