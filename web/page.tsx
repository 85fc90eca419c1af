import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { CheckoutView } from '../core/checkout/view.ts'
import { Checkout } from './checkout/Checkout.tsx'
import type { Carried, CheckoutProps, Problem } from './checkout/session/props.ts'
import { messagesIn } from './language/languages.ts'
import { directionOf, type Locale } from './language/locale.ts'
import { createWords } from './language/words.ts'
import { accentRules } from './styles/accent.ts'

/** Where a page finds its files. */
export interface AssetUrls {
  url(name: 'checkout.js' | 'checkout.css'): string
}

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
  /** What the page's own links carry on; by default only its parent. */
  readonly lang?: string | null
}

/** The page of a session as HTML: whole without JavaScript, and brought to life by it. */
export function renderCheckout(view: CheckoutView, options: PageOptions): string {
  const { locale, assets, parent, nonce } = options
  const messages = messagesIn(locale)
  const carried: Carried = { lang: options.lang ?? null, parent }
  const props: CheckoutProps = {
    view,
    locale,
    locales: options.locales,
    messages,
    network: options.network ?? null,
    isChoosing: options.isChoosing ?? false,
    problem: options.problem ?? null,
    carried,
  }
  const title = createWords(messages, locale).say('title', { merchant: view.merchant.name })
  const accent = view.merchant.accent === null ? null : accentRules(view.merchant.accent)
  return document(
    <html lang={locale} dir={directionOf(locale)}>
      <Head title={title} assets={assets}>
        <script type="module" src={assets.url('checkout.js')} />
        {accent && <style nonce={nonce} dangerouslySetInnerHTML={{ __html: accent }} />}
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

/** The page where there is none: says what to do, and that money is not lost. */
export function renderNotFound({ locale, assets }: Pick<PageOptions, 'locale' | 'assets'>): string {
  const words = createWords(messagesIn(locale), locale)
  return document(
    <html lang={locale} dir={directionOf(locale)}>
      <Head title={words.say('lostTitle')} assets={assets} />
      <body>
        <main class="lost">
          <h1>{words.say('lostTitle')}</h1>
          <p>{words.say('lostNext')}</p>
        </main>
      </body>
    </html>,
  )
}

interface HeadProps {
  readonly title: string
  readonly assets: AssetUrls
  readonly children?: ComponentChildren
}

function Head({ title, assets, children }: HeadProps) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <meta name="format-detection" content="telephone=no" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={assets.url('checkout.css')} />
      {children}
    </head>
  )
}

function document(html: Parameters<typeof renderToString>[0]): string {
  return `<!doctype html>${renderToString(html)}`
}
