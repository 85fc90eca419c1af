import { useEffect, useRef, useState } from 'preact/hooks'
import type { CheckoutView } from '../../../core/checkout/view.ts'
import { type Following, follow } from './follow.ts'
import { type PageEvent, tellParent } from './parentWindow.ts'
import { type Answer, post } from './requests.ts'

export interface Session {
  readonly view: CheckoutView
  readonly isAlive: boolean
  readonly isConnected: boolean
  /** The server's time, in milliseconds; moves on while the page is alive. */
  readonly now: number
  /** Sends what the payer chose or entered, and shows what the session is afterwards. */
  act(...action: ActionOf): Promise<Answer>
}

type ActionOf = [path: Parameters<typeof post>[1], body: Readonly<Record<string, string>>]

/** The session as it is, live. A view that is older than the one shown is never shown. */
export function useSession(first: CheckoutView): Session {
  const [view, setView] = useState(first)
  const [isAlive, setAlive] = useState(false)
  const [isConnected, setConnected] = useState(true)
  const now = useServerClock(first.now)
  const following = useRef<Following | null>(null)

  useEffect(() => {
    setAlive(true)
    following.current = follow(first.id, {
      onView: (next) => setView((shown) => (next.version < shown.version ? shown : next)),
      onConnection: setConnected,
    })
    return () => following.current?.stop()
  }, [first.id])

  const { state, payment } = view
  useEffect(() => {
    if (isEvent(state)) tellParent(state, payment?.reference)
  }, [state])

  async function act(...[path, body]: ActionOf) {
    const answer = await post(first.id, path, body)
    if (answer === 'ok') await following.current?.refresh()
    return answer
  }

  return { view, isAlive, isConnected, now, act }
}

function isEvent(state: CheckoutView['state']): state is Exclude<PageEvent, 'closed'> {
  return state !== 'choosing' && state !== 'waiting'
}

/** The server's clock, by how much time has gone by here since the page was written. */
function useServerClock(serverTime: string): number {
  const start = Date.parse(serverTime)
  const [now, setNow] = useState(start)
  useEffect(() => {
    const begun = performance.now()
    const timer = setInterval(() => setNow(start + performance.now() - begun), 1_000)
    return () => clearInterval(timer)
  }, [start])
  return now
}
