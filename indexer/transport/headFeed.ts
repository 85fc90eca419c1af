import type { Server, ServerWebSocket } from 'bun'
import type { ActiveChain } from '../../core/config/processes.ts'
import { followHead, type HeadHeader, type HeadSource } from './headSource.ts'

/**
 * The heads of all chains as a WebSocket on this machine, like those of nodes, to which Ponder
 * subscribes. A node's own WebSocket Ponder would give up for good after a few refusals; it would not
 * notice that one fell silent, and on a quiet chain it would wait for the next block before it reads
 * the last one, which may hold a payment.
 */

interface Subscriber {
  readonly networkId: string
}

type Socket = ServerWebSocket<Subscriber>

const SUBSCRIPTION = '0x1'

/** Starts the feed. The answer gives the URL at which a chain's heads are announced. */
export function startHeadFeed(chains: readonly ActiveChain[]): (chain: ActiveChain) => string {
  const subscribers = new Map<string, Set<Socket>>()
  const sources = new Map<string, HeadSource>()
  for (const chain of chains) {
    const sockets = new Set<Socket>()
    const announceToAll = (header: HeadHeader) => {
      for (const socket of sockets) announce(socket, header)
    }
    subscribers.set(chain.networkId, sockets)
    sources.set(chain.networkId, followHead(chain, announceToAll))
  }

  const server: Server<Subscriber> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request, server) {
      const networkId = new URL(request.url).pathname.slice(1)
      const isTaken = sources.has(networkId) && server.upgrade(request, { data: { networkId } })
      return isTaken ? undefined : new Response(null, { status: 404 })
    },
    websocket: {
      message(socket, message) {
        const { networkId } = socket.data
        if (!String(message).includes('"eth_subscribe"')) return
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: SUBSCRIPTION }))
        subscribers.get(networkId)?.add(socket)
        // The present head at once, because the next block may take long. A node that doesn't
        // answer now is asked again soon in any case.
        sources
          .get(networkId)
          ?.poll()
          .catch(() => undefined)
      },
      close(socket) {
        subscribers.get(socket.data.networkId)?.delete(socket)
      },
    },
  })
  return (chain) => `ws://127.0.0.1:${server.port}/${chain.networkId}`
}

/** Ponder takes a block without a list of transactions for a header and fetches what it needs. */
function announce(socket: Socket, { transactions: _, ...header }: HeadHeader): void {
  const params = { subscription: SUBSCRIPTION, result: header }
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
}
