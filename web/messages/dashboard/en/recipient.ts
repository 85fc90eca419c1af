/** Where the money goes, and changes of that. */
export const recipient = {
  recipientNone: 'No payout address yet. Payments are held until you add one.',
  recipientNewHint:
    'Must be yours on every network. Paste it exactly as your wallet shows it: the capital letters are a checksum.',
  recipientReview: 'Is this address yours?',
  recipientReviewHint:
    'Compare it with your wallet, character by character. Money sent to a wrong address is lost.',
  recipientReviewDelay:
    'Active in {n|one:# hour|other:# hours}. Payouts may be held until then. All owners are notified by email and can cancel the change.',
  recipientReviewNow: 'Active immediately. All owners are notified by email.',
  recipientSend: 'Pay out to {address}',
  recipientPending: 'Pending address change',
  recipientPendingHint: 'Requested by {who}. Payouts may be held until the change is active.',
  recipientActiveFrom: 'Active from',
  recipientNeedsApproval: 'The change must be approved before its delay starts.',
  recipientCancel: 'Cancel change',
  recipientCancelTitle: 'Cancel this change?',
  recipientCancelHint: 'Your payout address stays {address}.',
  recipientCancelNone: 'You will have no payout address.',
  recipientReadOnly: 'Only owners can change the payout address.',
  recipientPast: 'Past changes',
  requestClosed: 'Requested by {who}, closed by {by}',
  change_needs_approval: 'Needs approval',
  change_waiting: 'Pending',
  change_in_force: 'Active',
  change_cancelled: 'Canceled',
  change_refused: 'Refused',
  change_expired: 'Expired',
  change_replaced: 'Replaced by the operator',
  change_impossible: 'Not possible',
  stopHint:
    '{who} requested another payout address for {merchant}. If you don’t recognize this, cancel the change. The current address stays active.',
  stopDone: 'Change canceled',
  stopDoneNext:
    'Your payout address has not changed. Review your members and API keys: the requester can make it again.',
  stopOver: 'This change has already ended',
  stopActive:
    'The new address is already active. Sign in, change the payout address and contact your operator immediately.',
  stopOverNext: 'Its status is: {status}.',
  stopGone: 'This link doesn’t work',
  stopGoneNext:
    'Part of the link may be missing. Copy the full link from the email, or sign in and cancel the change in Settings.',
}
