/** Where the money goes, and changes of that. */
export const recipient = {
  recipientTitle: 'Where your money goes',
  recipientNone: 'There is no address yet. What is paid is kept safe until there is one.',
  recipientChange: 'Change the address',
  recipientSet: 'Set the address',
  recipientNew: 'New address',
  recipientNewHint:
    'An account of yours on every network, exactly as your wallet or an explorer shows it: small and capital letters check each other.',
  recipientNext: 'Continue',
  recipientReview: 'Is this address yours?',
  recipientReviewHint:
    'Compare it with your wallet, letter by letter. What goes to a wrong address is lost.',
  recipientReviewDelay:
    'It is in force in {n|one:# hour|other:# hours}. Until then payouts may wait, every owner is told by mail, and any of them can cancel it.',
  recipientReviewNow: 'It is in force at once, and every owner is told by mail.',
  recipientSend: 'Send money to {address}',
  recipientWaits: 'Another address waits',
  recipientWaitsHint: '{who} has asked for it. Payouts may wait until then; nothing is lost.',
  recipientInForce: 'In force',
  recipientNeedsApproval: 'Another person has to approve it before its time begins.',
  recipientCancel: 'Cancel the change',
  recipientCancelTitle: 'Cancel this change?',
  recipientCancelHint: 'Your money goes on going to {address}.',
  recipientCancelNone: 'There is still no address then.',
  recipientReadOnly: 'Only owners change the address.',
  recipientBefore: 'Changes before',
  recipientEnded: '{who}, ended by {by}',
  change_needs_approval: 'Needs approval',
  change_waiting: 'Waits',
  change_in_force: 'In force',
  change_cancelled: 'Cancelled',
  change_refused: 'Refused',
  change_expired: 'Expired',
  change_replaced: 'Replaced by the operator',
  change_impossible: 'Not possible',
  stopTitle: 'Stop this change?',
  stopHint:
    '{who} wants the money of {merchant} to go to another address. If that is wrong, cancel it: everything stays as it is.',
  stopDone: 'The change is cancelled',
  stopDoneNext:
    'Your money goes where it went before. Look at the members and keys of your merchant: whoever has asked for this can ask again.',
  stopOver: 'This change is over',
  stopInForce:
    'It is in force already. Sign in, set the address again and tell whoever runs this deployment at once.',
  stopOverNext: 'It has already ended: {status}.',
  stopGone: 'This link doesn’t work',
  stopGoneNext:
    'Part of it may be missing. Copy the whole link from the mail, or sign in and cancel the change under Settings.',
}
