import type { CheckoutView } from '../../core/checkout/view.ts'
import { messagesIn } from '../messages/languages.ts'
import { directionOf, type Locale } from '../messages/locale.ts'
import { createWords } from '../messages/words.ts'
import { Checkout } from './Checkout.tsx'
import { Accent, type AssetUrls, document, Head } from './document.tsx'
import { drawCode } from './parts/drawCode.ts'
import type { Carried, CheckoutProps, Problem } from './session/props.ts'
import { requestedAddress } from './session/selection.ts'

export interface PageOptions {
  readonly locale: Locale
  /** The languages that are offered. */
  readonly locales: readonly Locale[]
  readonly assets: AssetUrls
  /** The one origin that may show the page in a frame and hears of it; null for none. */
  readonly parent: string | null
  /** Admits the merchant's colour: the nonce of the page's policy, unguessable and new for each page. */
  readonly nonce: string
  readonly network?: string | null
  readonly isChoosing?: boolean
  readonly problem?: Problem | null
  readonly receipt?: CheckoutProps['receipt']
  /** What the page's own links carry on; by default only its parent. */
  readonly lang?: string | null
}

/** The page of a session as HTML: whole without JavaScript, and brought to life by it. */
export function renderCheckout(view: CheckoutView, options: PageOptions): string {
  const { locale, assets, parent, nonce, network = null, isChoosing = false } = options
  const messages = messagesIn(locale)
  const carried: Carried = { lang: options.lang ?? null, parent }
  const to = requestedAddress(view, network, isChoosing)
  const props: CheckoutProps = {
    view,
    locale,
    locales: options.locales,
    messages,
    network,
    isChoosing,
    problem: options.problem ?? null,
    receipt: options.receipt ?? null,
    code: to && drawCode(to.address),
    carried,
  }
  const title = createWords(messages, locale).say('title', { merchant: view.merchant.name })
  return document(
    <html lang={locale} dir={directionOf(locale)}>
      <Head title={title} assets={assets}>
        <script type="module" src={assets.url('checkout.js')} />
        <Accent merchant={view.merchant} nonce={nonce} />
      </Head>
      <body data-parent={parent ?? false}>
        <div id="checkout">
          <Checkout {...props} />
        </div>
        <script
          type="application/json"
          id="session"
          dangerouslySetInnerHTML={{ __html: JSON.stringify(props).replaceAll('<', '\\u003c') }}
        />
      </body>
    </html>,
  )
}
