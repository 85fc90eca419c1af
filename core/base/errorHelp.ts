import type { ErrorCode } from './errors.ts'

/** What the page of errors says of each code: when it happens, and what to change. */

interface ErrorHelp {
  readonly when: string
  readonly change: string
}

const NO_UUID = 'The identifier in the path is no UUID.'
const TAKE_UUID = 'Send the `id` as an earlier answer of the API has it.'
const NOT_YOURS = 'There is none with this identifier, or it belongs to another merchant.'
const CHECK_KEY = 'Check the identifier, and that the key is of the merchant who owns it.'
const WAIT = 'Wait as many seconds as `Retry-After` says, then repeat the request as it was.'

export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  invalid_request_body: {
    when: 'The body is no JSON, lacks a required field, has an unknown one, or a value that breaks a rule.',
    change: 'Each of `details` names a field and what it must be.',
  },
  invalid_query_parameters: {
    when: 'A query parameter is unknown, given twice, malformed, or excludes another one.',
    change: 'Each of `details` names a parameter and what it must be.',
  },
  invalid_graphql_query: {
    when: 'The query is malformed, reads what is not in the schema, costs too much, or has an argument that breaks a rule.',
    change: 'Each of `details` names a place in the query or an argument, and what is wrong there.',
  },
  unknown_chain: {
    when: 'A chain is named that this deployment does not have.',
    change: 'Take a networkId from `GET /v1/utils/chains`; `details` lists them, too.',
  },
  no_supported_chains: {
    when: 'The token is unknown, or none of the requested chains has it.',
    change: 'Choose a token and a chain that go together in `GET /v1/utils/tokens`.',
  },
  invalid_recipient: {
    when: 'The address is malformed, has a wrong checksum, or is one that must not receive: zero, a token, the hub, a deposit address.',
    change: 'Send an address of your own, all lower case or with its EIP-55 checksum.',
  },
  invalid_refund_address: {
    when: 'The refund address that a payer left is malformed, or must not receive.',
    change: 'Leave an address of your own, all lower case or with its EIP-55 checksum.',
  },
  invalid_merchant_id: { when: NO_UUID, change: TAKE_UUID },
  invalid_invoice_id: { when: NO_UUID, change: TAKE_UUID },
  invalid_endpoint_id: { when: NO_UUID, change: TAKE_UUID },
  invalid_payment_id: { when: NO_UUID, change: TAKE_UUID },
  invalid_transaction_id: { when: NO_UUID, change: TAKE_UUID },
  invalid_delivery_id: { when: NO_UUID, change: TAKE_UUID },
  invalid_event_id: { when: NO_UUID, change: TAKE_UUID },
  invalid_price_id: { when: NO_UUID, change: TAKE_UUID },
  invalid_payment_link_id: { when: NO_UUID, change: TAKE_UUID },
  unauthorized: {
    when: 'The header `X-Service-Key` is missing, or its key is unknown, revoked, publishable, or of the other environment.',
    change:
      'Send the secret key that was issued last. After a rotation the old one is refused at once.',
  },
  refund_address_not_allowed: {
    when: 'A refund was requested to an address other than the sender of the payment.',
    change: 'Refund to the sender, or have the operator allow other addresses.',
  },
  refund_by_person_only: {
    when: 'A refund was requested to the address that the payer left, with an API key.',
    change: 'Have a person refund to it, or refund to the sender of the payment.',
  },
  approval_required: {
    when: 'Changes of where the money goes need a second person, and the address is not on the merchant’s list of recipients.',
    change: 'Have an owner add it in the settings of the dashboard, and another person approve it.',
  },
  other_person_required: {
    when: 'In the dashboard: the requester, or an approver, can’t approve it again; nor can a member who joined a moment ago. Only its requester withdraws a request about a member.',
    change: 'Have another owner, or a member with the role finance, approve it.',
  },
  role_not_sufficient: {
    when: 'In the dashboard: the role of the signed-in user may not do this.',
    change: 'Ask an owner of the merchant to do it.',
  },
  second_factor_required: {
    when: 'In the dashboard: the role of the signed-in user requires a second factor.',
    change: 'Set up an authenticator under Security.',
  },
  fresh_sign_in_required: {
    when: 'In the dashboard: this needs a sign-in of the last ten minutes.',
    change: 'Sign in again, then repeat it.',
  },
  origin_not_allowed: {
    when: 'A page called with the publishable key from an origin that the merchant has not listed, or the dashboard from another origin than its own.',
    change: 'List the origin, with scheme, host and port, in the settings of the checkout.',
  },
  not_found: {
    when: 'There is no such path.',
    change: 'Compare the path with the description of the API.',
  },
  invoice_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  endpoint_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  payment_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  channel_not_found: {
    when: 'There is no such channel, nothing is stored for it, or it pays another merchant.',
    change: 'Check the identifier, the receiver, and that the key is of the merchant who is paid.',
  },
  transaction_not_found: {
    when: 'The invoice has no such transaction.',
    change: 'Take the `id` of one of the `transactions` or `otherDeposits` of the invoice.',
  },
  delivery_not_found: {
    when: 'There is no such delivery, or it is older than 30 days.',
    change: 'Take the `id` of one that `GET /v1/webhooks/deliveries` lists.',
  },
  event_not_found: {
    when: 'There is no such event, or it is older than 30 days.',
    change: 'Take the `id` of one that `GET /v1/events` lists.',
  },
  merchant_not_found: {
    when: 'In the dashboard: there is no such merchant, or the signed-in user does not belong to it.',
    change: 'Choose one of your merchants.',
  },
  view_not_found: {
    when: 'In the dashboard: the signed-in user has no such view.',
    change: 'Load the page again to see those that you have.',
  },
  schedule_not_found: {
    when: 'In the dashboard: the signed-in user has no such report by email.',
    change: 'Load the page again to see those that you have.',
  },
  member_not_found: {
    when: 'In the dashboard: no member of the merchant has this identifier.',
    change: 'Load the page again to see who does.',
  },
  invitation_not_found: {
    when: 'In the dashboard: the invitation is unknown, used, past its time, or for another address.',
    change: 'Ask for another invitation.',
  },
  approval_not_found: {
    when: 'In the dashboard: the merchant has no such request.',
    change: 'Load the page again to see those that it has.',
  },
  recipient_change_not_found: {
    when: 'In the dashboard: there is no such pending change of the recipient: it is active, was ended, or is not yours.',
    change: 'Load the page again to see what has become of it.',
  },
  recovery_not_found: {
    when: 'In the dashboard: the recovery link was used, or is older than a day.',
    change: 'Ask the operator of the deployment for another one.',
  },
  session_not_found: {
    when: 'There is no checkout session with this identifier, or it has ended for good.',
    change: 'Create another session.',
  },
  price_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  payment_link_not_found: { when: NOT_YOURS, change: CHECK_KEY },
  method_not_allowed: {
    when: 'The path is known, and not with this method.',
    change: 'Use one of the methods that the header `Allow` names.',
  },
  external_ref_conflict: {
    when: 'An invoice with this `externalRef` was created before, with other parameters.',
    change:
      'Repeat the first request unchanged to get that invoice, or choose another `externalRef`. `details` names what differs, and the invoice by its id and reference.',
  },
  invoice_already_paid: {
    when: 'The invoice is paid or completed, and the request is possible only before.',
    change: 'Leave it as it is, or refund what was paid.',
  },
  nothing_received: {
    when: 'Nothing is confirmed that could be accepted as enough.',
    change: 'Wait until `receivedAmount` of the invoice is more than 0.',
  },
  transaction_not_late: {
    when: 'Only late payments can be accepted, and this one is none.',
    change: 'Name a transaction of the type `late_payment`.',
  },
  transaction_reverted: {
    when: 'A reorganisation of the chain has removed the transaction.',
    change: 'Nothing: should it be mined again, it is recorded again.',
  },
  transaction_refunded: {
    when: 'The payment went back to its sender, or is about to.',
    change: 'Nothing: what is refunded can not be accepted any more.',
  },
  chain_not_local: {
    when: 'The faucet works on development chains only, and this one is none.',
    change: 'Name a chain of the development stack.',
  },
  order_not_possible: {
    when: 'Another order for it is being carried out, or the work no longer waits for a person.',
    change: 'Look at what came of the other order; nothing was ordered twice.',
  },
  scenario_not_possible: {
    when: 'The scenario can not be played against this invoice.',
    change: '`details` says why; create another invoice or choose another scenario.',
  },
  refund_of_too_many_payments: {
    when: 'The amount is spread over more payments than one refund may take.',
    change: 'Refund at most the amount that the message names, and the rest by further refunds.',
  },
  refund_settled: {
    when: 'What is to go back was settled or paid out: it is in your treasury, or went to your own address.',
    change:
      'Send it back from there; of an invoice, record that with `POST /v1/invoices/:id/refunds/external`.',
  },
  refund_not_possible: {
    when: 'There is not that much to give back, or too little to be worth sending.',
    change:
      '`details` says how much can go back now; what is on its way to you is not there any more.',
  },
  transfer_not_shown: {
    when: 'The chain shows no such transfer from your treasury to who has paid.',
    change: '`details` says what it shows. What is not mined yet can be recorded later.',
  },
  transfer_already_recorded: {
    when: 'The transfer is recorded as a refund of another invoice; it counts once.',
    change: 'Name the transaction that has given back what this invoice was paid.',
  },
  idempotency_key_conflict: {
    when: 'A refund of this invoice or payment was requested with the same `idempotencyKey` and other parameters.',
    change:
      'Repeat the first request unchanged to get that refund, which `details` names, or choose another key.',
  },
  refund_address_kept: {
    when: 'Another refund address was left before, and it is kept.',
    change: 'Ask the merchant, who sees the one that was left first.',
  },
  idempotency_key_reused: {
    when: 'The header `Idempotency-Key` came with another request within the last 24 hours.',
    change: 'Send the same JSON value to get the first answer again, or choose another key.',
  },
  idempotency_key_in_flight: {
    when: 'The first request with this `Idempotency-Key` is still being carried out.',
    change: WAIT,
  },
  approval_ended: {
    when: 'In the dashboard: the request was approved or refused, or its three days are over.',
    change: 'Load the page again to see what has become of it.',
  },
  approval_open: {
    when: 'In the dashboard: another change of this kind waits for a second person.',
    change: 'Have it approved or refused first.',
  },
  approver_missing: {
    when: 'In the dashboard: no one else could approve it.',
    change:
      'Invite another owner, or a member for finance, who sets up an authenticator; the operator can end a membership.',
  },
  owner_missing: {
    when: 'A key requests another recipient, and no owner could be notified.',
    change: 'Invite an owner to the dashboard, or have the operator set the recipient.',
  },
  recipient_change_open: {
    when: 'Another change of the recipient waits.',
    change: 'Let it come into force, or cancel it first.',
  },
  last_owner: {
    when: 'In the dashboard: the change would leave the merchant without an owner.',
    change: 'Make another member an owner first.',
  },
  voucher_conflict: {
    when: 'What is stored for the channel has changed since you read it: its `version` is not the one that was sent.',
    change: 'Read it again and decide again.',
  },
  endpoint_conflict: {
    when: 'The URL is registered at this price already, with something else than was sent.',
    change: '`details` names the fields; change the endpoint that is there instead.',
  },
  endpoint_disabled: {
    when: 'The webhook endpoint is switched off, so that nothing is sent to it.',
    change: 'Switch it on with `PATCH /v1/webhooks/endpoints/:id` and `{"active": true}`.',
  },
  too_many_endpoints: {
    when: 'The merchant has as many webhook endpoints as are allowed.',
    change: 'Delete one that is not needed any more.',
  },
  price_not_active: {
    when: 'The price is switched off, or it was for one payment and is paid.',
    change: 'Create another price.',
  },
  choice_not_possible: {
    when: 'The payer can not choose this token or network any more, or not yet.',
    change: '`details` says why; read the session to see what can be chosen.',
  },
  client_reference_conflict: {
    when: 'A session with this `clientReference` was created before, with other parameters.',
    change:
      'Repeat the first request unchanged to get that session, which `details` names, or choose another reference.',
  },
  body_too_large: {
    when: 'The body is larger than 256 KB.',
    change: 'Send less; no request needs that much.',
  },
  too_many_requests: { when: 'The limit of requests per minute is reached.', change: WAIT },
  report_in_progress: {
    when: 'Reports, figures and held money are read one at a time, and another read of the merchant is running.',
    change: WAIT,
  },
  too_many_streams: {
    when: 'The address, or the server, keeps as many event streams open as it may.',
    change: 'Close a stream, or read the session instead of following it.',
  },
  too_many_unpaid: {
    when: 'As many invoices of the merchant as a day allows, or one address of it, were made by payers and not paid.',
    change: 'Try again tomorrow, or have the operator raise the limit.',
  },
  replay_limit_reached: {
    when: 'Ten minutes of replayed webhooks wait for that host already.',
    change: WAIT,
  },
  budget_exceeded: {
    when: 'The requests of this address have cost more than a minute allows.',
    change: WAIT,
  },
  internal_error: {
    when: 'An unexpected failure. It is in the log of the service under the `traceId`.',
    change: 'Repeat the request; if it fails again, send the `traceId` to support.',
  },
  service_unavailable: {
    when: 'The database or a node does not answer, or the load is too high.',
    change: 'Repeat the request after a few seconds, or after `Retry-After`.',
  },
  rate_unavailable: {
    when: 'An amount in another currency than the token stands for can not be converted: no fresh rate is known.',
    change: 'Wait as many seconds as `Retry-After` says, or ask for an amount of the token.',
  },
}
