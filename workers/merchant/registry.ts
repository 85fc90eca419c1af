import type { Logger } from 'pino'
import { readRegistryState } from '../../chain/hub/registry.ts'
import {
  type EntryStep,
  type EntryTerms,
  explainEnd,
  nextStep,
  type RegistryState,
} from '../../core/hub/registryEntry.ts'
import { headTime } from '../../store/chain/state.ts'
import type { Transaction } from '../../store/database/database.ts'
import {
  type DueEntry,
  dueEntries,
  lockQueuedEntries,
  saveEntry,
} from '../../store/hub/registryEntries.ts'
import { queueEntries, replacedMerchants } from '../../store/hub/replacedTreasuries.ts'
import { followRegistry, lockRegistrySweeps } from '../../store/invoice/sweeps.ts'
import { wakeHubWaiters, wakeItem } from '../../store/relayer/hubWaits.ts'
import { endItems, recordResults } from '../../store/relayer/workItems.ts'
import {
  confirmedBlock,
  type LedgerContext,
  type Progress,
  viewOf,
} from '../turns/ledgerContext.ts'
import { type RegistryItem, registryItem } from './registryItem.ts'

/** Entries that one turn reads, at two calls each. */
const READS_PER_TURN = 50
const READS_AT_ONCE = 10
/** As things that may be quarantined. */
const ENTRY = 'registry entry'
const TREASURY = 'replaced treasury of merchant'

const NOTHING = { changed: 0, isFull: false }

/** Entries that are queued in one transaction. */
const QUEUED_AT_ONCE = 1_000

/**
 * Has the hub of a chain hear of merchants who have replaced their treasury. On a chain that is new to this
 * deployment it has no entry of theirs, and anyone could submit one that was replaced. False while some
 * of them are quarantined.
 */
export async function announceReplaced(
  { database, client, config, work }: LedgerContext,
  log: Logger,
): Promise<boolean> {
  const registry = { networkId: client.chain.networkId, hub: config.hub }
  let queued = 0
  for (;;) {
    const without = work.others.waiting(TREASURY)
    const merchantIds = await replacedMerchants(database, registry, without, QUEUED_AT_ONCE)
    const done = await work.others.together(TREASURY, merchantIds, String, async (some) => {
      return { tried: some.length, queued: await queueEntries(database, registry, some) }
    })
    const now = done.reduce((all, one) => all + one.queued, 0)
    queued += now
    if (now > 0 && merchantIds.length === QUEUED_AT_ONCE) continue
    if (queued > 0) log.info({ merchants: queued }, 'replaced treasuries are announced to the hub')
    const tried = done.reduce((all, one) => all + one.tried, 0)
    return tried === merchantIds.length && work.others.waiting(TREASURY).length === 0
  }
}

/**
 * Follows merchants' registry entries that a hub has not simply taken: a change of treasury waits for its
 * time and is sent again then; one that was vetoed, or replaced, ends. Reads confirmed states only.
 */
export async function followEntries(context: LedgerContext, log: Logger): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const block = await confirmedBlock(context)
  if (block < 0n) return NOTHING
  const due = await dueEntries(
    database,
    networkId,
    block,
    work.others.waiting(ENTRY),
    READS_PER_TURN,
  )
  if (due.length === 0) return NOTHING
  const view = await viewOf(context, block)
  const time = await headTime(database, networkId)
  const idOf = ({ hub, merchantId }: DueEntry) => `${hub} ${merchantId}`
  const followed = await work.others.each(
    ENTRY,
    due,
    idOf,
    async (entry) => {
      const state = await readRegistryState(client.rpc, entry.hub, entry.merchantId, view)
      await database.begin((sql) => follow(sql, entry, state, { block, time, log }))
    },
    READS_AT_ONCE,
  )
  return { changed: followed.length, isFull: due.length === READS_PER_TURN }
}

interface Seen {
  readonly block: bigint
  /** The chain's time. */
  readonly time: Date | null
  readonly log: Logger
}

/** Stores a hub's state of a merchant, and what follows for the work that waits for it. */
async function follow(
  sql: Transaction,
  entry: DueEntry,
  state: RegistryState<EntryTerms>,
  seen: Seen,
): Promise<void> {
  // Invoices are locked before the work that concerns them, as everywhere.
  await lockRegistrySweeps(sql, entry, entry.merchantId)
  if (!(await saveEntry(sql, entry, state, seen.block))) return
  let isHeldUp = Boolean(state.change?.readyAt)
  for (const item of await lockQueuedEntries(sql, entry)) {
    const entry = registryItem(item)
    if (entry === null) continue
    const step = nextStep(entry.wanted, state)
    isHeldUp ||= step.type === 'exhausted'
    await proceed(sql, entry, step, seen)
  }
  await followRegistry(sql, entry, entry.merchantId)
  // Else nothing holds the merchant's money up any more, whichever entry it is paid by.
  if (!isHeldUp) await wakeHubWaiters(sql, entry.networkId, ['merchant_change'])
}

/** Carries out the next step of an entry that is in no transaction. */
async function proceed(
  sql: Transaction,
  { item, hub, merchantId, wanted }: RegistryItem,
  step: EntryStep,
  { time, log }: Seen,
): Promise<void> {
  const about = {
    item: item.id,
    hub,
    merchantId,
    version: wanted.version,
    treasury: wanted.treasury,
  }
  switch (step.type) {
    case 'in_force':
      log.info(about, 'a registry entry is active by a transaction of another sender')
      return recordResults(sql, 'settled', [{ item, result: { version: `${wanted.version}` } }])
    case 'send':
      return wakeItem(sql, item.id)
    case 'pends':
      if (time !== null && BigInt(Math.floor(time.getTime() / 1000)) >= step.readyAt) {
        return wakeItem(sql, item.id)
      }
      return
    case 'exhausted':
      // Only the hub's owner can activate it. Work that waits for it is checked periodically.
      return log.error(about, 'a registry entry has to be written by the owner of the hub')
    case 'vetoed':
    case 'superseded': {
      const reason = explainEnd(step) ?? step.type
      const level = step.type === 'superseded' ? 'warn' : 'error'
      log[level]({ ...about, reason }, 'a registry entry will not be active')
      return endItems(sql, [{ item, reason }], 'failed')
    }
    default:
      step satisfies never
  }
}
