import { afterEach, expect, test } from 'bun:test'
import { subscribeToHeads } from '../../indexer/transport/headSubscription.ts'
import { eventually } from '../support/servers/devStack.ts'
import { type SilentProxy, startSilentProxyFor } from '../support/servers/silentProxy.ts'

/** The WebSocket of a node that falls silent, or takes connections and says nothing at all. */

const SILENCE_MS = 300

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close()
})

/** A node whose chain stands still: it answers, and announces nothing. */
function quietNode() {
  let subscriptions = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null)),
    websocket: {
      message(socket, message) {
        const { id, method } = JSON.parse(String(message))
        if (method === 'eth_subscribe') subscriptions += 1
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }))
      },
    },
  })
  closing.push(() => void server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, subscriptions: () => subscriptions }
}

function subscribe(proxy: SilentProxy, url: string) {
  const ws = proxy.through(url).replace('http', 'ws')
  const subscription = subscribeToHeads(ws, 'base-sepolia', () => {}, SILENCE_MS)
  closing.push(() => subscription.close())
  return subscription
}

test('a subscription that is silent is made again, on a chain that stands still as well', async () => {
  const node = quietNode()
  const proxy = startSilentProxyFor(node.url)
  closing.push(() => proxy.stop())
  const subscription = subscribe(proxy, node.url)
  await eventually(
    async () => subscription.isUp(),
    (isUp) => isUp,
  )
  // A chain that stands still is no fault of the connection.
  await Bun.sleep(4 * SILENCE_MS)
  expect([subscription.isUp(), node.subscriptions()]).toEqual([true, 1])
  proxy.silence()
  await eventually(
    async () => subscription.isUp(),
    (isUp) => !isUp,
  )
  const tries = proxy.connections
  await eventually(
    async () => proxy.connections,
    (made) => made > tries + 1,
  )
  proxy.speak()
  await eventually(
    async () => subscription.isUp(),
    (isUp) => isUp,
  )
  expect(node.subscriptions()).toBeGreaterThan(1)
})
