import { serializeSignature } from 'viem'
import { hubEvents } from '../../chain/hub/contract.ts'
import {
  encodeConfigure,
  merchantConfigDigest,
  readRegistryState,
} from '../../chain/hub/registry.ts'
import type { InvoiceId } from '../../core/base/ids.ts'
import { baseUnits } from '../../core/base/money.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { batchGas } from '../../core/chain/gas.ts'
import { bytes16ToUuid } from '../../core/chain/words.ts'
import { type EntryStep, explainEnd, nextStep } from '../../core/hub/registryEntry.ts'
import type { Transaction } from '../../store/database/database.ts'
import {
  keepSignature,
  type Registry,
  recordActivated,
  requestEntryReads,
} from '../../store/hub/registryEntries.ts'
import { followRegistry, SWEEPS } from '../../store/invoice/sweeps.ts'
import { wakeHubWaiters } from '../../store/relayer/hubWaits.ts'
import { advanceWithWork, invoicesOf } from '../../store/relayer/transition.ts'
import { itemsWaitingFor, type WorkItem } from '../../store/relayer/workItems.ts'
import { unsignableItems } from '../relayer/hubWaits.ts'
import {
  chainTime,
  type Evidence,
  type Examined,
  type ItemOutcome,
  type KindContext,
  limitOf,
  type PreparingContext,
  subjectOf,
  type WorkKind,
} from '../relayer/kind.ts'
import { refused, succeeded, unmentioned } from '../relayer/outcomes.ts'
import { mostSignedBy } from '../signers/signatures.ts'
import { type RegistryItem, registryItem } from './registryItem.ts'

const NO_HASH: Hex = `0x${'0'.repeat(64)}`

/**
 * Carries merchants' registry entries to the hub, signed when they are assigned. A hub notes another treasury
 * and takes it only when the same entry comes again after a delay; what becomes of it until then, the chain's
 * leader follows (workers/merchant/registry.ts).
 */
export const configureKind: WorkKind = {
  gas: ({ configuration }) => batchGas(configuration),
  isSingleUse: false,

  async examine(context, items) {
    const entries = items.map(async (item) => [item.id, await examine(context, item)] as const)
    return new Map(await Promise.all(entries))
  },

  async prepare(context, sql, items, examined) {
    const { config, client, head, gas } = context
    const { networkId } = client.chain
    const entries = items.flatMap((item) => registryItem(item) ?? [])
    const isEntry = new Set(entries.map(({ item }) => item.id))
    const reason = 'its payload is no registry entry'
    const unusable = items.flatMap((item) => (isEntry.has(item.id) ? [] : [{ item, reason }]))
    const known = entries.filter(({ item }) => examined.has(item.id))
    const rows = known.map(({ item, hub }) => ({ itemId: item.id, hub }))
    const stopped = await unsignableItems(
      sql,
      networkId,
      'registry',
      config.signers.config.address,
      rows,
    )
    const isStopped = new Set(stopped.map(({ itemId }) => itemId))
    const waiting = known.flatMap((entry) => {
      const wait = examined.get(entry.item.id)?.wait
      return wait === undefined ? [] : [{ entry, wait: { itemId: entry.item.id, ...wait } }]
    })
    // The leader sees to what can't be sent.
    for (const { entry } of waiting) await look(sql, networkId, entry, head.number)
    const waits = new Set(waiting.map(({ wait }) => wait.itemId))
    const free = known.filter(({ item }) => !isStopped.has(item.id) && !waits.has(item.id))
    const target = free[0]?.hub ?? config.hub
    // Those of another hub are for another transaction.
    const most = mostSignedBy(config.signers.config)
    const batch = free.filter(({ hub }) => hub === target).slice(0, most)
    const versionOf = ({ item }: RegistryItem) => Number(examined.get(item.id)?.order)
    const signed = await Promise.all(
      batch.map((entry) => signedAs(context, entry, versionOf(entry))),
    )
    for (const { item, isNew, carried } of signed) {
      if (isNew) await keepSignature(sql, item.id, carried)
    }
    return {
      target,
      calldata: encodeConfigure(signed),
      gasLimit: limitOf(configureKind.gas(gas), batch),
      items: batch.map(({ item }) => item),
      unusable,
      waiting: [...stopped, ...waiting.map(({ wait }) => wait)],
    }
  },

  async resolve(_sql, target, items, logs) {
    const events = hubEvents(target, logs)
    return items.map((item) => outcomeOf(item, events))
  },

  async waiting(sql, items, block) {
    for (const item of items) {
      const entry = registryItem(item)
      if (entry !== null) await look(sql, item.networkId, entry, block)
    }
  },

  /** Anyone may carry a signed entry: if the hub holds exactly ours, it is active. */
  async evidence({ client }, target, items, view) {
    const found: Evidence[] = []
    for (const item of items) {
      const entry = registryItem(item)
      if (entry === null) continue
      const state = await readRegistryState(client.rpc, target, entry.merchantId, view)
      const { wanted } = entry
      if (nextStep(wanted, state).type !== 'in_force') continue
      const at = { txHash: NO_HASH, block: view.number, blockHash: NO_HASH }
      found.push({ item, at, result: { version: `${wanted.version}` } })
    }
    return { found, open: new Set() }
  },

  /** What pays a merchant is another entry by now: what is not sent yet goes by it. */
  async confirmed(sql, done) {
    const invoices: InvoiceId[] = []
    for (const { item } of done) {
      const entry = registryItem(item)
      if (entry === null) continue
      const { merchantId, wanted } = entry
      const registry = registryOf(item.networkId, entry)
      await recordActivated(sql, registry, [{ merchantId, ...wanted }])
      invoices.push(...(await followRegistry(sql, registry, merchantId)))
      await wakeHubWaiters(sql, item.networkId, ['merchant_change'])
    }
    return invoices
  },

  /** Sweeps that wait for an entry that will never be active have not been sent: they end too. */
  async failed(sql, failures) {
    const invoices: InvoiceId[] = []
    for (const { item, reason } of failures) {
      const error = `the registry entry failed: ${reason}`
      const waiting = await itemsWaitingFor(sql, [item.id])
      const given = waiting.map((sweep) => ({ id: subjectOf(sweep), reason: error }))
      invoices.push(...invoicesOf(await advanceWithWork(sql, SWEEPS, 'failed', given)))
    }
    return invoices
  },
}

/** In what version an entry is to go out now, as `order`, or why it is to wait. */
async function examine({ client, head }: KindContext, item: WorkItem): Promise<Examined> {
  const entry = registryItem(item)
  if (entry === null) return { fault: null, order: '' }
  const state = await readRegistryState(client.rpc, entry.hub, entry.merchantId, head)
  const step = nextStep(entry.wanted, state)
  const isReady = step.type === 'pends' && step.readyAt <= chainTime(head)
  if (step.type === 'send' || isReady) return { fault: null, order: String(step.version) }
  const wait = { wait: 'merchant_change', reason: explainWait(step), until: null } as const
  return { fault: null, order: '', wait }
}

/** Why an entry is not sent now, in a sentence. */
export function explainWait(step: EntryStep): string {
  if (step.type === 'exhausted') {
    return `all versions that can be signed are used up: the hub's owner has to write version ${step.version}, by \`bun run remit hub propose set-merchant\``
  }
  if (step.type !== 'pends') return explainEnd(step) ?? 'its confirmations are awaited'
  const from = new Date(Number(step.readyAt) * 1000).toISOString()
  return `another treasury is active only after a delay: from ${from} at the earliest`
}

/** The entry in this version with its signature: the one that is stored, or a new one. */
async function signedAs(
  { config: { signers }, sign }: PreparingContext,
  { item, hub, merchantId, wanted, carried }: RegistryItem,
  version: number,
) {
  const config = { merchantId, ...wanted, feeCap: baseUnits(wanted.feeCap), version }
  if (carried?.version === version) {
    return { item, config, signature: carried.signature, carried, isNew: false }
  }
  const made = await sign(signers.config, merchantConfigDigest(hub, config))
  const signature = serializeSignature(made)
  return { item, config, signature, carried: { version, signature }, isNew: true }
}

/** What became of the entry that was sent, by the hub's event about just this version. */
function outcomeOf(item: WorkItem, events: ReturnType<typeof hubEvents>): ItemOutcome {
  const entry = registryItem(item)
  const sent = entry?.carried?.version
  const isAbout = (args: { readonly merchantId: Hex; readonly version: number }) =>
    args.version === sent && bytes16ToUuid(args.merchantId) === entry?.merchantId
  for (const event of events) {
    const { logIndex, eventName } = event
    if (eventName === 'ConfigureFailed' && isAbout(event.args)) {
      return refused(item, event.args.reason, logIndex)
    }
    if (eventName === 'MerchantChangePending' && isAbout(event.args)) {
      const { version, readyAt } = event.args
      return waits(item, explainWait({ type: 'pends', version, readyAt }), logIndex)
    }
    if (eventName !== 'MerchantConfigured' || !isAbout(event.args)) continue
    const { version } = event.args
    return version === entry?.wanted.version
      ? succeeded(item, logIndex, { version: `${version}` })
      : waits(item, `version ${version} is active, before the one that is wanted`, logIndex)
  }
  return unmentioned(item, 'entry')
}

/** No failure: it goes out again, as soon as the chain's leader sees that it can. */
function waits(item: WorkItem, error: string, logIndex: number): ItemOutcome {
  return { item, ok: false, logIndex, result: { error, wait: 'merchant_change' } }
}

function registryOf(networkId: string, { hub }: RegistryItem): Registry {
  return { networkId, hub }
}

/** Has the chain's leader see what has become of an entry. */
async function look(
  sql: Transaction,
  networkId: string,
  entry: RegistryItem,
  block: bigint,
): Promise<void> {
  await requestEntryReads(sql, registryOf(networkId, entry), [entry.merchantId], block)
}
