import type { ErrorCode } from './errors.ts'

/** The page of errors: when each code occurs, and what to change. */

interface ErrorHelp {
  readonly when: string
  readonly change: string
}

const NOT_UUID = 'The id in the path isn’t a UUID.'
const USE_UUID = 'Use an `id` from a response of the API.'
const NOT_YOURS = 'The object doesn’t exist, or belongs to another merchant.'
const CHECK_KEY = 'Check the id, and that the key belongs to the same merchant.'
const WAIT = 'Wait for the seconds in `Retry-After`, then repeat the request unchanged.'

export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  invalid_request_body: {
    when: 'The body isn’t valid JSON, lacks a required field, or contains an unknown field or an invalid value.',
    change: 'Correct the fields that `details` names.',
  },
  invalid_query_parameters: {
    when: 'A query parameter is unknown, repeated, malformed, or can’t be combined with another one.',
    change: 'Correct the parameters that `details` names.',
  },
  invalid_graphql_query: {
    when: 'The query is malformed, selects a field outside the schema, costs too much, or has an invalid argument.',
    change: 'Correct the places that `details` names.',
  },
  unknown_chain: {
    when: 'This deployment doesn’t support the chain.',
    change: 'Use a `networkId` from `GET /v1/utils/chains`, or one that `details` lists.',
  },
  no_supported_chains: {
    when: 'The token is unknown, or not available on any of the requested chains.',
    change: 'Choose a token and a chain from `GET /v1/utils/tokens`.',
  },
  invalid_recipient: {
    when: 'The address is malformed, has an incorrect checksum, or can’t receive payouts: the zero address, a token, the hub or a deposit address.',
    change: 'Send an address that you control, in lower case or with its EIP-55 checksum.',
  },
  invalid_refund_address: {
    when: 'The payer’s refund address is malformed, or can’t receive refunds.',
    change: 'Send an address that the payer controls, in lower case or with its EIP-55 checksum.',
  },
  invalid_merchant_id: { when: NOT_UUID, change: USE_UUID },
  invalid_invoice_id: { when: NOT_UUID, change: USE_UUID },
  invalid_endpoint_id: { when: NOT_UUID, change: USE_UUID },
  invalid_payment_id: { when: NOT_UUID, change: USE_UUID },
  invalid_transaction_id: { when: NOT_UUID, change: USE_UUID },
  invalid_delivery_id: { when: NOT_UUID, change: USE_UUID },
  invalid_event_id: { when: NOT_UUID, change: USE_UUID },
  invalid_price_id: { when: NOT_UUID, change: USE_UUID },
  invalid_payment_link_id: { when: NOT_UUID, change: USE_UUID },
  unauthorized: {
    when: 'The `X-Service-Key` header is missing, or its key is unknown, revoked, publishable, or of the other environment.',
    change: 'Send the newest secret key. Rotation revokes the previous key immediately.',
  },
  refund_address_not_allowed: {
    when: 'The refund address isn’t the sender of the payment.',
    change: 'Refund to the sender, or ask the operator to allow other addresses.',
  },
  refund_by_person_only: {
    when: 'An API key requested a refund to the address that the payer left.',
    change: 'Create the refund in the dashboard, or refund to the sender of the payment.',
  },
  approval_required: {
    when: 'Changes of the payout address require approval, and the address isn’t on the merchant’s list of approved addresses.',
    change: 'Add the address in the settings of the dashboard, and have another member approve it.',
  },
  other_person_required: {
    when: 'In the dashboard: requesters can’t approve their own requests, approvers can’t approve twice, and new members can’t approve. Only the requester can withdraw a request about a member.',
    change: 'Ask another owner or finance member to approve it.',
  },
  scope_not_sufficient: {
    when: 'The key has scopes, and none of them opens this operation.',
    change: 'Use a key with one of the scopes in `details`, or a key with full access.',
  },
  role_not_sufficient: {
    when: 'In the dashboard: the user’s role doesn’t allow this action.',
    change: 'Ask an owner of the merchant.',
  },
  second_factor_required: {
    when: 'In the dashboard: the user’s role requires two-factor authentication.',
    change: 'Set up an authenticator under Security.',
  },
  fresh_sign_in_required: {
    when: 'In the dashboard: the action requires a sign-in within the last ten minutes.',
    change: 'Sign in again, then repeat the request.',
  },
  origin_not_allowed: {
    when: 'A page used the publishable key from an origin that isn’t in the checkout settings, or the dashboard was called from another origin.',
    change: 'Add the origin (scheme, host and port) in the checkout settings.',
  },
  not_found: {
    when: 'The path doesn’t exist.',
    change: 'Compare the path with the API reference.',
  },
  invoice_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  endpoint_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  payment_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  channel_not_found: {
    when: 'The channel doesn’t exist, has no stored voucher, or pays another merchant.',
    change: 'Check the id, the receiver, and that the key belongs to the paid merchant.',
  },
  transaction_not_found: {
    when: 'The invoice has no such transaction.',
    change: 'Use the `id` of one of the invoice’s `transactions` or `otherDeposits`.',
  },
  delivery_not_found: {
    when: 'The delivery doesn’t exist, or is older than 30 days.',
    change: 'Use an `id` from `GET /v1/webhooks/deliveries`.',
  },
  event_not_found: {
    when: 'The event doesn’t exist, or is older than 30 days.',
    change: 'Use an `id` from `GET /v1/events`.',
  },
  merchant_not_found: {
    when: 'In the dashboard: the merchant doesn’t exist, or the user isn’t a member.',
    change: 'Choose one of your merchants.',
  },
  key_not_found: {
    when: 'In the dashboard: the merchant has no active key with this id.',
    change: 'Load the page again to see its keys.',
  },
  view_not_found: {
    when: 'In the dashboard: the user has no such saved view.',
    change: 'Reload the page.',
  },
  schedule_not_found: {
    when: 'In the dashboard: the user has no such scheduled report.',
    change: 'Reload the page.',
  },
  member_not_found: {
    when: 'In the dashboard: the merchant has no such member.',
    change: 'Reload the page.',
  },
  invitation_not_found: {
    when: 'In the dashboard: the invitation is unknown, used, expired, or for another address.',
    change: 'Ask for a new invitation.',
  },
  approval_not_found: {
    when: 'In the dashboard: the merchant has no such request.',
    change: 'Reload the page.',
  },
  recipient_change_not_found: {
    when: 'In the dashboard: the recipient change is active already, has ended, or belongs to another merchant.',
    change: 'Reload the page to see its status.',
  },
  recovery_not_found: {
    when: 'In the dashboard: the recovery link was used, or is older than a day.',
    change: 'Ask the operator of the deployment for a new link.',
  },
  session_not_found: {
    when: 'The checkout session doesn’t exist, or has been deleted.',
    change: 'Create another session.',
  },
  price_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  payment_link_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  method_not_allowed: {
    when: 'The path doesn’t support this method.',
    change: 'Use a method from the `Allow` header.',
  },
  external_ref_conflict: {
    when: 'An invoice with this `externalRef` exists, with different parameters.',
    change:
      'Repeat the original request to get that invoice, or use another `externalRef`. `details` names the differences, and the invoice’s id and reference.',
  },
  invoice_already_paid: {
    when: 'The invoice is paid or completed, and the request is only possible before that.',
    change: 'Refund the payment if necessary.',
  },
  nothing_received: {
    when: 'No confirmed payment could be accepted as a partial payment.',
    change: 'Wait until the invoice’s `receivedAmount` is greater than 0.',
  },
  transaction_not_late: {
    when: 'Only late payments can be accepted, and this one wasn’t late.',
    change: 'Use a transaction of type `late_payment`.',
  },
  transaction_reverted: {
    when: 'A reorganisation of the chain removed the transaction.',
    change: 'No action needed: if it is mined again, it is recorded again.',
  },
  transaction_refunded: {
    when: 'The payment was refunded, or is being refunded.',
    change: 'No action needed: refunded payments can’t be accepted.',
  },
  chain_not_local: {
    when: 'The faucet works on development chains only.',
    change: 'Use a chain of the development stack.',
  },
  order_not_possible: {
    when: 'Another action on this work is in progress, or the work is no longer in review.',
    change: 'Check the result of the other action. Nothing was executed twice.',
  },
  scenario_not_possible: {
    when: 'The scenario can’t run for this invoice.',
    change: 'See `details`. Create another invoice, or choose another scenario.',
  },
  refund_of_too_many_payments: {
    when: 'The amount covers more payments than one refund may include.',
    change: 'Refund at most the amount in the message, and the rest by further refunds.',
  },
  refund_settled: {
    when: 'The money was settled or paid out: it is in your treasury, or was paid to your own address.',
    change:
      'Send it back from there. For an invoice, record the transfer with `POST /v1/invoices/:id/refunds/external`.',
  },
  refund_not_possible: {
    when: 'The amount exceeds what can be refunded, or is too small to be worth sending.',
    change: 'Refund at most the amount in `details`. Money in transit to you can’t be refunded.',
  },
  transfer_not_shown: {
    when: 'The chain has no such transfer from your treasury to the payer.',
    change: 'See `details`. Record a transfer that isn’t mined yet later.',
  },
  transfer_already_recorded: {
    when: 'The transfer is recorded as a refund of another invoice, and counts once.',
    change: 'Use the transaction that refunded this invoice.',
  },
  idempotency_key_conflict: {
    when: 'A refund of this invoice or payment exists with the same `idempotencyKey` and different parameters.',
    change:
      'Repeat the original request to get that refund, which `details` names, or use another key.',
  },
  refund_address_kept: {
    when: 'The payer has already left another refund address, which can’t be replaced.',
    change: 'Ask the merchant, who sees the first address.',
  },
  idempotency_key_reused: {
    when: 'The `Idempotency-Key` was used with another request within the last 24 hours.',
    change: 'Send the same JSON value to get the original response, or use another key.',
  },
  idempotency_key_in_flight: {
    when: 'The first request with this `Idempotency-Key` is still in progress.',
    change: WAIT,
  },
  approval_ended: {
    when: 'In the dashboard: the request was approved or refused, or has expired after three days.',
    change: 'Reload the page to see its status.',
  },
  approval_open: {
    when: 'In the dashboard: another change of this kind is waiting for approval.',
    change: 'Have it approved or refused first.',
  },
  approver_missing: {
    when: 'In the dashboard: no other member could approve this.',
    change:
      'Invite another owner or finance member, who must use two-factor authentication. The operator can remove members.',
  },
  owner_missing: {
    when: 'An API key requested a recipient change, and no owner could be notified.',
    change: 'Invite an owner to the dashboard, or ask the operator to set the recipient.',
  },
  recipient_change_open: {
    when: 'Another recipient change is pending.',
    change: 'Wait until it is active, or cancel it first.',
  },
  last_owner: {
    when: 'In the dashboard: the change would leave the merchant without an owner.',
    change: 'Make another member an owner first.',
  },
  voucher_conflict: {
    when: 'The stored voucher has changed since you read it: its `version` differs from the one you sent.',
    change: 'Read the channel again, then decide again.',
  },
  endpoint_conflict: {
    when: 'The URL is registered at this price, with different parameters.',
    change: 'Change the existing endpoint. `details` names the fields.',
  },
  endpoint_disabled: {
    when: 'The webhook endpoint is disabled.',
    change: 'Enable it with `PATCH /v1/webhooks/endpoints/:id` and `{"active": true}`.',
  },
  too_many_endpoints: {
    when: 'The merchant has the maximum number of webhook endpoints.',
    change: 'Delete an endpoint that you no longer need.',
  },
  price_not_active: {
    when: 'The price is inactive, or was for a single payment and is paid.',
    change: 'Create another price.',
  },
  choice_not_possible: {
    when: 'The payer can’t choose this token or network any more, or not yet.',
    change: 'See `details`, and read the session for the available choices.',
  },
  client_reference_conflict: {
    when: 'A session with this `clientReference` exists, with different parameters.',
    change:
      'Repeat the original request to get that session, which `details` names, or use another reference.',
  },
  body_too_large: { when: 'The body is larger than 256 KB.', change: 'Send a smaller body.' },
  too_many_requests: { when: 'The limit of requests per minute is reached.', change: WAIT },
  report_in_progress: {
    when: 'Reports, figures and held money are read one at a time per merchant, and another read is in progress.',
    change: WAIT,
  },
  too_many_streams: {
    when: 'The client’s address, or the server, has the maximum number of open event streams.',
    change: 'Close a stream, or poll the session instead.',
  },
  too_many_unpaid: {
    when: 'Payers have created the maximum number of unpaid invoices per day, for the merchant or from one network.',
    change: 'Try again tomorrow, or ask the operator to raise the limit.',
  },
  replay_limit_reached: {
    when: 'Ten minutes of replayed webhooks are queued for the host already.',
    change: WAIT,
  },
  budget_exceeded: {
    when: 'The requests from this address have used up their budget for the minute.',
    change: WAIT,
  },
  internal_error: {
    when: 'An unexpected error occurred. The service has logged it under the `traceId`.',
    change: 'Repeat the request. If it fails again, send the `traceId` to support.',
  },
  service_unavailable: {
    when: 'The database or a node doesn’t respond, or the load is too high.',
    change: 'Repeat the request after a few seconds, or after `Retry-After`.',
  },
  rate_unavailable: {
    when: 'The amount is in another currency than the token’s, and no recent exchange rate is available.',
    change: 'Wait for the seconds in `Retry-After`, or send an amount in the token.',
  },
}
