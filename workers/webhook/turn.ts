import type { Logger } from 'pino'
import {
  asDeliveryId,
  asEventId,
  asWebhookEndpointId,
  type EventId,
  type WebhookEndpointId,
} from '../../core/base/ids.ts'
import type { Keyring } from '../../core/base/keyring.ts'
import { keptSince } from '../../core/base/retention.ts'
import { unseal } from '../../core/base/sealed.ts'
import type { Environment } from '../../core/chain/table.ts'
import { type MerchantEvent, webhookBody } from '../../core/events/event.ts'
import { deliveryVerdict } from '../../core/webhook/schedule.ts'
import { signedHeaders } from '../../core/webhook/signature.ts'
import type { Tracer } from '../../metrics/process/tracing.ts'
import type { Database } from '../../store/database/database.ts'
import { removeOldTraces } from '../../store/database/traces.ts'
import { readEvents } from '../../store/events/outbox.ts'
import {
  deleteOldEvents,
  deleteOrphans,
  EVENTS_PER_FAN_OUT,
  failStrayDeliveries,
  fanOutEvents,
  waitingEvents,
} from '../../store/webhook/fanOut.ts'
import {
  type LeasedEndpoint,
  type LeaseRequest,
  leaseEndpoints,
  pendingEndpoints,
  releaseEndpointLeases,
  releaseEndpoints,
} from '../../store/webhook/leases.ts'
import {
  hasNotifierWork,
  leaveShare,
  type Registration,
  type Share,
  takeShare,
} from '../../store/webhook/notifiers.ts'
import { type DeliveryOutcome, recordOutcomes } from '../../store/webhook/outcomes.ts'
import { forgetAnswers, forgetEmptyTallies } from '../../store/webhook/retention.ts'
import { foldDeliveryTallies } from '../../store/webhook/tallies.ts'
import { Isolation } from '../turns/isolation.ts'
import { databaseProbe } from '../turns/probe.ts'
import { createLanes, type Outgoing } from './lanes.ts'
import type { Sender } from './sender.ts'
import { traceAttempt } from './tracing.ts'

/**
 * The notifier: makes events into deliveries and sends them. Any number of processes may run one. A
 * turn never waits for a receiver: it records what has come of earlier deliveries, and begins as many
 * as there is room for. An event, an endpoint or a delivery that the database can't work on is quarantined, and
 * stops no other.
 */

export interface Notifier {
  /**
   * Returns whether more events wait than one turn takes, so that the next one should begin at once. One that does
   * not look for events is about replies alone.
   */
  turn(looksForEvents?: boolean): Promise<boolean>
  /** Whether there is nothing to do, now or later. It stays among those that divide the endpoints. */
  rests(): Promise<boolean>
  /** Waits a while for what is under way, records what has ended and releases the leases. */
  stop(): Promise<void>
  /** How many deliveries are under way in this process. */
  readonly underWay: number
}

export interface NotifierOptions {
  readonly database: Database
  readonly environment: Environment
  readonly sender: Sender
  /** A name that no other process has. */
  readonly owner: string
  /** For how many days what endpoints answered is kept. */
  readonly answersDays: number
  readonly secretKeys: Keyring
  readonly log: Logger
  /** Absent where no spans are sent. */
  readonly tracer?: Tracer | undefined
  /** Called when there is something for the next turn. */
  onReply(): void
  /** How long a process that has died keeps its endpoints, in ms. */
  readonly leaseMs?: number
  /** The most deliveries that this process has under way. */
  readonly room?: number
  /** How long a stop waits for answers, in ms. */
  readonly graceMs?: number
  /** How long after the begin of a pass over old answers the next one begins, in ms. */
  readonly passMs?: number
}

const LEASE_MS = 5_000
/** How often within the time of a lease the other notifiers are counted. */
const SHARES_PER_LEASE = 4
/** The runtime has 256 requests under way at most; the others of the process are not to wait for ours. */
const ROOM = 192
/** Less than a lease that is about to be renewed lasts: until then no other process sends. */
const GRACE_MS = 2_000
/** Events that are read once for all endpoints that they go to. */
const EVENTS_REMEMBERED = 500
const CHARACTERS_REMEMBERED = 16_000_000
/** Old events are searched for this often, in ms. */
const CLEANING_EVERY_MS = 60_000
/** What ended after a pass over old answers had read it waits for the next one, so long, in ms. */
const PASS_MS = 60 * 60_000
/** How often counters of deliveries are added up, in ms. */
const FOLD_EVERY_MS = 2_000
/** A whole step covers many items: it is retried soon. */
const STEP_PAUSES = { firstMs: 1_000, longestMs: 30_000 }

export function createNotifier(options: NotifierOptions): Notifier {
  const { database, environment, owner, log } = options
  const { leaseMs = LEASE_MS, room = ROOM, graceMs = GRACE_MS, passMs = PASS_MS } = options
  const lanes = createLanes(room)
  const recent = new Map<EventId, MerchantEvent>()
  const work = new Isolation(log, { probe: databaseProbe(database) })
  const steps = new Isolation(log, { probe: databaseProbe(database), pauses: STEP_PAUSES })
  const step = <T>(name: string, run: () => Promise<T>) => steps.alone('step', name, run)
  const secrets = openSecrets(options.secretKeys)
  /** What is to be recorded. */
  const outcomes = new Set<DeliveryOutcome>()
  let cleanAt = 0
  let forgottenTo: Date | null = null
  let nextPassAt = Date.now() + passMs
  let foldAt = 0
  let share: Share = { place: 0, of: 1 }
  let shareAt = 0
  let isStopping = false

  async function deliver(outgoing: Outgoing): Promise<void> {
    const { delivery, endpoint } = outgoing
    const { endpointId } = endpoint
    let hasSucceeded = false
    try {
      const outcome = await attempt(options, outgoing, secrets(endpoint))
      hasSucceeded = outcome.verdict.type === 'succeeded'
      outcomes.add(outcome)
      traceAttempt(options, outgoing, outcome)
      if (log.isLevelEnabled('debug')) log.debug(logFields(outgoing, outcome), 'a webhook was sent')
    } catch (error) {
      // One delivery that can't even be attempted must not end all others. It stays due, and is tried
      // again once it isn't held any more.
      log.error({ err: error, deliveryId: delivery.id }, 'a webhook could not be attempted')
      setTimeout(() => lanes.forget(endpointId, delivery.id), leaseMs)
    }
    lanes.finished(endpointId, hasSucceeded)
    options.onReply()
    sendWaiting()
  }

  /** Sends what there is room for. */
  function sendWaiting(): void {
    if (isStopping) return
    for (let next = lanes.next(); next !== null; next = lanes.next()) void deliver(next)
  }

  /** Makes events into deliveries. Returns whether more wait. */
  async function fanOut(): Promise<boolean> {
    const counts = await work.found(
      'event',
      asEventId,
      (without) => waitingEvents(database, without),
      (scope) => fanOutEvents(database, scope),
    )
    return counts.includes(EVENTS_PER_FAN_OUT)
  }

  /** What can't be recorded stays, and its delivery is held: it was made. */
  async function record(): Promise<void> {
    const idOf = ({ deliveryId }: DeliveryOutcome) => deliveryId
    await work.together('delivery', [...outcomes], idOf, async (finished) => {
      const later = await recordOutcomes(database, environment, owner, finished, new Date())
      for (const outcome of finished) {
        if (later.includes(outcome)) continue
        outcomes.delete(outcome)
        lanes.forget(outcome.endpointId, outcome.deliveryId)
      }
    })
  }

  /** Null where it is not due yet. */
  async function renewShare(now: number): Promise<Registration | null> {
    if (now < shareAt) return null
    const taken = await takeShare(database, owner, leaseMs)
    share = taken
    shareAt = now + leaseMs / SHARES_PER_LEASE
    return taken
  }

  async function lease(): Promise<void> {
    const askedAt = performance.now()
    await renewShare(askedAt)
    await work.together('released', lanes.release(), String, (ids) =>
      releaseEndpoints(database, owner, ids),
    )
    const { heldIds, ...request } = lanes.leaseRequest()
    // What was made and can't be recorded is not made again, and what can't be deleted fills no page.
    const held = [...heldIds, ...work.waiting('delivery').map(asDeliveryId)]
    const leased = await leaseRoom({ owner, leaseMs, share, heldIds: held, ...request })
    await readNewEvents(leased)
    lanes.update(leased, askedAt, recent)
  }

  /** Leases as many endpoints as there is room for, however many statements that takes. */
  async function leaseRoom(request: LeaseRequest): Promise<LeasedEndpoint[]> {
    const keptIds = request.kept.map(({ endpointId }) => endpointId)
    let { newcomers, failingNewcomers } = request
    const leased = await work.found(
      'endpoint',
      asWebhookEndpointId,
      async (without) => {
        const left: ReadonlySet<WebhookEndpointId> = new Set(without)
        const all = new Set([...keptIds, ...(await pendingEndpoints(database))])
        return [...all].filter((id) => !left.has(id))
      },
      async (scope) => {
        const some = await leaseEndpoints(
          database,
          { ...request, newcomers, failingNewcomers },
          scope,
        )
        const added = some.filter(({ endpointId }) => !keptIds.includes(endpointId))
        newcomers -= added.length
        failingNewcomers -= added.filter(({ isFailing }) => isFailing).length
        return some
      },
    )
    return leased.flat()
  }

  /** Reads what is to be sent. An event goes to several endpoints, mostly at the same time. */
  async function readNewEvents(leased: readonly LeasedEndpoint[]): Promise<void> {
    let characters = 0
    for (const { dataJson } of recent.values()) characters += dataJson.length
    for (const [id, { dataJson }] of recent) {
      if (recent.size <= EVENTS_REMEMBERED && characters <= CHARACTERS_REMEMBERED) break
      recent.delete(id)
      characters -= dataJson.length
    }
    const due = leased.flatMap(({ deliveries }) => deliveries)
    const unread = new Set(due.map(({ eventId }) => eventId).filter((id) => !recent.has(id)))
    for (const event of await readEvents(database, [...unread])) recent.set(event.id, event)
    const orphans = due.filter(({ eventId }) => !recent.has(eventId)).map(({ id }) => id)
    await work.together('delivery', orphans, String, (ids) => deleteOrphans(database, ids))
  }

  async function fold(now: number): Promise<void> {
    if (now < foldAt) return
    foldAt = now + FOLD_EVERY_MS
    await step('adding deliveries up', () => foldDeliveryTallies(database))
  }

  async function clean(now: number): Promise<void> {
    if (now < cleanAt) return
    await step('ending stray deliveries', () => failStrayDeliveries(database))
    const deleted =
      (await step('deleting events', () => deleteOldEvents(database, new Date(now)))) ?? 0
    if (deleted > 0) log.info({ deleted }, 'events that are no longer kept were deleted')
    const before = keptSince(new Date(now), options.answersDays)
    const pass = await step('forgetting answers', () =>
      forgetAnswers(database, before, forgottenTo),
    )
    forgottenTo = pass?.reached ?? forgottenTo
    if (pass !== null && pass.reached !== null) return
    await step('forgetting traces', () => removeOldTraces(database))
    await step('forgetting counters', () => forgetEmptyTallies(database))
    if (now >= nextPassAt) {
      forgottenTo = null
      nextPassAt = now + passMs
    } else if (deleted === 0) cleanAt = now + CLEANING_EVERY_MS
  }

  return {
    get underWay() {
      return lanes.underWay
    },
    async turn(looksForEvents = true) {
      const [hasMore] = await Promise.all([looksForEvents && fanOut(), record()])
      await lease()
      sendWaiting()
      await fold(Date.now())
      await clean(Date.now())
      return hasMore
    },
    async rests() {
      const isBusy = lanes.underWay > 0 || outcomes.size > 0 || lanes.leaseRequest().kept.length > 0
      if (isBusy || Date.now() >= cleanAt) return false
      const taken = await renewShare(performance.now())
      return !(taken?.hasWork ?? (await hasNotifierWork(database)))
    },
    async stop() {
      isStopping = true
      const end = Date.now() + graceMs
      while (lanes.underWay > 0 && Date.now() < end) await Bun.sleep(20)
      await record()
      await releaseEndpointLeases(database, owner)
      await leaveShare(database, owner)
    },
  }
}

/** Decrypts the secrets of each endpoint once for all that is sent to it before it is read again. */
function openSecrets(keys: Keyring): (endpoint: LeasedEndpoint) => readonly string[] {
  const opened = new WeakMap<LeasedEndpoint, readonly string[]>()
  return (endpoint) => {
    const known = opened.get(endpoint)
    if (known !== undefined) return known
    const place = { column: 'webhook_endpoint.secret', rowId: endpoint.endpointId } as const
    const secrets = endpoint.secrets.map((stored) => unseal(keys, place, stored))
    opened.set(endpoint, secrets)
    return secrets
  }
}

/** Makes one attempt. The signature is of this moment, so that receivers can refuse old ones. */
async function attempt(
  { sender }: NotifierOptions,
  outgoing: Outgoing,
  secrets: readonly string[],
): Promise<DeliveryOutcome> {
  const { delivery, endpoint } = outgoing
  const { id: deliveryId, number, step, event } = delivery
  const at = new Date()
  const began = performance.now()
  const body = webhookBody(event)
  const headers = signedHeaders({ id: event.id, at, body }, secrets)
  const { answer, text } = await sender.send(endpoint.url, headers, body)
  const verdict = deliveryVerdict(answer, step, new Date(), Math.random())
  return {
    deliveryId,
    endpointId: endpoint.endpointId,
    url: endpoint.url,
    number,
    at,
    latencyMs: Math.round(performance.now() - began),
    status: answer.type === 'answered' ? answer.status : null,
    error: verdict.type === 'succeeded' ? null : verdict.error,
    answer: text,
    verdict,
  }
}

function logFields({ delivery, endpoint }: Outgoing, { error, latencyMs }: DeliveryOutcome) {
  const { event } = delivery
  return {
    eventId: event.id,
    type: event.type,
    endpointId: endpoint.endpointId,
    host: URL.parse(endpoint.url)?.host,
    latencyMs,
    error,
  }
}
