import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { ElysiaAdapter } from '@bull-board/elysia'
import { Elysia } from 'elysia'
import type { ApiConfig } from '../../core/config/api.ts'
import { chainMailbox, NOTIFIER_MAILBOX } from '../../core/events/messages.ts'
import { openQueues, type Queues } from '../../store/redis/queues.ts'
import type { Dashboard } from './dashboard.ts'

/** Bull Board with its files and queues; loaded when an operator opens it. */

export async function openBoard(config: ApiConfig, dashboard: Dashboard, path: string) {
  const names = [...config.chains.map(({ chainId }) => chainMailbox(chainId)), NOTIFIER_MAILBOX]
  const queues: Queues = openQueues(config, names)
  dashboard.onClose(() => queues.close())
  const adapter = new ElysiaAdapter(path)
  createBullBoard({
    queues: queues.all.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Remit' } },
  })
  return new Elysia({ name: 'queues' }).use(await adapter.registerPlugin())
}
