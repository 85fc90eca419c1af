import { type QueryClient, useQueryClient } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { merchantApi } from './request.ts'

/**
 * Live updates of a merchant's pages: the server reports what has changed, and the page reads it again. A
 * hidden page closes its connection; without a connection, pages poll.
 */

/** How long to wait after a refusal, in ms. */
const AGAIN_MS = 30_000
/** A connection outlives its page for so long, in ms: the next page of the same merchant takes it over. */
const LINGER_MS = 1_000
/** How often what may change is read again, in ms: seldom where changes are announced. */
const POLL_MS = 5_000
const CONNECTED_POLL_MS = 60_000

interface Connection {
  readonly merchantId: string
  close(): void
}

let connection: Connection | null = null
let lingering: ReturnType<typeof setTimeout> | undefined
let isConnected = false
const blockListeners = new Set<(networkId: string) => void>()

/** A query's polling interval in ms. */
export const pollInterval = () => (isConnected ? CONNECTED_POLL_MS : POLL_MS)

/** Follows a merchant while one of its pages is shown. */
export function useLive(merchantId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    clearTimeout(lingering)
    if (connection?.merchantId !== merchantId) {
      connection?.close()
      connection = connect(client, merchantId)
    }
    return () => {
      lingering = setTimeout(() => {
        connection?.close()
        connection = null
      }, LINGER_MS)
    }
  }, [client, merchantId])
}

function connect(client: QueryClient, merchantId: string): Connection {
  let source: EventSource | null = null
  let again: ReturnType<typeof setTimeout> | undefined

  function open(): void {
    clearTimeout(again)
    if (source !== null || document.hidden) return
    const opened = new EventSource(merchantApi(merchantId, '/v1/live'))
    source = opened
    opened.addEventListener('open', () => {
      isConnected = true
      // Something may have changed while there was no connection.
      refresh(client, merchantId, null)
    })
    opened.addEventListener('change', ({ data }) => refresh(client, merchantId, JSON.parse(data)))
    opened.addEventListener('block', ({ data }) => {
      for (const hear of blockListeners) hear(data)
    })
    opened.addEventListener('error', () => {
      isConnected = false
      // Refused: the browser does not reconnect automatically.
      if (opened.readyState !== EventSource.CLOSED) return
      leave()
      again = setTimeout(open, AGAIN_MS)
    })
  }
  function leave(): void {
    clearTimeout(again)
    source?.close()
    source = null
    isConnected = false
  }
  const updateConnection = () => (document.hidden ? leave() : open())
  document.addEventListener('visibilitychange', updateConnection)
  open()
  return {
    merchantId,
    close() {
      document.removeEventListener('visibilitychange', updateConnection)
      leave()
    },
  }
}

/** Calls with the network of each new block. */
export function useBlocks(hear: (networkId: string) => void): void {
  useEffect(() => {
    blockListeners.add(hear)
    return () => {
      blockListeners.delete(hear)
    }
  }, [hear])
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Has what is on the screen read again. The keys of queries begin with what they are and whose; those of
 * one object end with its id, and are left alone when only others have changed.
 */
function refresh(client: QueryClient, merchantId: string, ids: readonly string[] | null): void {
  void client.invalidateQueries({
    predicate({ queryKey: [, owner, object] }) {
      if (owner !== merchantId) return false
      if (ids === null || typeof object !== 'string' || !UUID.test(object)) return true
      return ids.includes(object)
    },
  })
}
