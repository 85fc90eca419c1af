import { Queue, Worker } from 'bullmq'
import {
  type ChainMessage,
  chainMailbox,
  NOTIFIER_MAILBOX,
  type NotifierMessage,
} from '../../core/events/messages.ts'

/**
 * The mailboxes of the chain actors and of the notifier, on BullMQ. A message only wakes an actor: the
 * rows in Postgres are the truth and every actor polls them at each tick, so a message may be lost,
 * late or repeated. Queues and workers make their own connections, for which BullMQ loads ioredis by name:
 * an optional peer of it, and therefore a dependency of ours.
 */

export interface Mailbox {
  /** Puts a message into a chain's mailbox. Rejects when Redis can't be reached. */
  send(chainId: number, message: ChainMessage): Promise<void>
  /** Receives a chain's messages, one at a time, until the mailbox is closed. */
  receive(chainId: number, handle: (message: ChainMessage) => Promise<void>): void
  /**
   * Wakes the notifiers because events wait. It never fails, is never waited for, and sends no more
   * messages than are of use, however often it is called.
   */
  wakeNotifier(): void
  receiveEvents(handle: () => void): void
  /** Takes no more messages, so that others get them; sends as before. */
  stopReceiving(): Promise<void>
  close(): Promise<void>
}

export interface MailboxOptions {
  readonly redisUrl: string
  /** Separates deployments that share one Redis. */
  readonly prefix: string
  /** How long Redis may owe an answer before the connection is given up, in ms. */
  readonly silenceMs?: number
  /** Called for connection faults, which need no other handling: both sides reconnect. */
  onError(error: Error): void
}

const SILENCE_MS = 5_000
/** How soon Redis is tried again, in ms: BullMQ's own pauses grow to twenty seconds. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** Messages are worth nothing once they were received. */
const FORGET = { removeOnComplete: true, removeOnFail: true, attempts: 1 }
/** A killed worker's message is taken up by another one after this, in ms. */
const LOCK_MS = 5_000
/** Events that are written within this time share a message, in ms. */
const EVENTS_PAUSE_MS = 50

type Message = ChainMessage | NotifierMessage

export function openMailbox(options: MailboxOptions): Mailbox {
  const { silenceMs = SILENCE_MS } = options
  const queues = new Map<string, Queue<Message>>()
  const workers: { close(force: boolean): Promise<void> }[] = []
  let isWaking = false
  let isWantedAgain = false
  let isClosed = false

  function queueOf(name: string): Queue<Message> {
    const known = queues.get(name)
    if (known) return known
    const queue = new Queue<Message>(name, {
      prefix: options.prefix,
      // A sender doesn't wait for a Redis that is away: the message would be stale by then.
      connection: {
        ...connectionTo(options.redisUrl, silenceMs),
        enableOfflineQueue: false,
        maxRetriesPerRequest: 1,
        autoResendUnfulfilledCommands: false,
      },
      defaultJobOptions: FORGET,
    })
    queue.on('error', options.onError)
    queues.set(name, queue)
    return queue
  }

  async function put(name: string, message: Message): Promise<void> {
    const queue = queueOf(name)
    // Many messages of one kind in a row are one message.
    const id = message.type === 'advance_invoice' ? message.invoiceId : message.type
    const sent = queue
      .waitUntilReady()
      .then(() => queue.add(message.type, message, { deduplication: { id } }))
    await within(silenceMs, sent)
  }

  function take<M extends Message>(name: string, handle: (message: M) => Promise<void>): void {
    const worker = new Worker<M>(name, (job) => handle(job.data), {
      prefix: options.prefix,
      // It polls by a command that Redis answers at the next message, and after `drainDelay` at the latest.
      connection: {
        ...connectionTo(options.redisUrl, 2 * silenceMs),
        maxRetriesPerRequest: null,
      },
      drainDelay: silenceMs / 1_000,
      runRetryDelay: LONGEST_PAUSE_MS,
      concurrency: 1,
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS,
    })
    worker.on('error', options.onError)
    workers.push(worker)
  }

  /** Sends a message until none was requested meanwhile; an unreachable Redis is waited for once. */
  async function wakeNotifiers(): Promise<void> {
    isWaking = true
    do {
      await Bun.sleep(EVENTS_PAUSE_MS)
      if (isClosed) return
      isWantedAgain = false
      await put(NOTIFIER_MAILBOX, { type: 'events_waiting' }).catch(options.onError)
    } while (isWantedAgain)
    isWaking = false
  }

  async function stopReceiving(): Promise<void> {
    await Promise.allSettled(workers.map((worker) => worker.close(true)))
  }

  return {
    send: (chainId, message) => put(chainMailbox(chainId), message),
    receive: (chainId, handle) => take<ChainMessage>(chainMailbox(chainId), handle),
    wakeNotifier() {
      isWantedAgain = true
      if (!isWaking) void wakeNotifiers()
    },
    receiveEvents: (handle) => take<NotifierMessage>(NOTIFIER_MAILBOX, async () => handle()),
    stopReceiving,
    async close() {
      isClosed = true
      await stopReceiving()
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()))
    },
  }
}

/** What ioredis connects with. `silenceMs` is how long it waits for an answer before it connects again. */
export function connectionTo(redisUrl: string, silenceMs: number) {
  return {
    url: redisUrl,
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    retryStrategy: (attempt: number) =>
      Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10)),
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Redis is not there after ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
