import { messagesIn } from '../messages/languages.ts'
import { directionOf, type Locale } from '../messages/locale.ts'
import { REFUSALS } from '../messages/refusals.ts'
import { createWords } from '../messages/words.ts'
import { type AssetUrls, document, Head } from './document.tsx'

/** Why there is no session to show: none is there, its link is over, too many visits, a fault of ours. */
export type Refusal = 'lost' | 'ended' | 'often' | 'away'

export interface RefusalOptions {
  readonly locale: Locale
  readonly assets: AssetUrls
  readonly refusal: Refusal
  /** Seconds until another try can succeed. */
  readonly waitSeconds: number
  /** Where to try again, on this server; null where that would change nothing. */
  readonly again: string | null
}

/** A page in place of a session's: says what to do, and that money is not lost. It names no merchant. */
export function renderRefusal(options: RefusalOptions): string {
  const { locale, assets, refusal, waitSeconds, again } = options
  const words = createWords({ ...messagesIn(locale), ...REFUSALS[locale] }, locale)
  const title = words.say(`${refusal}Title`)
  return document(
    <html lang={locale} dir={directionOf(locale)}>
      <Head title={title} assets={assets} />
      <body>
        <main class="lost">
          <h1>{title}</h1>
          <p>{words.say(`${refusal}Next`, { time: words.duration(waitSeconds) })}</p>
          {again !== null && (
            <a class="button" href={again}>
              {words.say('again')}
            </a>
          )}
        </main>
      </body>
    </html>,
  )
}
