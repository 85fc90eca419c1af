import { afterAll, afterEach, beforeEach } from 'bun:test'
import pino from 'pino'
import {
  asMerchantId,
  type DeliveryId,
  type EventId,
  type MerchantId,
  type WebhookEndpointId,
} from '../../core/base/ids.ts'
import { sandboxKeyring } from '../../core/base/keyring.ts'
import { networks } from '../../core/base/network.ts'
import type { EventType } from '../../core/events/eventTypes.ts'
import type { WebhookEndpoint } from '../../core/webhook/endpoint.ts'
import { type Database, openDatabase } from '../../store/database/database.ts'
import { insertEvent } from '../../store/events/outbox.ts'
import { createWebhookEndpoint } from '../../store/webhook/endpoints.ts'
import { createSender, type SenderOptions } from '../../workers/webhook/sender.ts'
import { createNotifier, type Notifier } from '../../workers/webhook/turn.ts'
import { prepareLedger } from './servers/database.ts'
import { openAs } from './servers/roles.ts'
import { createDatabase, whileOthersRun } from './servers/run.ts'

/** Notifiers turned by hand, a ledger with a merchant, and receivers on this machine. */

export interface WebhookRig {
  readonly database: Database
  readonly databaseUrl: string
  readonly merchantId: MerchantId
  /** One that has answered with 2xx before, unless it is new. */
  endpoint(url: string, eventTypes?: readonly EventType[], isNew?: boolean): Promise<TestEndpoint>
  /** Writes an event and returns its id. */
  event(type?: EventType, data?: unknown): Promise<string>
  notifier(options?: TestNotifierOptions): Notifier
  /** Turns the notifiers until it is so; says what was last seen when that takes too long. */
  until(notifiers: readonly Notifier[], isSo: () => Promise<boolean> | boolean): Promise<void>
  deliveries(): Promise<DeliveryRow[]>
  attempts(): Promise<AttemptRow[]>
  close(): Promise<void>
}

export interface TestEndpoint {
  readonly endpoint: WebhookEndpoint
  readonly secret: string
}

export interface DeliveryRow {
  readonly id: DeliveryId
  readonly endpointId: WebhookEndpointId
  readonly eventId: EventId
  readonly state: string
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** From now until the next attempt, in seconds. */
  readonly wait: number
}

export interface AttemptRow {
  readonly number: number
  readonly latencyMs: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

export interface TestNotifierOptions {
  readonly owner?: string
  readonly sender?: Partial<SenderOptions>
  readonly leaseMs?: number
  readonly room?: number
  readonly answersDays?: number
  readonly passMs?: number
}

const LOOPBACK = networks(['127.0.0.0/8', '::1'])
/** Long enough for an answer on a busy machine, and short enough to wait for one that never comes. */
const LIMIT_MS = 1_500

export async function openWebhookRig(): Promise<WebhookRig> {
  const { url: databaseUrl, drop } = await createDatabase(prepareLedger)
  const database = openDatabase(databaseUrl, { name: 'test-owner', poolSize: 8 })
  const ofNotifier = await openAs(databaseUrl, 'notifier', 8)
  const merchantId = asMerchantId(Bun.randomUUIDv7())
  await database`insert into merchant (id, name) values (${merchantId}, 'Rig')`
  let owners = 0

  return {
    database,
    databaseUrl,
    merchantId,
    async endpoint(url, eventTypes, isNew = false) {
      const wanted = { url, description: '', eventTypes: eventTypes ?? null }
      const created = await createWebhookEndpoint(
        database,
        { environment: 'sandbox', secretKeys: sandboxKeyring([]) },
        merchantId,
        wanted,
        new Date(),
      )
      if (!created.ok) throw new Error('the merchant has too many endpoints')
      if (!isNew) {
        await database`
          update webhook_endpoint set proven_at = now() where id = ${created.endpoint.id}`
      }
      return created
    },
    event: (type = 'invoice.created', data = { id: 'x', version: 1 }) =>
      insertEvent(database, {
        merchantId,
        type,
        objectId: Bun.randomUUIDv7(),
        version: 1,
        data,
      }),
    notifier({ owner, sender, ...options } = {}) {
      owners += 1
      return createNotifier({
        database: ofNotifier,
        environment: 'sandbox',
        sender: createSender({
          environment: 'sandbox',
          allowed: LOOPBACK,
          limitMs: LIMIT_MS,
          ...sender,
        }),
        owner: owner ?? `notifier-${owners}`,
        log: pino({ level: 'silent' }),
        onReply() {},
        graceMs: 0,
        answersDays: 7,
        secretKeys: sandboxKeyring([]),
        ...options,
      })
    },
    async until(notifiers, isSo) {
      const end = performance.now() + 60_000
      while (!(await isSo())) {
        if (performance.now() > end) {
          const seen = await database`select state, attempts, last_error from webhook_delivery`
          throw new Error(`it never came about: ${JSON.stringify(seen)}`)
        }
        for (const notifier of notifiers) await notifier.turn()
        await Bun.sleep(10)
      }
    },
    deliveries: () => database<DeliveryRow[]>`
      select id, endpoint_id, event_id, state, attempts, last_status, last_error,
        extract(epoch from next_attempt_at - now())::float8 as wait
      from webhook_delivery order by event_id`,
    attempts: () => database<AttemptRow[]>`
      select number, latency_ms, status, error, answer from webhook_attempt
      order by delivery_id, number`,
    async close() {
      await ofNotifier.end({ timeout: 1 })
      await database.end({ timeout: 1 })
      whileOthersRun(drop())
    },
  }
}

/**
 * Gives every test of a file a rig and a receiver of its own. What is still under way when a test ends
 * may use its rig until the last one is over.
 */
export function forEachTest(give: (fresh: { rig: WebhookRig; receiver: Receiver }) => void): void {
  const rigs: WebhookRig[] = []
  let receiver: Receiver | undefined
  beforeEach(async () => {
    const rig = await openWebhookRig()
    rigs.push(rig)
    receiver = startReceiver()
    give({ rig, receiver })
  }, 120_000)
  afterEach(() => receiver?.stop())
  afterAll(async () => {
    for (const { close } of rigs) await close()
  }, 120_000)
}

/** One webhook as it arrived. */
export interface Received {
  readonly id: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** The most that were under way at the same time. */
  readonly most: number
  /** What it answers from now on. */
  answer: (received: Received) => Response | Promise<Response>
  stop(): Promise<void>
}

/** Where a receiver takes webhooks, and what is below it. */
const PATH = '/hook'

/** A merchant's server, which answers 204 at its path until it is told otherwise. */
export function startReceiver(hostname = '127.0.0.1'): Receiver {
  let underWay = 0
  const receiver = {
    received: [] as Received[],
    most: 0,
    answer: (_: Received): Response | Promise<Response> => new Response(null, { status: 204 }),
  }
  const server = Bun.serve({
    hostname,
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.text()
      const headers = Object.fromEntries(request.headers)
      const { pathname: path } = new URL(request.url)
      // Whoever asks for anything else means a server that had this port before.
      if (!path.startsWith(PATH)) return new Response(null, { status: 421 })
      const received = { id: headers['webhook-id'] ?? '', path, headers, body }
      receiver.received.push(received)
      underWay += 1
      receiver.most = Math.max(receiver.most, underWay)
      try {
        return await receiver.answer(received)
      } finally {
        underWay -= 1
      }
    },
  })
  const stop = () => server.stop(true)
  return Object.assign(receiver, { url: `http://${server.hostname}:${server.port}${PATH}`, stop })
}
