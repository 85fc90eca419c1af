/** Money that is held. */
export const recoveries = {
  recoveriesNoneTitle: 'No money is held',
  recoveriesNoneNext: 'What arrives late, in part, or in another token waits here for you.',
  recoveriesHint: 'Money that is safe and goes nowhere by itself, and what you can do with it.',
  heldShown: '{n|one:# amount|other:# amounts} shown',
  heldHere: 'Held money',
  heldLate: 'It arrived after the invoice had ended.',
  heldWrongToken: 'It is another token than the invoice asks for.',
  heldWrongChain: 'It came on a network that the invoice does not offer.',
  heldPartial: 'Less came than the invoice asks for; the payer can still send the rest.',
  heldUnderpaid: 'The invoice has ended, and less came than it asked for.',
  heldNoRecipient: 'There is no address to forward it to.',
  heldBelowThreshold: 'It is worth less than sending it costs; it goes with what comes next.',
  heldScreening: 'Its sender is being checked by the operator.',
  heldBlocked: 'The token refuses your address.',
  heldFailed: 'Forwarding it failed; it is tried again by itself.',
  heldUntil: 'The rest can come until',
  heldNothingToDo: 'Nothing to do',
  chainSaid: 'The network said',
  unknownToken: 'units of an unknown token',
  acceptAmount: 'Accept {amount}',
  acceptTitle: 'Accept {amount} for invoice {reference}?',
  acceptLateHint:
    'It counts as if it had come in time: the invoice may be paid by it, and it is forwarded to you.',
  acceptPartialHint:
    'What came is enough: the invoice is paid, the fee is computed from less, and the money is forwarded to you.',
  refundAmount: 'Refund {amount}',
  refundTitle: 'Refund for invoice {reference}',
  refundTo: 'Refund {amount} to {address}',
  refundHowMuch: 'How much, in {asset}',
  refundAtMost: 'At most {amount}.',
  refundToWhom: 'To which address',
  refundToWhomHint:
    'Money goes back to whoever sent it. An exchange may not credit what comes back to it: ask the payer if you are not sure.',
  setRecipient: 'Set an address',
  signInToMoveMoney:
    'Sign out and in again, then repeat this: moving money needs a sign-in of the last ten minutes.',
  needsSecondFactor: 'Set up a second factor first, under Security.',
  refundAddressNotAllowed:
    'Money goes back to an address that has paid this invoice. Take one of those, or ask the operator to allow others.',
  refundByPersonOnly: 'The operator allows this refund only by a person.',
  closeDialog: 'Close',
}
