import type { Action } from '../../core/access/roles.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Queryable } from '../database/database.ts'

/** The state before a change: for the audit log, by the API's field names. */

export interface ChangeTarget {
  readonly merchantId: MerchantId
  /** The id in the path; null where it has none. */
  readonly id: string | null
}

type Row = Readonly<Record<string, unknown>>
type ReadBefore = (sql: Queryable, target: ChangeTarget) => PromiseLike<readonly Row[]>

const price: ReadBefore = (sql, { merchantId, id }) => sql`
  select amount, tokens, chains, description, expires_after, metadata, is_reusable as reusable, active,
    currency, underpayment_tolerance
  from price where id = ${id} and merchant_id = ${merchantId}`

const link: ReadBefore = (sql, { merchantId, id }) => sql`
  select price_id as price, uses_limit, ends_at, active
  from payment_link where id = ${id} and merchant_id = ${merchantId}`

const page: ReadBefore = (sql, { merchantId }) => sql`
  select name, logo_id is not null as has_logo, accent, support_email, support_url, return_url,
    allowed_origins, default_expiry, languages, underpayment_tolerance
  from merchant_page where merchant_id = ${merchantId}`

const x402Endpoint: ReadBefore = (sql, { merchantId, id }) => sql`
  select url, network_id as network, token_symbol, amount::text as amount_base_units, description, own_transaction,
    accepts_wallets, active, discoverable, discovery
  from x402_endpoint where id = ${id} and merchant_id = ${merchantId}`

const webhookEndpoint: ReadBefore = (sql, { merchantId, id }) => sql`
  select url, description, event_types as events, active, disabled_reason
  from webhook_endpoint where id = ${id} and merchant_id = ${merchantId}`

const member: ReadBefore = (sql, { merchantId, id }) => sql`
  select u.email, m.role from member m join auth."user" u on u.id = m.person_id
  where m.person_id = ${id} and m.merchant_id = ${merchantId}`

const invoice: ReadBefore = (sql, { merchantId, id }) => sql`
  select reference, status from invoice where id = ${id} and merchant_id = ${merchantId}`

const recipient: ReadBefore = (sql, { merchantId }) => sql`
  select recipient from merchant where id = ${merchantId}`

const request: ReadBefore = (sql, { merchantId, id }) => sql`
  select kind, state as status, actor_name as requested_by from approval_request
  where id = ${id} and merchant_id = ${merchantId}`

const key: ReadBefore = (sql, { merchantId, id }) => sql`
  select kind, name, hint, scopes from api_key where id = ${id} and merchant_id = ${merchantId}`

/** What has none begins something, or changes nothing that the merchant has set. */
const READERS: Partial<Record<Action, ReadBefore>> = {
  changePrice: price,
  deletePrice: price,
  changePaymentLink: link,
  changeCheckoutSettings: page,
  replaceLogo: page,
  removeLogo: page,
  changeX402Endpoint: x402Endpoint,
  deactivateX402Endpoint: x402Endpoint,
  removeOwnAddress: (sql, { merchantId, id }) => sql`
    select address, network_id as network from x402_own_address
    where address = ${id} and merchant_id = ${merchantId} and removed_at is null`,
  changeWebhookEndpoint: webhookEndpoint,
  deleteWebhookEndpoint: webhookEndpoint,
  rotateWebhookSecret: webhookEndpoint,
  changeMember: member,
  removeMember: member,
  revokeInvitation: (sql, { merchantId, id }) => sql`
    select email, role, expires_at from invitation where id = ${id} and merchant_id = ${merchantId}`,
  expireInvoice: invoice,
  acceptLatePayment: invoice,
  acceptPartialPayment: invoice,
  replaceApiKey: key,
  revokeApiKey: key,
  changeRecipient: recipient,
  cancelRecipientChange: (sql, { merchantId, id }) => sql`
    select recipient, replaces, state as status from recipient_change
    where id = ${id} and merchant_id = ${merchantId}`,
  approveRequest: request,
  refuseRequest: request,
  changeApprovalPolicy: (sql, { merchantId }) => sql`
    select recipient, refunds_above::text as refunds_above_millionths from approval_policy
    where merchant_id = ${merchantId}`,
  removeApprovedRecipient: (sql, { merchantId, id }) => sql`
    select address, added_by from approved_recipient
    where address = lower(${id}) and merchant_id = ${merchantId}`,
  deleteView: (sql, { merchantId, id }) => sql`
    select name, query from saved_view where id = ${id} and merchant_id = ${merchantId}`,
  deleteReportSchedule: (sql, { merchantId, id }) => sql`
    select report, every, locale from report_schedule
    where id = ${id} and merchant_id = ${merchantId}`,
}

/** Whether what an operation changes is read before. */
export function hasBefore(action: Action): boolean {
  return READERS[action] !== undefined
}

/** It, or null where there is nothing; of several rows, all. */
export async function readBefore(
  sql: Queryable,
  action: Action,
  target: ChangeTarget,
): Promise<Row | readonly Row[] | null> {
  const rows = (await READERS[action]?.(sql, target)) ?? []
  const [first] = rows
  return rows.length > 1 ? rows : (first ?? null)
}
