import type { ListedRefundJson } from '../../../core/refund/listedRefund.ts'
import { shortHash } from '../parts/Hash.tsx'
import { moneyOrDash } from '../parts/moneyOrDash.ts'
import type { DashboardWords } from '../parts/page.ts'
import { placePath, placesFor } from '../parts/places.ts'
import type { Me } from '../session/me.ts'

/** What the search of all pages finds, as links. */

type Word = Parameters<DashboardWords['say']>[0]

/** What the API finds. */
export interface FoundJson {
  readonly invoices: readonly {
    readonly invoiceId: string
    readonly reference: string
    readonly externalRef: string | null
    readonly amountExpected: string
    readonly tokenSymbol: string
    readonly kind: string
  }[]
  readonly refunds: readonly ListedRefundJson[]
  readonly objects: readonly {
    readonly kind: ObjectKind
    readonly id: string
    readonly title: string
    readonly about: string | null
  }[]
}

type ObjectKind =
  | 'payment_link'
  | 'webhook_endpoint'
  | 'event'
  | 'x402_endpoint'
  | 'x402_payment'
  | 'x402_payer'
  | 'customer'

/** What the kinds are called. */
export const KINDS = {
  page: 'findPage',
  invoice: 'invoice',
  refund: 'findRefund',
  payment_link: 'paymentLink',
  webhook_endpoint: 'findEndpoint',
  event: 'devEventId',
  x402_endpoint: 'findX402Endpoint',
  x402_payment: 'x402Payment',
  x402_payer: 'findX402Payer',
  customer: 'findCustomer',
} as const satisfies Record<ObjectKind | 'page' | 'invoice' | 'refund', Word>

export interface FoundLink {
  readonly kind: keyof typeof KINDS
  readonly title: string
  readonly hint?: string
  readonly href: string
}

/** What was found of a text, the most exact first, and all payments of a payer where an address was searched for. */
export function linksOf(
  words: DashboardWords,
  merchantId: string,
  text: string,
  { invoices, refunds, objects }: FoundJson,
): FoundLink[] {
  const payer = invoices.find(({ kind }) => kind === 'payer')
  const customer: FoundLink[] = payer
    ? [{ kind: 'customer', title: text.trim(), href: listOf(merchantId, text) }]
    : []
  return [
    ...customer,
    ...objects.map(({ kind, id, title, about }) => ({
      kind,
      title: /^0x[0-9a-f]{40}$/.test(title) ? shortHash(title) : title,
      href: hrefOf(merchantId, { kind, id, title, about }),
    })),
    ...refunds.map((refund) => ({
      kind: 'refund' as const,
      title: moneyOrDash(words, refund.amount, refund.asset),
      ...(refund.invoiceRef === null ? {} : { hint: refund.invoiceRef }),
      href:
        refund.invoiceId === null
          ? placePath(merchantId, 'refunds')
          : placePath(merchantId, 'invoices', refund.invoiceId),
    })),
    ...invoices.map(({ invoiceId, reference, externalRef, amountExpected, tokenSymbol }) => ({
      kind: 'invoice' as const,
      title: `${reference} · ${words.money(amountExpected, tokenSymbol)}`,
      ...(externalRef === null ? {} : { hint: externalRef }),
      href: placePath(merchantId, 'invoices', invoiceId),
    })),
  ]
}

/** The list of invoices, searched for this text. */
export function listOf(merchantId: string, text: string): string {
  return `${placePath(merchantId, 'invoices')}?${new URLSearchParams({ q: text.trim() })}`
}

function hrefOf(
  merchantId: string,
  { kind, id, title, about }: FoundJson['objects'][number],
): string {
  const at = (place: Parameters<typeof placePath>[1], rest: string, query = {}) =>
    `${placePath(merchantId, place, rest)}?${new URLSearchParams(query)}`.replace(/\?$/, '')
  switch (kind) {
    case 'event':
      return at('developers', 'events', { objectId: about ?? '', event: id })
    case 'webhook_endpoint':
      return at('developers', `webhooks/${id}`)
    case 'payment_link':
      return at('invoices', 'links')
    case 'x402_endpoint':
      return at('x402', '')
    case 'x402_payment':
    case 'x402_payer':
      return at('x402', 'payments', { payer: title })
    case 'customer':
      return listOf(merchantId, `${about}=${id}`)
  }
}

/** Pages below those of the navigation, each with the page that a role must see. */
const BELOW = [
  ['newInvoice', 'invoices', 'new'],
  ['links', 'invoices', 'links'],
  ['devKeys', 'developers', ''],
  ['devWebhooks', 'developers', 'webhooks'],
  ['devEvents', 'developers', 'events'],
  ['devRequests', 'developers', 'requests'],
  ['devQuickStart', 'developers', 'quick-start'],
  ['payoutAddress', 'settings', ''],
  ['settingsCheckout', 'settings', 'checkout'],
  ['policyTitle', 'settings', 'approvals'],
] as const satisfies readonly (readonly [Word, Parameters<typeof placePath>[1], string])[]

/** The pages whose name has this text. */
export function pagesNamed(
  words: DashboardWords,
  { merchants }: Me,
  merchantId: string,
  isSandbox: boolean,
  text: string,
): FoundLink[] {
  const role = merchants.find((merchant) => merchant.merchantId === merchantId)?.role
  if (role === undefined || text.trim() === '') return []
  const places = placesFor(role, isSandbox).flat()
  const pages = [
    ...places.map((place) => ({ name: words.say(place), href: placePath(merchantId, place) })),
    ...BELOW.filter(([, place]) => places.includes(place)).map(([word, place, rest]) => ({
      name: words.say(word),
      href: placePath(merchantId, place, rest),
    })),
    { name: words.say('security'), href: '/dashboard/security' },
  ]
  const wanted = text.trim().toLocaleLowerCase(words.locale)
  return pages
    .filter(({ name }) => name.toLocaleLowerCase(words.locale).includes(wanted))
    .map(({ name, href }) => ({ kind: 'page', title: name, href }))
}
