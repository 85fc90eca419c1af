import type { Database } from '../../store/database/database.ts'
import type { RelayerTx } from '../../store/relayer/transactions.ts'
import { openItems } from '../../store/relayer/workItems.ts'
import type { Isolation } from '../turns/isolation.ts'

/** What a relayer works on, each thing alone, as logs and alarms name it; each stage has its own pauses. */
export const STAGES = [
  'lease',
  'nonce',
  'operator',
  'watch',
  'balance',
  'observe',
  'renew',
  'deliver',
  'assign',
  'decide',
  'confirm',
  'final',
  'step',
] as const
export type Stage = (typeof STAGES)[number]

const ITEM = 'work item '

export function txName({ id }: Pick<RelayerTx, 'id'>): string {
  return `transaction ${id}`
}

export function itemName(id: bigint): string {
  return `${ITEM}${id}`
}

/** The work items that a stage is to leave alone now. */
export function quarantinedItems(work: Isolation<Stage>, stage: Stage): bigint[] {
  return itemsIn(work.waiting(stage))
}

/** What others have carried out or ended is not tried again here: its alarm is over. */
export async function forgetEnded(work: Isolation<Stage>, database: Database): Promise<void> {
  for (const stage of ['assign', 'decide'] as const) {
    const due = itemsIn(work.retried(stage))
    const open = await openItems(database, due)
    for (const id of due) if (!open.has(id)) work.forget(stage, itemName(id))
  }
}

function itemsIn(names: readonly string[]): bigint[] {
  const ofItems = names.filter((name) => name.startsWith(ITEM))
  return ofItems.map((name) => BigInt(name.slice(ITEM.length)))
}
