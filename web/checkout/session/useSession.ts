import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { CheckoutView } from '../../../core/checkout/view.ts'
import { type Following, follow } from './follow.ts'
import { notifyParent, type PageEvent } from './parentWindow.ts'
import { type Answer, post, postSignature, type Signing } from './requests.ts'
import type { SignedTransfer } from './signedTransfer.ts'

export interface Session {
  readonly view: CheckoutView
  readonly isConnected: boolean
  /** The server's time, in milliseconds; moves on in a browser. Always the same function. */
  readonly timeNow: () => number
  /** Sends what the payer chose or entered, and shows what the session is afterwards. */
  act(...action: ActionOf): Promise<Answer>
  /** Sends what the payer signed, and shows what the session is afterwards. */
  sign(signed: SignedTransfer): Promise<Signing>
}

type ActionOf = [path: Parameters<typeof post>[1], body: Readonly<Record<string, string>>]

/** The session as it is, live. A view that is older than the one shown is never shown. */
export function useSession(first: CheckoutView): Session {
  const [view, setView] = useState(first)
  const [isConnected, setConnected] = useState(true)
  const timeNow = useServerClock(first.now)
  const following = useRef<Following | null>(null)

  useEffect(() => {
    following.current = follow(first.id, {
      onView: (next) => setView((shown) => (isNews(next, shown) ? next : shown)),
      onConnection: setConnected,
    })
    return () => following.current?.stop()
  }, [first.id])

  const { state, payment } = view
  useEffect(() => {
    if (isEvent(state)) notifyParent(state, payment?.reference)
  }, [state])

  async function act(...[path, body]: ActionOf) {
    const answer = await post(first.id, path, body)
    if (answer === 'ok') await following.current?.refresh()
    return answer
  }

  async function sign(signed: SignedTransfer) {
    const answer = await postSignature(first.id, signed)
    await following.current?.refresh()
    return answer
  }

  return { view, isConnected, timeNow, act, sign }
}

function isEvent(state: CheckoutView['state']): state is Exclude<PageEvent, 'closed' | 'alive'> {
  return state !== 'choosing' && state !== 'waiting'
}

/** Whether there is anything to draw in it: a stream begins with the view that the page was written with. */
function isNews(next: CheckoutView, shown: CheckoutView): boolean {
  if (next.version < shown.version) return false
  return JSON.stringify({ ...next, now: shown.now }) !== JSON.stringify(shown)
}

/** The server's clock, by how much time has gone by here since the page was written. */
function useServerClock(serverTime: string): () => number {
  const start = Date.parse(serverTime)
  const begun = useRef<number | null>(null)
  useEffect(() => {
    begun.current = performance.now()
  }, [start])
  return useCallback(
    () => start + (begun.current === null ? 0 : performance.now() - begun.current),
    [start],
  )
}
