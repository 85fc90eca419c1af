import type { Logger } from 'pino'
import type { Environment } from '../../core/registry.ts'
import { webhookBody } from '../../core/webhook/event.ts'
import { judge } from '../../core/webhook/schedule.ts'
import { signedHeaders } from '../../core/webhook/signature.ts'
import type { Database } from '../../store/database.ts'
import {
  deleteOldEvents,
  EVENTS_PER_FAN_OUT,
  failStrayDeliveries,
  fanOutEvents,
} from '../../store/webhookFanOut.ts'
import { type LeasedDelivery, leaseDeliveries, releaseLeases } from '../../store/webhookLeases.ts'
import { type DeliveryOutcome, recordOutcomes } from '../../store/webhookOutcomes.ts'
import type { Sender } from './sender.ts'

/**
 * The notifier: makes events into deliveries and sends them. Any number of processes may run one. A
 * turn never waits for a receiver: it records what has come of earlier deliveries, and begins as many
 * as there is room for.
 */

export interface Notifier {
  turn(): Promise<void>
  /** Waits for what is under way, as far as it ends in time, records it and gives the rest back. */
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
  readonly log: Logger
  /** Called when there is something for the next turn. */
  onReply(): void
  /** How long a process that has died keeps its deliveries, in ms; longer than any answer takes. */
  readonly leaseMs?: number
  /** The most deliveries that this process has under way. */
  readonly room?: number
  /** How long a stop waits for answers, in ms. */
  readonly graceMs?: number
}

const LEASE_MS = 20_000
const ROOM = 512
const GRACE_MS = 3_000
/** Old events are looked for this often, in ms. */
const CLEANING_EVERY_MS = 60_000

export function createNotifier(options: NotifierOptions): Notifier {
  const { database, environment, sender, owner, log } = options
  const { leaseMs = LEASE_MS, room = ROOM, graceMs = GRACE_MS } = options
  const underWay = new Map<string, LeasedDelivery>()
  let outcomes: DeliveryOutcome[] = []
  let cleanAt = 0

  async function deliver(delivery: LeasedDelivery): Promise<void> {
    try {
      const outcome = await attempt(sender, delivery)
      outcomes.push(outcome)
      log.debug(told(delivery, outcome), 'a webhook was sent')
    } catch (error) {
      // One delivery that can't even be attempted must not end all others; its lease runs out.
      log.error({ err: error, deliveryId: delivery.id }, 'a webhook could not be attempted')
    }
    underWay.delete(delivery.id)
    options.onReply()
  }

  async function record(): Promise<void> {
    const finished = outcomes
    outcomes = []
    try {
      await recordOutcomes(database, environment, owner, finished, new Date())
    } catch (error) {
      // They are recorded by a later turn, or made again when their leases have run out.
      outcomes = [...finished, ...outcomes]
      throw error
    }
  }

  async function begin(): Promise<void> {
    const failing = [...underWay.values()].filter(({ isFailing }) => isFailing).length
    const leased = await leaseDeliveries(database, {
      owner,
      leaseMs,
      room: room - underWay.size,
      // Endpoints that fail can't take all the room from those that work.
      failingRoom: Math.floor(room / 2) - failing,
    })
    for (const delivery of leased) {
      underWay.set(delivery.id, delivery)
      void deliver(delivery)
    }
  }

  async function clean(now: number): Promise<void> {
    if (now < cleanAt) return
    await failStrayDeliveries(database)
    const deleted = await deleteOldEvents(database, new Date(now))
    if (deleted > 0) log.info({ deleted }, 'events that are no longer kept were deleted')
    else cleanAt = now + CLEANING_EVERY_MS
  }

  return {
    get underWay() {
      return underWay.size
    },
    async turn() {
      const [events] = await Promise.all([fanOutEvents(database), record()])
      await begin()
      await clean(Date.now())
      if (events === EVENTS_PER_FAN_OUT) options.onReply()
    },
    async stop() {
      const end = Date.now() + graceMs
      while (underWay.size > 0 && Date.now() < end) await Bun.sleep(20)
      await record()
      await releaseLeases(database, owner)
    },
  }
}

/** Makes one attempt. The signature is of this moment, so that receivers can refuse old ones. */
async function attempt(sender: Sender, delivery: LeasedDelivery): Promise<DeliveryOutcome> {
  const { id: deliveryId, endpointId, number, event, url } = delivery
  const at = new Date()
  const began = performance.now()
  const body = webhookBody(event)
  const headers = signedHeaders({ id: event.id, at, body }, delivery.secrets)
  const { answer, text } = await sender.send(url, headers, body)
  const verdict = judge(answer, delivery.step, new Date(), Math.random())
  return {
    deliveryId,
    endpointId,
    number,
    at,
    latencyMs: Math.round(performance.now() - began),
    status: answer.type === 'answered' ? answer.status : null,
    error: verdict.type === 'succeeded' ? null : verdict.error,
    answer: text,
    verdict,
  }
}

function told({ event, url }: LeasedDelivery, { error, endpointId, latencyMs }: DeliveryOutcome) {
  return {
    eventId: event.id,
    type: event.type,
    endpointId,
    host: URL.parse(url)?.host,
    latencyMs,
    error,
  }
}
