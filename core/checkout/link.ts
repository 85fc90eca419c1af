import type { ErrorDetail } from '../base/errors.ts'
import type { MerchantId, PaymentLinkId, PriceId } from '../base/ids.ts'
import { INSTANT_FORM, iso, parseInstant } from '../base/instant.ts'

/** Payment links: a permanent address at which anyone can pay a price. */

export interface PaymentLink {
  readonly id: PaymentLinkId
  /** 16 random bytes in base64url. */
  readonly slug: string
  readonly merchantId: MerchantId
  readonly priceId: PriceId
  /** How many payments it takes; null for any number. */
  readonly usesLimit: number | null
  readonly endsAt: Date | null
  readonly active: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What decides whether a link still takes payers. */
export type LinkUse = Pick<UsedLink, 'active' | 'endsAt' | 'usesLimit' | 'uses'>

/** A link with how often it was paid, counted no further than its limit. */
export type UsedLink = PaymentLink & { readonly uses: number }

export const MAX_USES = 10_000
const SLUG = /^[A-Za-z0-9_-]{22}$/

export function isSlug(text: string): boolean {
  return SLUG.test(text)
}

/** The address to share with payers, and to print. */
export function linkUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/pay/${slug}`
}

/** Whether a link still takes payers. */
export function takesPayers({ active, endsAt, usesLimit, uses }: LinkUse, now: Date): boolean {
  return active && (endsAt === null || endsAt > now) && (usesLimit === null || uses < usesLimit)
}

/** A link as the API shows it to its merchant. */
export function presentLink(link: UsedLink, publicUrl: string, now: Date) {
  const { id, priceId, slug, usesLimit, uses, active } = link
  return {
    id,
    url: linkUrl(publicUrl, slug),
    price: priceId,
    usesLimit,
    uses,
    endsAt: iso(link.endsAt),
    active,
    open: takesPayers(link, now),
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
  }
}

/** What is wrong with the limits of a link. */
export function linkProblems({
  usesLimit = 1,
  endsAt,
}: {
  readonly usesLimit?: number | undefined
  readonly endsAt?: string | undefined
}): ErrorDetail[] {
  const isCount = Number.isInteger(usesLimit) && usesLimit >= 1 && usesLimit <= MAX_USES
  const isTime = endsAt === undefined || parseInstant(endsAt) !== null
  return [
    ...(isCount
      ? []
      : [{ path: 'usesLimit', message: `must be a whole number from 1 to ${MAX_USES}` }]),
    ...(isTime ? [] : [{ path: 'endsAt', message: INSTANT_FORM }]),
  ]
}
