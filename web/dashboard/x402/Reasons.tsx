import type { Reason } from './figures.ts'

interface ReasonsProps {
  readonly reasons: readonly Reason[]
  /** What is said when there is none. */
  readonly none: string
}

/** Why something was refused, in the words that callers get, and how often. */
export function Reasons({ reasons, none }: ReasonsProps) {
  if (reasons.length === 0) return <p class="hint">{none}</p>
  return (
    <dl>
      {reasons.map(({ reason, count }) => (
        <div key={reason}>
          <dt class="long">
            <code>{reason}</code>
          </dt>
          <dd class="figure">{count}</dd>
        </div>
      ))}
    </dl>
  )
}
