import type { Logger } from 'pino'
import type { Head } from '../../chain/blocks/blocks.ts'
import { isRpcFault } from '../../chain/rpc/faults.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { isStopped } from '../../core/hub/stops.ts'
import type { Transaction } from '../../store/database/database.ts'
import {
  type HubGovernance,
  knownHubs,
  readGovernance,
  saveGovernance,
} from '../../store/hub/hubGovernance.ts'
import {
  hubReadDone,
  readHubTokens,
  type StoredHub,
  saveHubState,
} from '../../store/hub/hubStates.ts'
import { requestEntryReads, requestUnknownReads } from '../../store/hub/registryEntries.ts'
import { isWorkWaitingForHub, wakeHubWaiters } from '../../store/relayer/hubWaits.ts'
import type { SigningConfig } from '../signers/signers.ts'
import type { Isolation } from '../turns/isolation.ts'
import { type ChainReader, chainState } from '../turns/ledgerContext.ts'
import { logChanges } from './logChanges.ts'
import { type HubNewsRead, readHubNews } from './readHub.ts'
import { roleDifferences } from './roles.ts'

/**
 * Reads the hubs of a chain, for all processes: rarely while all is well, soon after a refusal that shows a
 * change, and periodically while work waits for them. It stores and logs what it finds, and wakes waiting work
 * that the hub may take.
 */

/** How often the hub is read, in ms: when idle, and while work waits. */
const EVERY_MS = 60_000
const WAITING_EVERY_MS = 15_000
/** Of nodes that bill nothing, and of those that are polled fast. */
const UNBILLED_EVERY_MS = 15_000
const FAST_EVERY_MS = 1_000
/** After a failed read. */
const RETRY_MS = 5_000
/** As things that may be quarantined. */
const HUB = 'hub'

export interface HubWatchDeps extends ChainReader {
  readonly config: SigningConfig
  readonly work: { readonly others: Pick<Isolation, 'each'> }
}

export class HubWatch {
  private dueAt = Number.NEGATIVE_INFINITY
  private readAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly deps: HubWatchDeps,
    private readonly log: Logger,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Reads if it is time to. Returns how many work items may be sent again. */
  async turn(head: Head): Promise<number> {
    const { database, client } = this.deps
    const { networkId } = client.chain
    const { hubReadRequestedAt: requestedAt } = await chainState(this.deps)
    if (requestedAt === null && this.clock() < this.dueAt) {
      const isEarly = this.clock() - this.readAt < WAITING_EVERY_MS
      if (isEarly || !(await isWorkWaitingForHub(database, networkId))) return 0
    }
    try {
      const { woken, isCaughtUp, failed } = await this.read(head)
      await hubReadDone(database, networkId, requestedAt)
      this.readAt = this.clock()
      this.dueAt = isCaughtUp ? this.readAt + everyMs(client.chain) : this.readAt
      if (failed > 0 && isCaughtUp) {
        this.dueAt = this.readAt + RETRY_MS
        this.log.warn({ hubs: failed }, 'the hub could not be read')
      }
      return woken
    } catch (error) {
      if (!isRpcFault(error)) throw error
      // Nothing else depends on it: the hub itself refuses what it does not take.
      this.dueAt = this.clock() + RETRY_MS
      this.log.warn({ err: error }, 'the hub could not be read')
      return 0
    }
  }

  /** Reads each hub alone, and returns how many of them could not be read. */
  private async read(head: Head) {
    const { database, config, work } = this.deps
    const hubs = [...new Set([config.hub, ...(await knownHubs(database))])]
    const reads = await work.others.each(HUB, hubs, String, (hub) => this.readOne(hub, head))
    return {
      woken: reads.reduce((all, { woken }) => all + woken, 0),
      isCaughtUp: reads.every((read) => read.isCaughtUp),
      failed: hubs.length - reads.length,
    }
  }

  private async readOne(hub: Address, head: Head) {
    const { database, client } = this.deps
    const before = await readGovernance(database, client.chain.networkId, hub)
    const read = await readHubNews(client, hub, before, head)
    if (read === null) return { woken: 0, isCaughtUp: true }
    const woken = await database.begin((sql) => this.save(sql, hub, before, read))
    return { woken, isCaughtUp: read.isCaughtUp }
  }

  private async save(
    sql: Transaction,
    hub: Address,
    before: HubGovernance | null,
    read: HubNewsRead,
  ): Promise<number> {
    const { config, client } = this.deps
    const { networkId } = client.chain
    const { answer, written, isCaughtUp: _, ...seen } = read
    const differences = hub === config.hub ? roleDifferences(config, answer.state) : []
    const tokensBefore = await readHubTokens(sql, networkId, hub)
    const { isNewer, before: stateBefore } = await saveHubState(
      sql,
      networkId,
      hub,
      answer.state,
      answer.tokens,
    )
    if (!isNewer) return 0
    const now = { ...seen, differences }
    await saveGovernance(sql, networkId, hub, now)
    // What this means for work, the ledger decides when it is confirmed.
    const { block } = answer.state
    await requestEntryReads(sql, { networkId, hub }, changedMerchants(before, now), block)
    await requestUnknownReads(sql, { networkId, hub }, written, block)
    const log = this.log.child({ hub })
    logChanges(log, client.chain, { before, now, tokensBefore, tokens: answer.tokens })
    return wakeChanged(sql, networkId, stateBefore, before, read)
  }
}

function everyMs({ headPolling, areCallsBilled }: ActiveChain): number {
  if (headPolling === 'fast') return FAST_EVERY_MS
  return areCallsBilled ? EVERY_MS : UNBILLED_EVERY_MS
}

/** The merchants whose pending changes differ from before. */
function changedMerchants(before: HubGovernance | null, now: HubGovernance): MerchantId[] {
  const words = ({ changes }: Pick<HubGovernance, 'changes'>) =>
    new Map(changes.map((one) => [one.merchantId, `${one.version} ${one.readyAt?.getTime()}`]))
  const [old, recent] = [words(before ?? { changes: [] }), words(now)]
  const ids = new Set([...old.keys(), ...recent.keys()])
  return [...ids].filter((id) => old.get(id) !== recent.get(id))
}

/**
 * Wakes work that waits for a possible change. Each item checks that on its own, so that waking too much is
 * harmless; limits regain room over time.
 */
async function wakeChanged(
  sql: Transaction,
  networkId: string,
  before: StoredHub | null,
  governance: HubGovernance | null,
  { answer, changes }: HubNewsRead,
): Promise<number> {
  const { stops, refundSigner, configSigner } = answer.state
  const isResumed =
    before === null ||
    (before.stops & ~stops) !== 0 ||
    before.refundSigner !== refundSigner ||
    before.configSigner !== configSigner
  const waiting = new Set(
    changes.filter(({ readyAt }) => readyAt !== null).map((one) => one.merchantId),
  )
  const isOver =
    governance?.changes.some((one) => one.readyAt !== null && !waiting.has(one.merchantId)) ?? true
  return wakeHubWaiters(sql, networkId, [
    ...(isResumed ? (['stopped'] as const) : []),
    ...(isOver ? (['merchant_change'] as const) : []),
    ...(isStopped(stops, 'refunds') ? [] : (['refund_limit'] as const)),
  ])
}
