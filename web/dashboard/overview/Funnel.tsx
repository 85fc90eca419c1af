import { Shares } from '../parts/Bars.tsx'
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
  const percent = new Intl.NumberFormat(words.locale, { style: 'percent' })
  return (
    <section class="card" aria-labelledby="funnel">
      <h2 id="funnel">{words.say('funnel')}</h2>
      <Shares
        rows={steps.map(([word, value]) => ({
          ...{ name: words.say(word), value },
          shown: (
            <>
              {value} <small class="hint">{percent.format(value / open.created)}</small>
            </>
          ),
        }))}
      />
    </section>
  )
}
