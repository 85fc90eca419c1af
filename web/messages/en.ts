/** What the page says. English is the type: every other language has the same entries. */
export const en = {
  decimalMark: '.',
  groupMark: ',',

  title: 'Pay {merchant}',

  chooseTitle: 'Choose how to pay',
  chooseHint: 'Send from your wallet or exchange on the network you choose here.',
  networkSlow: 'Delayed',
  usually: 'usually {time}',
  seconds: '{n|one:# second|other:# seconds}',
  minutes: '{n|one:# minute|other:# minutes}',
  proceed: 'Continue',
  working: 'Loading…',
  tokenOnNetwork: '{token} on {network}',
  change: 'Change token or network',

  waitingTitle: 'Waiting for your payment',
  waitingNext: 'Send the exact amount. This page updates automatically.',
  choosingTitle: 'Ready when you are',
  seenTitle: 'Payment detected',
  seenNext: 'Nothing more to do. Confirming on {network}, usually within {time}.',
  seenPartNext: 'Confirming your payment. {due} is still due: send it to the same address.',
  partialTitle: '{due} still due',
  partialNext: '{received} of {expected} received. Send the rest to the same address.',
  paidTitle: 'Payment confirmed',
  paidNext: 'You’re done. {merchant} has been notified.',
  completedTitle: 'Payment complete',
  completedNext: '{merchant} has received your payment.',
  expiredTitle: 'This payment has expired',
  expiredNext: 'Don’t send funds to this address. Go back to {merchant} to start again.',
  expiredPartNext:
    '{received} of {expected} was received in time. {merchant} can see it and refund it.',
  lateTitle: 'Late payment received',
  lateNext:
    '{late} arrived after the payment expired. {merchant} has been notified and can accept or refund it.',
  overpaidTitle: 'You overpaid by {overpaid}',
  overpaidNext:
    'The extra {overpaid} went to {merchant} with your payment. Contact {merchant} for a refund.',
  earlierNext:
    'You also sent funds to an address shown before you changed your choice. {merchant} can see and refund them.',

  amountToSend: 'Exact amount',
  addressToSend: 'Address',
  copy: 'Copy',
  copied: 'Copied',
  copyAmount: 'Copy exact amount',
  copyAddress: 'Copy address',
  amountCopied: 'Amount copied.',
  addressCopied: 'Address copied.',
  copyRefused: 'Your browser blocked copying. Select the text and copy it manually.',
  qrTitle: 'QR code',
  qrPlain: 'Address only',
  qrRequest: 'With amount',
  qrPlainLabel: 'QR code of the address',
  qrRequestLabel: 'QR code of the address, the token and the amount',
  qrRequestHint: 'Not every wallet supports this code. Check the token and amount before you send.',
  onlyThis: 'Send only {token}, and only on {network}.',
  payBy: 'Pay by {time}',
  timeLeft: '{time} left',
  helpTitle: 'What if I pay late or too little?',
  helpLate: 'A late payment isn’t lost. {merchant} is notified and can accept or refund it.',
  helpFees:
    'Exchanges often deduct a fee. If too little arrives, this page shows the amount still due. Send it to the same address.',

  walletTitle: 'Or pay from a wallet',
  walletPay: 'Pay with {wallet}',
  walletConnecting: 'Connect in {wallet}.',
  walletSwitching: 'Switch to {network} in {wallet}.',
  walletConfirming: 'Confirm the payment in {wallet}.',
  walletSent: '{wallet} sent the payment. It appears here soon.',
  walletDeclined: 'You declined the payment in {wallet}. Nothing was sent.',
  walletBusy: '{wallet} has an open request. Respond to it first.',
  walletElsewhere: '{wallet} is on another network. Switch to {network} and try again.',
  walletFailed:
    '{wallet} couldn’t send the payment. Check that it holds enough {token}, and {coin} for the network fee.',
  walletTab: 'Open in a new tab to pay from a wallet',
  walletApp: 'Open wallet app',
  opensTab: 'opens in a new tab',

  transfersTitle: 'Your payments',
  explorer: 'View on explorer',
  confirmations: 'Confirmations: {n} of {needed}',
  statusPending: 'Confirming',
  statusConfirmed: 'Confirmed',
  statusReverted: 'Failed',
  kindLate: 'Late',
  kindOther: 'Wrong token or network',
  transferReturning: 'Refund of {amount} in progress.',
  transferReturned: '{amount} refunded.',

  hashTitle: 'Paid but not showing?',
  hashLabel: 'Transaction hash',
  hashHint: '0x followed by 64 characters. Your wallet or exchange shows it with the payment.',
  hashSend: 'Find payment',
  hashWrong: 'Enter a transaction hash: 0x followed by 64 characters.',
  lookupPayment: 'Payment found on {network}. It counts once it is confirmed.',
  lookupLate:
    'Payment found on {network}, but it arrived after the payment expired. It counts only if {merchant} accepts it.',
  lookupOtherNetwork:
    'Payment found at the right address, but on {network}, which wasn’t offered. {merchant} can see it. Contact {merchant} for help.',
  lookupOtherToken:
    'Payment found at the right address on {network}, but in another token. {merchant} can see it. Contact {merchant} for help.',
  lookupElsewhere:
    'Transaction found on {network}, but it didn’t pay this address. We checked its token transfers, the coin it sent, and the balance of the address before and after its block. Compare the address in your wallet.',
  lookupFailed:
    'This transaction failed on {network}, so nothing was sent. You can send the payment again.',
  lookupNotMined:
    'Transaction found on {network}, but not in a block yet. It appears here once it is. Don’t send the payment again.',
  lookupUnknown:
    'We couldn’t find this transaction on any supported network. Check the hash and the network.',
  lookupIncomplete:
    'Some networks haven’t answered yet. A payment to this address appears here automatically. Otherwise, try again in a minute.',

  refundTitle: 'Add a refund address',
  refundLabel: 'Your address',
  refundHint: 'Use your own wallet on the network you paid on, not an exchange address.',
  refundSend: 'Save',
  refundSaved: 'Refunds from {merchant} go to {address}.',
  refundWrong: 'Enter an address: 0x followed by 40 characters.',

  tooOften: 'Too many attempts. Try again in a minute.',
  tryAgain: 'That didn’t work. Try again.',
  offline: 'Connection lost. Reconnecting… Your payment is safe.',
  refresh: 'Refresh page',
  refreshHint: 'Without JavaScript, this page doesn’t update automatically.',

  receiptTitle: 'Receipt',
  receiptMerchant: 'Paid to',
  receiptFor: 'For',
  receiptAmount: 'Amount',
  receiptReceived: 'Received',
  receiptReference: 'Reference',
  receiptDate: 'Date',
  receiptTransaction: 'Transaction on {network}',
  print: 'Print receipt',
  goBack: 'Back to {merchant}',
  close: 'Close',

  support: 'Questions about this payment?',
  supportEmail: 'Email {merchant}',
  supportPage: 'Get help from {merchant}',
  supportNone: 'Contact {merchant}.',
  quote: 'Include reference {reference}.',
  language: 'Language',
  languageSet: 'Apply',
}

export type Messages = { readonly [Key in keyof typeof en]: string }
