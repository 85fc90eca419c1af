import { Queue } from 'bullmq'
import { connectionTo } from './mailbox.ts'

/** The mailboxes as operators inspect them. Nothing is sent through these. */
export interface Queues {
  readonly all: readonly Queue[]
  close(): Promise<void>
}

export function openQueues(
  options: { readonly redisUrl: string; readonly redisPrefix: string; readonly silenceMs: number },
  names: readonly string[],
): Queues {
  const all = names.map((name) => {
    const queue = new Queue(name, {
      prefix: options.redisPrefix,
      connection: {
        ...connectionTo(options.redisUrl, options.silenceMs),
        enableOfflineQueue: false,
        maxRetriesPerRequest: 1,
      },
    })
    // An unreachable Redis shows in the answer; the connection is reopened automatically.
    queue.on('error', () => undefined)
    return queue
  })
  return {
    all,
    async close() {
      await Promise.allSettled(all.map((queue) => queue.close()))
    },
  }
}
