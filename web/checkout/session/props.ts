import type { CheckoutView } from '../../../core/checkout/view.ts'
import type { Messages } from '../../messages/en.ts'
import type { Locale } from '../../messages/locale.ts'
import type { DrawnCode } from '../parts/drawCode.ts'

/** What a form that was sent without JavaScript had to say, by the name it has in the page's address. */
export const PROBLEMS = ['hash', 'refund', 'receipt', 'often', 'again'] as const
export type Problem = (typeof PROBLEMS)[number]

/** The server renders the page from these; they are sent with it, so that the browser continues from there. */
export interface CheckoutProps {
  readonly view: CheckoutView
  readonly locale: Locale
  readonly locales: readonly Locale[]
  readonly messages: Messages
  /** The network that the payer sends on, by its networkId; null as long as that is open. */
  readonly network: string | null
  /** Whether the payer is choosing again. */
  readonly isChoosing: boolean
  readonly problem: Problem | null
  /** Whether a receipt can be sent by email, or was; null where this server sends none. */
  readonly receipt: 'possible' | 'sent' | null
  /** The QR code of the first address, so that the browser doesn't render it again. */
  readonly code: DrawnCode | null
  /** What the page's own links and forms carry on: the query without what they set themselves. */
  readonly carried: Carried
}

/** Parts of the page's address that stay through links, forms and languages. */
export interface Carried {
  readonly lang: string | null
  readonly parent: string | null
}

/** The page's own address, or one of its forms, with everything that is to stay. */
export function pageUrl(
  id: string,
  carried: Carried,
  {
    path = '',
    ...more
  }: { readonly path?: string; readonly [name: string]: string | undefined } = {},
): string {
  const query = new URLSearchParams()
  const all = { lang: carried.lang, parent: carried.parent, ...more }
  for (const [name, value] of Object.entries(all)) if (value) query.set(name, value)
  const search = query.toString()
  return `/checkout/${id}${path}${search === '' ? '' : `?${search}`}`
}
