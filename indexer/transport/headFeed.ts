import type { Server, ServerWebSocket } from 'bun'
import { openChain } from '../../chain/rpc/client.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { readChainRecord } from '../../store/chain/state.ts'
import type { Database } from '../../store/database/database.ts'
import { openAnnouncer } from './announcer.ts'
import { followHead, type HeadSource } from './headSource.ts'
import type { RawHeader } from './rawHeader.ts'

/**
 * The heads of all chains, for every process: workers find them in Postgres, and Ponder at a WebSocket
 * on this machine like those of nodes. A node's own WebSocket Ponder would give up for good after a few
 * refusals; it would not notice that one fell silent, and on a quiet chain it would wait for the next
 * block before it reads the last one, which may hold a payment.
 */
export interface HeadFeed {
  /** The URL at which Ponder subscribes to a chain's heads. */
  url(chain: ActiveChain): string
  /** The header of a block that was announced lately; null for any other. */
  headerOf(chain: ActiveChain, hash: string): RawHeader | null
}

interface Subscriber {
  readonly networkId: string
}

type Socket = ServerWebSocket<Subscriber>

const SUBSCRIPTION = '0x1'

/** Starts the feed. */
export function startHeadFeed(
  chains: readonly ActiveChain[],
  database: Database,
  silenceMs: number,
): HeadFeed {
  const subscribers = new Map<string, Set<Socket>>()
  const sources = new Map<string, HeadSource>()
  for (const chain of chains) {
    const sockets = new Set<Socket>()
    const announce = openAnnouncer(database, chain.networkId)
    subscribers.set(chain.networkId, sockets)
    const client = openChain(chain)
    const source = followHead(
      client,
      (header, nodes) => {
        for (const socket of sockets) send(socket, header)
        announce(header, nodes)
      },
      async () => {
        const record = await readChainRecord(database, chain.networkId, chain.finalityDepth)
        await client.identify(record.genesis, record.anchor)
      },
      silenceMs,
    )
    sources.set(chain.networkId, source)
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
        // answer now is polled again soon in any case.
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
  return {
    url: (chain) => `ws://127.0.0.1:${server.port}/${chain.networkId}`,
    headerOf: (chain, hash) => sources.get(chain.networkId)?.headerOf(hash) ?? null,
  }
}

/** Ponder takes a block without a list of transactions for a header and fetches what it needs. */
function send(socket: Socket, header: RawHeader): void {
  const params = { subscription: SUBSCRIPTION, result: header }
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
}
