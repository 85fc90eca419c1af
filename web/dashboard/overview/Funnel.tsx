import { usePage } from '../parts/page.ts'
import type { Overview } from '../session/overview.ts'

/** How many of the invoices of these days were paid, and how many are settled. */
export function Funnel({ overview: { open } }: { readonly overview: Overview }) {
  const { words } = usePage()
  if (open.created === 0) return null
  const steps = [
    ['created', open.created],
    ['paid', open.paid + open.completed],
    ['completed', open.completed],
  ] as const
  return (
    <section class="card" aria-labelledby="funnel">
      <h2 id="funnel">{words.say('funnel')}</h2>
      <ul class="funnel">
        {steps.map(([word, n]) => (
          <li key={word}>
            <span>{words.say(word)}</span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(n / open.created) * 100} height="1" />
            </svg>
            <span class="figure">
              {n}{' '}
              <small class="hint">
                {new Intl.NumberFormat(words.locale, { style: 'percent' }).format(n / open.created)}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
