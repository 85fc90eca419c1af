/** Kinds of differences, each with the action to take. */
export const ADVICE = {
  chain_unreachable: 'Fix the RPC URL or the node, and reconcile again.',
  another_chain:
    'This database belongs to another chain with the same id: set RPC_URL to the right one.',
  ledger_behind: 'Check that indexer and worker are running, and why they lag (GET /ready).',
  deposit_holds_more:
    'A payment may be missing from the ledger: the worker searches for it automatically; if the difference remains, check its log.',
  deposit_holds_less:
    'Money left the deposit without an entry in the ledger: check the listed transactions, and stop sweeping this deposit.',
  unknown_token:
    'Registry and RECOVERABLE_TOKENS no longer list this token: add it again, so that its money is accounted for.',
  token_unreadable:
    'Check its contract before you refund any of it: tokens in RECOVERABLE_TOKENS are not verified.',
  sweep_not_booked:
    'The worker that sent it books it as soon as it runs; if the difference remains, check its log.',
  sweep_without_settlement:
    'A deposit was swept without the ledger: find the sender, and remove it from the operators if its key is stolen.',
  failed_sweep_moved_money:
    'The ledger would sweep this money again: stop the workers and check the transaction.',
  settlement_without_sweep:
    'The transaction may have been reorganised: the worker sends it again; if the difference remains, check its log.',
  sweep_differs:
    'Amount, fee, recipient or block differ: do not rely on this settlement until the cause is known.',
  refund_without_record:
    'A signed refund was executed that the ledger has no record of: find its signer.',
  refund_not_booked:
    'The worker that sent it books it as soon as it runs; if the difference remains, check its log.',
  failed_refund_moved_money:
    'The ledger would pay this money out again: stop the workers and check the transaction.',
  refund_without_event:
    'The transaction may have been reorganised: the worker sends it again; if the difference remains, check its log.',
  refund_differs:
    'Amount, receiver or block differ: do not report it to the merchant until the cause is known.',
  refund_shares_differ:
    'The refunded parts of payments must add up to the refunds: pay nothing on this invoice until the cause is known.',
  fees_differ: 'See the sweeps and payouts listed above: their fees add up to this difference.',
  figures_differ:
    'The invoice does not match its rows: neither expire nor pay it until the cause is known.',
  relayer_transaction: 'Stop the worker with this key and check the transaction.',
  relayer_nonce: 'Drain this key (`remit relayer drain`) and check the log of its worker.',
  relayer_quarantined:
    'A third party used the key: remove it from the operators, replace it, and check its transactions.',
  item_in_two_transactions: 'Stop the workers at once: the same deposit may be swept twice.',
  authorization_in_two_transactions:
    'The token accepts it only once, so only gas is at risk: check the log of the worker.',
  payment_not_booked:
    'The worker books it as soon as it runs; if the difference remains, check its log.',
  failed_payment_moved_money:
    'Send the same settle request again, which settles it from the records of the chain; then check the log of the worker for the cause of the failure.',
  payment_without_record:
    'Our own transaction executed an authorization without a payment: search a backup for the row.',
  payment_without_transfer:
    'The transaction may have been reorganised: the worker decides again; if the difference remains, check its log.',
  payment_differs:
    "The payment contradicts the token's logs: deliver nothing for it until the cause is known.",
  payment_state:
    'The payment contradicts its merchant or its invoice: deliver nothing for it until the cause is known.',
  payment_overdue:
    'Check that the worker runs; `remit payments list --status review` lists payments in review.',
  payout_not_booked:
    "The chain's worker books it as soon as it runs; if the difference remains, check its log.",
  payout_without_event:
    'The transaction may have been reorganised: the worker reverts it; if the difference remains, check its log.',
  payout_differs: 'Do not report this payout to the merchant until the cause is known.',
  fee_shares_differ: 'The fee shares do not match the payout: check its payments.',
  forwarder_holds_more: 'Check the payouts of this forwarder: one may not have been executed.',
  forwarder_holds_less:
    'Money left the forwarder without an entry in the ledger: check the listed transactions and the payments above.',
} as const

export type DifferenceKind = keyof typeof ADVICE
