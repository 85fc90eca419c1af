import type { LinkUse, PaymentLink } from '../../core/checkout/link.ts'
import type {
  ChainPace,
  CheckoutRows,
  CheckoutSession,
  MerchantPage,
  Offer,
  SessionId,
  StoredLookup,
} from '../../core/checkout/session.ts'
import type { Invoice, Payment } from '../../core/invoice/state.ts'
import type { Database, Queryable } from '../database/database.ts'
import { gather } from '../database/gather.ts'
import { inOneSnapshot } from '../invoice/rows.ts'
import { readAuthorizations } from '../x402/invoiceClaims.ts'
import { usesOf } from './links.ts'

/** Reads what payers are shown. */

/** The newest payments that a view shows: dust must not make every view a megabyte. */
const PAYMENTS_SHOWN = 100
const LOOKUPS_SHOWN = 10

/** Reads everything of a session; null when there is none with this id. */
export type ReadCheckout = (sessionId: SessionId) => Promise<CheckoutRows | null>

/** Reads sessions; concurrent reads are batched. */
export function openCheckouts(database: Database): ReadCheckout {
  const read = gather<SessionId, { readonly rows: CheckoutRows | null }>({
    async work(sessionIds) {
      const found = await readCheckouts(database, [...new Set(sessionIds)])
      return sessionIds.map((id) => ({ rows: found.get(id) ?? null }))
    },
    isItemError: () => false,
  })
  return async (sessionId) => (await read(sessionId)).rows
}

interface ShownRow {
  readonly merchantName: string
  readonly pageName: string | null
  readonly logoId: string | null
  readonly accent: string | null
  readonly supportEmail: string | null
  readonly supportUrl: string | null
  readonly pageReturnUrl: string | null
  readonly allowedOrigins: readonly string[] | null
  readonly languages: readonly string[] | null
  readonly pageVersion: number | null
  readonly amount: string | null
  readonly currency: string | null
  readonly tokens: Offer['tokens'] | null
  readonly chains: readonly string[] | null
  readonly description: string | null
  readonly isOpen: boolean | null
  readonly priceVersion: number | null
}

type SessionRow = CheckoutSession &
  ShownRow & {
    readonly linkActive: boolean | null
    readonly linkEndsAt: Date | null
    readonly usesLimit: number | null
    readonly uses: number
  }

/** What a session shows of its merchant m, the merchant's page g and its price p. */
function shownColumns(sql: Queryable) {
  return sql`
    m.name as merchant_name, g.name as page_name, g.logo_id, g.accent,
    g.support_email, g.support_url, g.return_url as page_return_url, g.allowed_origins,
    g.languages, g.version as page_version,
    p.amount, p.currency, p.tokens, p.chains, p.description, p.version as price_version,
    p.active and p.deleted_at is null as is_open`
}

/** What a payer is shown of a link's price before a session begins; null when the price is deleted. */
export async function readOffer(
  sql: Queryable,
  { priceId }: Pick<PaymentLink, 'priceId'>,
): Promise<{
  readonly page: MerchantPage
  readonly offer: Offer
  readonly isReusable: boolean
} | null> {
  const [row] = await sql<(ShownRow & { readonly isReusable: boolean })[]>`
    select ${shownColumns(sql)}, p.is_reusable
    from price p join merchant m on m.id = p.merchant_id
    left join merchant_page g on g.merchant_id = p.merchant_id
    where p.id = ${priceId} and p.deleted_at is null`
  const offer = row ? offerOf(row) : null
  return row && offer ? { page: pageOf(row), offer, isReusable: row.isReusable } : null
}

type InSession<T> = T & { readonly sessionId: SessionId }

/** Everything of each of these sessions, all of one moment. */
async function readCheckouts(
  database: Database,
  sessionIds: readonly SessionId[],
): Promise<ReadonlyMap<SessionId, CheckoutRows>> {
  if (sessionIds.length === 0) return new Map()
  const ids = [...sessionIds]
  return inOneSnapshot(database, async (sql) => {
    const [sessions, invoices, payments, lookups, paces] = await Promise.all([
      sql<SessionRow[]>`
        select s.*, ${shownColumns(sql)}, l.active as link_active, l.ends_at as link_ends_at,
          l.uses_limit, case when l.uses_limit is null then 0 else ${usesOf(sql)} end as uses
        from checkout_session s
        join merchant m on m.id = s.merchant_id
        left join merchant_page g on g.merchant_id = s.merchant_id
        left join price p on p.id = s.price_id
        left join payment_link l on l.id = s.link_id
        where s.id = any(${ids})`,
      sql<InSession<Invoice>[]>`
        select i.*, o.session_id from checkout_session_invoice o join invoice i on i.id = o.invoice_id
        where o.session_id = any(${ids}) order by o.created_at, o.invoice_id`,
      sql<InSession<Payment>[]>`
        select newest.* from unnest(${ids}::text[]) as wanted (id)
        cross join lateral (
          select p.*, o.session_id
          from checkout_session_invoice o join payment p on p.invoice_id = o.invoice_id
          where o.session_id = wanted.id order by p.detected_order desc limit ${PAYMENTS_SHOWN}
        ) newest
        order by newest.detected_order`,
      sql<InSession<StoredLookup>[]>`
        select newest.* from unnest(${ids}::text[]) as wanted (id)
        cross join lateral (
          select session_id, hash, verdict, network_id, at from hash_lookup
          where session_id = wanted.id order by at desc, hash limit ${LOOKUPS_SHOWN}
        ) newest`,
      readPaces(sql),
    ])
    const invoicesOf = Map.groupBy(invoices, (row) => row.sessionId)
    const paymentsOf = Map.groupBy(payments, (row) => row.sessionId)
    const authorizations = await readAuthorizations(
      sql,
      invoices.map(({ id }) => id),
    )
    const lookupsOf = Map.groupBy(lookups, (row) => row.sessionId)
    return new Map(
      sessions.map((row): [SessionId, CheckoutRows] => {
        const own = invoicesOf.get(row.id) ?? []
        return [
          row.id,
          {
            session: row,
            page: pageOf(row),
            offer: offerOf(row),
            link: linkOf(row),
            invoices: own,
            payments: paymentsOf.get(row.id) ?? [],
            authorizations: authorizations.filter(({ invoiceId }) =>
              own.some(({ id }) => id === invoiceId),
            ),
            lookups: lookupsOf.get(row.id) ?? [],
            paces,
          },
        ]
      }),
    )
  })
}

/** How far each chain is. */
async function readPaces(sql: Queryable): Promise<ChainPace[]> {
  return sql<ChainPace[]>`
    select network_id, greatest(h.number, s.head) as head,
      coalesce(h.moved_at, s.head_moved_at, s.head_seen_at) as moved_at, s.projected_block
    from chain_state s left join chain_head h using (network_id)`
}

function pageOf(row: ShownRow): MerchantPage {
  return {
    name: row.pageName ?? row.merchantName,
    logoId: row.logoId,
    accent: row.accent,
    supportEmail: row.supportEmail,
    supportUrl: row.supportUrl,
    returnUrl: row.pageReturnUrl,
    allowedOrigins: row.allowedOrigins ?? [],
    languages: row.languages ?? [],
    version: row.pageVersion ?? 0,
  }
}

function linkOf({
  linkActive: active,
  linkEndsAt: endsAt,
  usesLimit,
  uses,
}: SessionRow): LinkUse | null {
  return active === null ? null : { active, endsAt, usesLimit, uses }
}

function offerOf({
  amount,
  currency,
  tokens,
  chains,
  description,
  isOpen,
  priceVersion,
}: ShownRow): Offer | null {
  if (amount === null || tokens === null || chains === null) return null
  const offer: Offer = {
    amount,
    currency,
    tokens,
    chains,
    description,
    isOpen: isOpen ?? false,
    version: priceVersion ?? 0,
  }
  return offer
}
