import type { CheckoutView } from '../../../core/checkout/view.ts'
import { isView, readView } from './requests.ts'

interface Follower {
  readonly onView: (view: CheckoutView) => void
  readonly onConnection: (isConnected: boolean) => void
}

/** What follows a session: `refresh` reads it at once. */
export interface Following {
  refresh(): Promise<void>
  stop(): void
}

const FIRST_POLL_MS = 3_000
const LAST_POLL_MS = 30_000

/**
 * Receives every change by server-sent events. While that stream is broken it polls, ever less often, until
 * the browser has opened the stream again.
 */
export function follow(id: string, { onView, onConnection }: Follower): Following {
  let stream: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = FIRST_POLL_MS

  function open() {
    stream = new EventSource(`/v1/checkout/sessions/${encodeURIComponent(id)}/events`)
    stream.addEventListener('open', connected)
    stream.addEventListener('error', () => {
      timer ??= setTimeout(poll, pause)
    })
    stream.addEventListener('view', ({ data }) => {
      connected()
      const view: unknown = JSON.parse(String(data))
      if (isView(view)) onView(view)
    })
  }

  function connected() {
    clearTimeout(timer)
    timer = undefined
    pause = FIRST_POLL_MS
    onConnection(true)
  }

  async function refresh() {
    try {
      onView(await readView(id))
      onConnection(true)
    } catch {
      onConnection(false)
    }
  }

  async function poll() {
    await refresh()
    if (timer === undefined) return
    pause = Math.min(pause * 1.5, LAST_POLL_MS)
    timer = setTimeout(poll, pause)
    // A browser gives a stream up for good when the answer was no stream.
    if (stream.readyState === EventSource.CLOSED) {
      stream.close()
      open()
    }
  }

  // A phone that wakes up has heard nothing meanwhile.
  const wake = () => document.visibilityState === 'visible' && refresh()
  document.addEventListener('visibilitychange', wake)
  open()
  return {
    refresh,
    stop() {
      stream.close()
      clearTimeout(timer)
      timer = undefined
      document.removeEventListener('visibilitychange', wake)
    },
  }
}
