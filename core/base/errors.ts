/**
 * The one table of errors. A fault is thrown as an AppError; its code decides the HTTP status and the public
 * text; internal details stay in `cause` and the log.
 */

export const ERRORS = {
  invalid_request_body: { status: 400, text: 'invalid request body' },
  invalid_query_parameters: { status: 400, text: 'invalid query parameters' },
  invalid_graphql_query: { status: 400, text: 'invalid GraphQL query' },
  unknown_chain: { status: 400, text: 'unknown chain' },
  no_supported_chains: { status: 400, text: 'no supported chains for token' },
  invalid_recipient: { status: 400, text: 'invalid recipient address' },
  invalid_merchant_id: { status: 400, text: 'invalid merchant id' },
  invalid_invoice_id: { status: 400, text: 'invalid invoice id' },
  invalid_endpoint_id: { status: 400, text: 'invalid endpoint id' },
  invalid_payment_id: { status: 400, text: 'invalid payment id' },
  invalid_transaction_id: { status: 400, text: 'invalid transaction id' },
  invalid_delivery_id: { status: 400, text: 'invalid delivery id' },
  invalid_event_id: { status: 400, text: 'invalid event id' },
  invalid_price_id: { status: 400, text: 'invalid price id' },
  invalid_payment_link_id: { status: 400, text: 'invalid payment link id' },
  invalid_refund_address: { status: 400, text: 'invalid refund address' },
  refund_of_too_many_payments: { status: 400, text: 'refund of too many payments' },
  unauthorized: { status: 401, text: 'unauthorized' },
  refund_address_not_allowed: { status: 403, text: 'refund address not allowed' },
  refund_by_person_only: { status: 403, text: 'refund by a person only' },
  approval_required: { status: 403, text: 'approval required' },
  other_person_required: { status: 403, text: 'other person required' },
  scope_not_sufficient: { status: 403, text: 'scope not sufficient' },
  role_not_sufficient: { status: 403, text: 'role not sufficient' },
  second_factor_required: { status: 403, text: 'second factor required' },
  fresh_sign_in_required: { status: 403, text: 'fresh sign-in required' },
  origin_not_allowed: { status: 403, text: 'origin not allowed' },
  not_found: { status: 404, text: 'not found' },
  invoice_not_found: { status: 404, text: 'invoice not found' },
  endpoint_not_found: { status: 404, text: 'endpoint not found' },
  payment_not_found: { status: 404, text: 'payment not found' },
  channel_not_found: { status: 404, text: 'channel not found' },
  transaction_not_found: { status: 404, text: 'transaction not found' },
  delivery_not_found: { status: 404, text: 'delivery not found' },
  event_not_found: { status: 404, text: 'event not found' },
  merchant_not_found: { status: 404, text: 'merchant not found' },
  key_not_found: { status: 404, text: 'key not found' },
  view_not_found: { status: 404, text: 'view not found' },
  schedule_not_found: { status: 404, text: 'schedule not found' },
  member_not_found: { status: 404, text: 'member not found' },
  invitation_not_found: { status: 404, text: 'invitation not found' },
  recovery_not_found: { status: 404, text: 'recovery not found' },
  session_not_found: { status: 404, text: 'session not found' },
  approval_not_found: { status: 404, text: 'approval not found' },
  recipient_change_not_found: { status: 404, text: 'recipient change not found' },
  price_not_found: { status: 404, text: 'price not found' },
  payment_link_not_found: { status: 404, text: 'payment link not found' },
  method_not_allowed: { status: 405, text: 'method not allowed' },
  external_ref_conflict: { status: 409, text: 'externalRef conflict' },
  invoice_already_paid: { status: 409, text: 'invoice already paid' },
  nothing_received: { status: 409, text: 'nothing received' },
  transaction_not_late: { status: 409, text: 'transaction not late' },
  transaction_reverted: { status: 409, text: 'transaction reverted' },
  transaction_refunded: { status: 409, text: 'transaction refunded' },
  chain_not_local: { status: 409, text: 'chain not local' },
  order_not_possible: { status: 409, text: 'order not possible' },
  scenario_not_possible: { status: 409, text: 'scenario not possible' },
  refund_settled: { status: 409, text: 'refund from your treasury' },
  refund_not_possible: { status: 409, text: 'refund not possible' },
  transfer_not_shown: { status: 409, text: 'transfer not shown' },
  transfer_already_recorded: { status: 409, text: 'transfer already recorded' },
  idempotency_key_conflict: { status: 409, text: 'idempotencyKey conflict' },
  idempotency_key_reused: { status: 409, text: 'idempotency key conflict' },
  idempotency_key_in_flight: { status: 409, text: 'idempotency key in flight' },
  approval_ended: { status: 409, text: 'approval ended' },
  approval_open: { status: 409, text: 'approval open' },
  approver_missing: { status: 409, text: 'approver missing' },
  owner_missing: { status: 409, text: 'owner missing' },
  recipient_change_open: { status: 409, text: 'recipient change open' },
  last_owner: { status: 409, text: 'last owner' },
  voucher_conflict: { status: 409, text: 'voucher conflict' },
  endpoint_conflict: { status: 409, text: 'endpoint conflict' },
  endpoint_disabled: { status: 409, text: 'endpoint disabled' },
  too_many_endpoints: { status: 409, text: 'too many endpoints' },
  price_not_active: { status: 409, text: 'price not active' },
  choice_not_possible: { status: 409, text: 'choice not possible' },
  refund_address_kept: { status: 409, text: 'refund address kept' },
  client_reference_conflict: { status: 409, text: 'clientReference conflict' },
  body_too_large: { status: 413, text: 'request body too large' },
  too_many_requests: { status: 429, text: 'too many requests' },
  report_in_progress: { status: 429, text: 'another report is being read' },
  too_many_streams: { status: 429, text: 'too many streams' },
  too_many_unpaid: { status: 429, text: 'too many unpaid invoices' },
  replay_limit_reached: { status: 429, text: 'replay limit reached' },
  budget_exceeded: { status: 429, text: 'request budget exceeded' },
  internal_error: { status: 500, text: 'internal error' },
  service_unavailable: { status: 503, text: 'service unavailable' },
  rate_unavailable: { status: 503, text: 'exchange rate unavailable' },
} as const satisfies Record<string, { readonly status: number; readonly text: string }>

export type ErrorCode = keyof typeof ERRORS

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text)
}

/** Where the documentation explains an error: a path of the API's own. */
export function errorDocs(code: ErrorCode): string {
  return `${ERROR_DOCS}#${code}`
}

/** The page that explains all errors. */
export const ERROR_DOCS = '/docs/errors'

/** The most details of an error: more would not help, and finding them all could take long. */
export const MOST_DETAILS = 20

/** What is wrong with one field of the request, and what to change. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** Whether responses with this error have details: those to wrong requests and conflicts do. */
export function isExplained(code: ErrorCode): boolean {
  const { status } = ERRORS[code]
  return status === 400 || status === 403 || status === 409
}

export class AppError extends Error {
  override readonly name = 'AppError'

  constructor(
    readonly code: ErrorCode,
    readonly details: readonly ErrorDetail[] = [],
    options: { readonly cause?: unknown } = {},
  ) {
    super(ERRORS[code].text, options)
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** A request that can't be granted: which error it is, and what to change. */
export interface Refusal {
  readonly ok: false
  readonly code: ErrorCode
  readonly details: readonly ErrorDetail[]
}

export function refuse(code: ErrorCode, details: readonly ErrorDetail[] = []): Refusal {
  return { ok: false, code, details }
}

/** The same as one text, for what shows why something is not offered. */
export function reasonOf({ code, details: [detail] }: Refusal): string {
  const { text } = ERRORS[code]
  return detail === undefined ? text : `${text}: ${`${detail.path} ${detail.message}`.trim()}`
}

/** A value that can't be taken, and what it must be instead. */
export interface Invalid {
  readonly ok: false
  readonly message: string
}

export function invalid(message: string): Invalid {
  return { ok: false, message }
}
