import type { OfferView } from '../../core/checkout/present.ts'
import { messagesIn } from '../messages/languages.ts'
import { directionOf, type Locale } from '../messages/locale.ts'
import { createWords } from '../messages/words.ts'
import { Accent, type AssetUrls, document, Head } from './document.tsx'
import { Header } from './Header.tsx'
import { Page } from './parts/context.ts'

export interface StartOptions {
  readonly locale: Locale
  readonly assets: AssetUrls
  readonly offer: OfferView
  /** Where the form is sent, on this server. */
  readonly action: string
  /** Admits the merchant's colour. */
  readonly nonce: string
}

/**
 * The page of a payment link before anything begins: who is paid, how much, and a button. Scanners of emails and
 * previews of chats open links, too, and must not start a payer's time to pay.
 */
export function renderStart({ locale, assets, offer, action, nonce }: StartOptions): string {
  const words = createWords(messagesIn(locale), locale)
  const merchant = offer.merchant.name
  return document(
    <html lang={locale} dir={directionOf(locale)}>
      <Head title={words.say('title', { merchant })} assets={assets}>
        <Accent merchant={offer.merchant} nonce={nonce} />
      </Head>
      <body>
        <div id="checkout">
          <Page.Provider value={{ words, merchant, isAlive: false, announce: () => {} }}>
            <Header view={offer} />
            <main>
              <form method="post" action={action}>
                <button type="submit" class="button main wide">
                  {words.say('proceed')}
                </button>
              </form>
            </main>
          </Page.Provider>
        </div>
      </body>
    </html>,
  )
}
