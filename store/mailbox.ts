import { Queue, Worker } from 'bullmq'
import { type ChainMessage, chainMailbox } from '../core/messages.ts'

/**
 * The mailboxes of the chain actors, on BullMQ. A message is a doorbell: the rows in Postgres are the
 * truth and every actor looks at them at each tick, so a message may be lost, late or repeated.
 */

export interface Mailbox {
  /** Puts a message into a chain's mailbox. Rejects when Redis can't be reached. */
  send(chainId: number, message: ChainMessage): Promise<void>
  /** Receives a chain's messages, one at a time, until the mailbox is closed. */
  receive(chainId: number, handle: (message: ChainMessage) => Promise<void>): void
  close(): Promise<void>
}

export interface MailboxOptions {
  readonly redisUrl: string
  /** Separates deployments that share one Redis. */
  readonly prefix: string
  /** Told of connection faults, which need no other answer: both sides connect again by themselves. */
  onError(error: Error): void
}

/** Messages are worth nothing once they were heard. */
const FORGET = { removeOnComplete: true, removeOnFail: true, attempts: 1 }
/** A killed worker's message is taken up by another one after this, in ms. */
const LOCK_MS = 5_000

export function openMailbox(options: MailboxOptions): Mailbox {
  const queues = new Map<number, Queue<ChainMessage>>()
  const workers: Worker<ChainMessage>[] = []

  function queueOf(chainId: number): Queue<ChainMessage> {
    const known = queues.get(chainId)
    if (known) return known
    const queue = new Queue<ChainMessage>(chainMailbox(chainId), {
      prefix: options.prefix,
      // A sender doesn't wait for a Redis that is away: the message would be stale by then.
      connection: { url: options.redisUrl, enableOfflineQueue: false, maxRetriesPerRequest: 1 },
      defaultJobOptions: FORGET,
    })
    queue.on('error', options.onError)
    queues.set(chainId, queue)
    return queue
  }

  return {
    async send(chainId, message) {
      const queue = queueOf(chainId)
      await queue.waitUntilReady()
      // Many bells in a row are one bell.
      const id = message.type === 'advance_invoice' ? message.invoiceId : message.type
      await queue.add(message.type, message, { deduplication: { id } })
    },
    receive(chainId, handle) {
      const worker = new Worker<ChainMessage>(chainMailbox(chainId), (job) => handle(job.data), {
        prefix: options.prefix,
        connection: { url: options.redisUrl, maxRetriesPerRequest: null },
        concurrency: 1,
        lockDuration: LOCK_MS,
        stalledInterval: LOCK_MS,
      })
      worker.on('error', options.onError)
      workers.push(worker)
    },
    async close() {
      await Promise.allSettled(workers.map((worker) => worker.close(true)))
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()))
    },
  }
}
