/** Kinds of differences, each with the action to take. */
export const ADVICE = {
  chain_unreachable: 'Fix the RPC URL or the node, and reconcile again.',
  another_chain:
    'This database belongs to another chain with the same id: point RPC_URL at the right one.',
  ledger_behind: 'Check that indexer and worker are running, and why they lag (GET /ready).',
  deposit_holds_more:
    'A payment may be missing from the ledger: the worker searches for it automatically; if the difference stays, see its log.',
  deposit_holds_less:
    'Money left that the ledger did not book: check the transactions named, and stop sweeping this deposit.',
  unknown_token:
    'Registry and RECOVERABLE_TOKENS no longer have this token: put it back, so that its money is accounted for.',
  token_unreadable:
    'Check its contract before you refund any of it: you alone vouch for what RECOVERABLE_TOKENS lists.',
  sweep_not_booked: 'The worker that sent it books it as soon as it runs; see its log if it stays.',
  sweep_without_settlement:
    'A deposit was swept without the ledger: find the sender, and remove it from the operators if the key is stolen.',
  failed_sweep_moved_money:
    'The ledger would sweep this money again: stop the workers and check the transaction.',
  settlement_without_sweep:
    'The transaction may have left the chain: the worker sends it again; see its log if it stays.',
  sweep_differs:
    'Amount, fee, recipient or block differ: do not rely on this settlement until you know why.',
  refund_without_record:
    'A signed refund was carried out that the ledger has no record of: find who signed it.',
  refund_not_booked:
    'The worker that sent it books it as soon as it runs; see its log if it stays.',
  failed_refund_moved_money:
    'The ledger would pay this money out again: stop the workers and check the transaction.',
  refund_without_event:
    'The transaction may have left the chain: the worker sends it again; see its log if it stays.',
  refund_differs:
    'Amount, receiver or block differ: do not report it to the merchant until you know why.',
  refund_shares_differ:
    'What payments gave back must add up to the refunds: pay nothing on this invoice until you know why.',
  fees_differ: 'See the sweeps and payouts listed above: their fees add up to this difference.',
  figures_differ:
    'The invoice was not derived from its rows: expire or pay nothing on it until you know why.',
  settlement_state: 'Settlement and work item must agree: see the log of the worker for this id.',
  relayer_transaction: 'Stop the worker that holds this key and check the transaction.',
  relayer_nonce:
    'Drain this key (`remit relayer drain`) and see the log of the worker that holds it.',
  relayer_quarantined:
    'A third party used the key: revoke it as operator, replace it, and check its transactions.',
  item_in_two_transactions: 'Stop the workers at once: the same deposit may be swept twice.',
  authorization_in_two_transactions:
    'The token accepts it only once, so that no money but gas is at risk: see the log of the worker.',
  payment_not_booked: 'The worker books it as soon as it runs; see its log if it stays.',
  failed_payment_moved_money:
    'Send the same settle request again, which settles it by the records of the chain; then see the log of the worker for why it failed.',
  payment_without_record:
    'Our own transaction carried an authorization that no payment has: search a backup for the row.',
  payment_without_transfer:
    'The transaction may have left the chain: the worker decides again; see its log if it stays.',
  payment_differs:
    "The payment contradicts the token's own logs: deliver nothing for it until you know why.",
  payment_state: 'Payment and work item must agree: see the log of the worker for this id.',
  payment_overdue:
    'Check that the worker runs; `remit payments list --status review` lists payments in review.',
  payout_not_booked: "The chain's worker books it as soon as it runs; see its log if it stays.",
  payout_without_event:
    'The transaction may have left the chain: the worker reverts it; see its log if it stays.',
  payout_differs: 'Do not report this payout to the merchant until you know why.',
  fee_shares_differ: 'The shares were not derived from the payout: check its payments.',
  forwarder_holds_more: 'Check the payouts of this forwarder: one may not have been carried out.',
  forwarder_holds_less:
    'Money left that the ledger did not book: check the transactions named and the payments above.',
} as const

export type DifferenceKind = keyof typeof ADVICE
