import { type Action, PERMISSIONS, type Permission, type Role } from '../../../core/access/roles.ts'

/** The pages of a merchant: their paths, and the roles that see them in the navigation. */

/** Groups of the navigation, in its order. On a phone the first stays in sight. */
export const MERCHANT_PLACES = [
  ['overview', 'invoices', 'recoveries'],
  ['refunds', 'settlements', 'x402', 'reports'],
  ['developers', 'sandbox'],
  ['settings', 'members', 'audit'],
] as const

/** A page of a merchant, by the part of the path that it begins with. */
export type MerchantPlace = (typeof MERCHANT_PLACES)[number][number]

/** What every page of a merchant is given. */
export interface PlaceProps {
  readonly merchantId: string
  readonly role: Role
  /** What the path has below the page's own, e.g. the id of an invoice; empty for the page itself. */
  readonly rest: string
}

/** What a page can't do without, where not every role may read it. */
const READS: Partial<Record<MerchantPlace, Action>> = { audit: 'listAuditEntries' }

/** The path of a merchant's page. */
export function placePath(merchantId: string, place: MerchantPlace, rest = ''): string {
  return `/dashboard/merchants/${merchantId}/${place}${rest && `/${rest}`}`
}

/** The pages that this role has something to do on, in groups. */
export function placesFor(role: Role, isSandbox: boolean): readonly (readonly MerchantPlace[])[] {
  return MERCHANT_PLACES.map((group) =>
    group.filter((place) => {
      const action = READS[place]
      const needed: Permission | null = action === undefined ? null : PERMISSIONS[action]
      return (needed?.roles.includes(role) ?? true) && (isSandbox || place !== 'sandbox')
    }),
  )
}
