import { type Refusal, refuse } from '../../core/base/errors.ts'
import type { PaymentLinkId } from '../../core/base/ids.ts'
import { mostOfNetwork } from '../../core/base/network.ts'
import { takesPayers } from '../../core/checkout/link.ts'
import type { CheckoutSession } from '../../core/checkout/session.ts'
import type { Transaction } from '../database/database.ts'
import { findLinkById } from './links.ts'

/** Limits of invoices that payers create: each has an address that is watched forever. */

/** More choices than a payer who can't decide would make. */
const MAX_CHOICES = 10
/** Whose choice it is, and how many unpaid invoices may have been chosen within a day. */
export interface UnpaidBounds {
  /** Of one merchant. */
  readonly unpaidPerDay: number
  /** Of those, from one client, or from another network that is one customer's; twice as many from a wider one. */
  readonly unpaidPerClient: number
  /** Name the networks of the client, the narrowest first, as `SessionNames` does. */
  readonly networkTags: readonly string[]
}

/** One part in so many is kept for networks without an unpaid invoice: others can't use up all of it. */
const RESERVE = 10

const DAY_MS = 86_400_000

/** Why a session may have no further invoice; null when it may. */
export async function limitReached(
  sql: Transaction,
  session: CheckoutSession,
  { unpaidPerDay, unpaidPerClient, networkTags }: UnpaidBounds,
  now: Date,
): Promise<Refusal | null> {
  const [choices] = await sql<{ count: number }[]>`
    select count(*)::integer as count from checkout_session_invoice
    where session_id = ${session.id}`
  if ((choices?.count ?? 0) >= MAX_CHOICES) {
    const message = `the token was chosen ${MAX_CHOICES} times: pay with the last one`
    return refuse('choice_not_possible', [{ path: '', message }])
  }
  if (session.linkId !== null && !(await linkTakesPayers(sql, session.linkId, now))) {
    return refuse('choice_not_possible', [
      {
        path: '',
        message: 'the link takes no more payments: request another one from the merchant',
      },
    ])
  }
  // Concurrent choices at this merchant wait for this one, and then count it.
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`choices ${session.merchantId}`}, 0))`
  const since = new Date(now.getTime() - DAY_MS)
  // Counted no further than the limit, however many there are.
  const [unpaid] = await sql<{ ofMerchant: number; ofNetworks: number[] }[]>`
    with counted as (
      select array_prepend(client_tag, coalesce(network_tags, '{}')) as tags
      from checkout_session_invoice
      where merchant_id = ${session.merchantId} and created_at > ${since}
        and by_payer and paid_at is null
      limit ${unpaidPerDay}
    )
    select (select count(*)::integer from counted) as of_merchant,
      array(
        select (select count(*)::integer from counted where network.tag = any(tags))
        from unnest(${[...networkTags]}::text[]) with ordinality as network (tag, place)
        order by place
      ) as of_networks`
  const { ofMerchant = 0, ofNetworks = [] } = unpaid ?? {}
  // Otherwise one client, or one network, could have all others refused for a day.
  const isOfOne = ofNetworks.some(
    (count, place) => count >= mostOfNetwork(place, networkTags, unpaidPerClient),
  )
  const hasUnpaid = (ofNetworks.at(-1) ?? 0) > 0
  const reserved = hasUnpaid ? Math.floor(unpaidPerDay / RESERVE) : 0
  return isOfOne || ofMerchant >= unpaidPerDay - reserved ? refuse('too_many_unpaid') : null
}

async function linkTakesPayers(
  sql: Transaction,
  linkId: PaymentLinkId,
  now: Date,
): Promise<boolean> {
  const link = await findLinkById(sql, linkId)
  return link !== null && takesPayers(link, now)
}
