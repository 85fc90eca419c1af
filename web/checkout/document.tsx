import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { CheckoutMerchant } from '../../core/checkout/view.ts'
import { accentRules } from '../styles/accent.ts'

/** Where a page finds its files. */
export interface AssetUrls {
  url(name: 'checkout.js' | 'checkout.css'): string
}

interface HeadProps {
  readonly title: string
  readonly assets: AssetUrls
  readonly children?: ComponentChildren
}

/** What every page that payers see begins with. */
export function Head({ title, assets, children }: HeadProps) {
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

interface AccentProps {
  readonly merchant: Pick<CheckoutMerchant, 'accent'>
  /** Of the page's policy: unguessable, and new for each page. */
  readonly nonce: string
}

/** The merchant's colour, which the page's policy admits by its nonce. */
export function Accent({ merchant: { accent }, nonce }: AccentProps) {
  const rules = accent === null ? null : accentRules(accent)
  if (rules === null) return null
  return <style nonce={nonce} dangerouslySetInnerHTML={{ __html: rules }} />
}

export function document(html: Parameters<typeof renderToString>[0]): string {
  return `<!doctype html>${renderToString(html)}`
}
