import { useEffect, useState } from 'preact/hooks'
import type { CheckoutView } from '../../core/checkout/view.ts'
import { usePage } from './parts/context.ts'
import { Filled } from './parts/Filled.tsx'
import { Moment } from './parts/Moment.tsx'

interface DeadlineProps {
  readonly view: CheckoutView
  /** The server's time, in milliseconds. */
  readonly timeNow: () => number
}

const QUARTER_MS = 900_000

/** Until when to pay; the time that is left is counted in the last quarter of an hour only. */
export function Deadline({ view: { expiresAt }, timeNow }: DeadlineProps) {
  const { words } = usePage()
  const now = useTicks(timeNow)
  if (expiresAt === null) return null
  const left = Date.parse(expiresAt) - now
  const isLastQuarter = left <= QUARTER_MS
  return (
    <p class="deadline">
      <Filled text="payBy" name="time">
        <Moment at={expiresAt} />
      </Filled>
      {isLastQuarter && left > 0 && (
        <b role="timer">{words.say('timeLeft', { time: clock(left) })}</b>
      )}
    </p>
  )
}

/** The time in steps of a second. */
function useTicks(timeNow: () => number): number {
  const [now, setNow] = useState(timeNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(timeNow()), 1_000)
    return () => clearInterval(timer)
  }, [timeNow])
  return now
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return [Math.floor(seconds / 60), seconds % 60].map((n) => String(n).padStart(2, '0')).join(':')
}
