import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import type { EventId } from '../../../core/base/ids.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { keepingLogs, running } from '../running/stack.ts'
import {
  callApi,
  createInvoice,
  type DevStack,
  eventually,
  type Part,
} from '../servers/devStack.ts'
import { type Receiver, startReceiver } from '../webhooks.ts'

/**
 * Events happen while the processes that make and send them are killed at random, and while the
 * receiver fails now and then. Every event must arrive. The full count is run with
 * WEBHOOK_EVENTS=1000 WEBHOOK_KILLS=20.
 */

const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 60)
const KILLS = Number(process.env.WEBHOOK_KILLS ?? 3)
/** The worker of the stack is chain actors and notifier in one. */
const PARTS: readonly Part[] = ['worker', 'api', 'redis']
const PAUSE_MS = 1_000

let stack: DevStack
let receiver: Receiver

export function webhooks(): void {
  describe('webhooks', () => {
    beforeAll(async () => {
      stack = running()
      receiver = startReceiver()
    }, 180_000)

    afterAll(() => receiver.stop())

    test(
      `${EVENTS} events survive ${KILLS} kills`,
      keepingLogs(async () => {
        const database = openDatabase(stack.description.databaseUrl, { name: 'test', poolSize: 1 })
        const created = () => database<{ id: EventId }[]>`
    select id from outbox where type = 'invoice.created'`
        const before = new Set((await created()).map(({ id }) => id))
        const { secret } = await callApi<{ secret: string }>(stack, '/v1/webhooks/endpoints', {
          url: receiver.url,
        })
        // The first one proves the URL; without that there would be one a minute.
        receiver.answer = () => {
          const fails = receiver.received.length > 1 && Math.random() < 0.05
          return new Response('', { status: fails ? 500 : 200 })
        }
        const kills = killAtRandom()
        for (let i = 0; i < EVENTS; i += 1) {
          // A creation whose answer was lost is repeated, and makes one invoice all the same.
          const externalRef = `webhook-${i}`
          await createInvoice(stack, { tokenSymbol: 'USDC', amountExpected: '10', externalRef })
          await Bun.sleep((KILLS * PAUSE_MS) / EVENTS)
        }
        const counted = await kills
        expect(counted).toBeGreaterThanOrEqual(KILLS)

        const rows = (await created()).filter(({ id }) => !before.has(id))
        await database.end()
        expect(rows).toHaveLength(EVENTS)
        const missing = () => {
          const arrived = new Set(receiver.received.map(({ id }) => id))
          return rows.filter(({ id }) => !arrived.has(id)).length
        }
        await eventually(
          async () => missing(),
          (count) => count === 0,
          90_000,
        )
        const bodies = Map.groupBy(receiver.received, ({ id }) => id)
        for (const [id, copies] of bodies) {
          expect({ id, bodies: new Set(copies.map(({ body }) => body)).size }).toEqual({
            id,
            bodies: 1,
          })
        }
        const webhook = new Webhook(secret.replace('test_', ''))
        for (const { body, headers } of receiver.received.slice(-20)) webhook.verify(body, headers)
        console.log({ events: EVENTS, kills: counted, webhooks: receiver.received.length })
      }),
      900_000,
    )
  })
}

/** Kills parts in random order until there were enough kills. Returns how many there were. */
async function killAtRandom(): Promise<number> {
  let counted = 0
  while (counted < KILLS) {
    await Bun.sleep(PAUSE_MS * (0.5 + Math.random()))
    const part = PARTS[Math.floor(Math.random() * PARTS.length)]
    if (part !== undefined && stack.kill(part)) counted += 1
  }
  return counted
}
