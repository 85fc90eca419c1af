/** What the page says. English is the type: every other language has the same entries. */
export const en = {
  decimalMark: '.',
  groupMark: ',',

  title: 'Pay {merchant}',

  chooseTitle: 'Choose how to pay',
  chooseHint: 'Your wallet or exchange must send on the network that you choose here.',
  networkOk: 'Working normally',
  networkSlow: 'Slower than usual',
  usually: 'usually {time}',
  seconds: '{n|one:# second|other:# seconds}',
  minutes: '{n|one:# minute|other:# minutes}',
  goOn: 'Continue',
  working: 'One moment',
  tokenOnNetwork: '{token} on {network}',
  change: 'Change token or network',

  waitingTitle: 'Waiting for your payment',
  waitingNext: 'Send the exact amount below. This page shows it as soon as the network has it.',
  choosingTitle: 'Ready when you are',
  seenTitle: 'Payment seen',
  seenNext:
    'There is nothing more to do. It counts once the network has confirmed it, usually within {time}.',
  seenPartNext: 'It is being confirmed. {due} is still due: send it to the same address.',
  partialTitle: '{due} still due',
  partialNext: '{received} of {expected} has arrived. Send the rest to the same address.',
  paidTitle: 'Paid',
  paidNext: 'Your payment is confirmed and on its way to {merchant}. You can close this page.',
  completedTitle: 'Payment complete',
  completedNext: '{merchant} has received your payment.',
  expiredTitle: 'The time to pay has ended',
  expiredNext:
    'Please don’t send anything to this address any more. Ask {merchant} for a new payment.',
  expiredPartNext:
    '{received} of {expected} arrived in time. {merchant} can see it and return it to you.',
  lateTitle: 'A payment arrived late',
  lateNext:
    '{late} arrived after the time to pay. {merchant} has been told and can accept it or return it.',
  overpaidTitle: 'You sent {overpaid} too much',
  overpaidNext:
    'The rest is not lost: it reaches {merchant} with your payment. Ask {merchant} to return it.',
  earlierNext:
    'You also sent money to an address shown here before you chose again. {merchant} can see it and return it.',

  amountToSend: 'Exact amount',
  addressToSend: 'Address',
  copy: 'Copy',
  copied: 'Copied',
  copyAmount: 'Copy the exact amount',
  copyAddress: 'Copy the address',
  amountCopied: 'The amount is copied.',
  addressCopied: 'The address is copied.',
  copyRefused: 'Your browser doesn’t allow copying. Select the text and copy it yourself.',
  qrTitle: 'QR code',
  qrPlain: 'Address only',
  qrRequest: 'With amount',
  qrPlainLabel: 'QR code of the address',
  qrRequestLabel: 'QR code of the address, the token and the amount',
  qrRequestHint: 'Not every wallet reads this code. Check token and amount before you send.',
  onlyThis: 'Send only {token}, and only on {network}.',
  payBy: 'Pay by {time}',
  timeLeft: '{time} left',
  helpTitle: 'What if it is late, or too little?',
  helpLate:
    'A payment that arrives after the time to pay is not lost. {merchant} is told of it and can accept it or return it.',
  helpFees:
    'Exchanges often deduct a fee from what you send. If too little arrives, this page says what is still due, and you send it to the same address.',

  walletTitle: 'Or pay from a wallet',
  walletPay: 'Pay with {wallet}',
  walletConnecting: 'Connect in {wallet}.',
  walletSwitching: 'Switch to {network} in {wallet}.',
  walletConfirming: 'Confirm the payment in {wallet}.',
  walletSent: '{wallet} has sent the payment. The network has it soon.',
  walletDeclined: 'You declined in {wallet}. Nothing was sent.',
  walletBusy: '{wallet} has a request open. Answer it there first.',
  walletElsewhere: '{wallet} is still on another network. Switch it to {network} and try again.',
  walletFailed:
    '{wallet} could not send it. Check that it holds enough {token}, and {coin} for the network’s fee.',
  walletTab: 'Open in a new tab to pay from a wallet',
  walletApp: 'Open in a wallet app',
  opensTab: 'opens in a new tab',

  transfersTitle: 'Your payments',
  explorer: 'Show in the explorer',
  confirmations: 'Confirmations: {n} of {needed}',
  statusPending: 'Being confirmed',
  statusConfirmed: 'Confirmed',
  statusReverted: 'Failed on the network',
  kindLate: 'Late',
  kindOther: 'Another token or network',
  transferReturning: '{amount} is on its way back.',
  transferReturned: '{amount} was returned.',

  hashTitle: 'Already sent? Paste the transaction hash',
  hashLabel: 'Transaction hash',
  hashHint: '0x and 64 characters. Your wallet or exchange shows it with the payment.',
  hashSend: 'Look it up',
  hashWrong: 'That is no transaction hash yet. It is 0x and 64 characters from 0 to 9 and a to f.',
  lookupPayment: 'Found on {network}. It pays this, and is counted once it is confirmed.',
  lookupLate:
    'Found on {network}, but it came after the time to pay. It counts only if {merchant} accepts it.',
  lookupOtherNetwork:
    'It went to the right address, but on {network}, which was not offered. {merchant} can see it: ask there what happens with it.',
  lookupOtherToken:
    'It went to the right address on {network}, but in another token. {merchant} can see it: ask there what happens with it.',
  lookupElsewhere:
    'Found on {network}. We checked its token transfers, the coin it sent itself, and the balance of the address shown here before and after its block, and found nothing for this payment. Compare the address in your wallet.',
  lookupFailed: 'It failed on {network}, so nothing was sent. You can send the payment again.',
  lookupNotMined:
    '{network} knows it, but it is in no block yet. This page shows it as soon as it is; don’t send again.',
  lookupUnknown:
    'No network that we watch knows it. Check the hash, and that it was sent on a network offered here.',
  lookupLooking:
    'Not every network has answered. A payment to this address appears here by itself; for anything else, look again in a minute.',

  refundTitle: 'Leave an address for refunds',
  refundLabel: 'Your address',
  refundHint:
    'An address that is your own and takes this token on the network that you paid on. Not one of an exchange.',
  refundSend: 'Save',
  refundSaved: 'If {merchant} returns money, it goes to {address}.',
  refundWrong: 'That is no address yet. It is 0x and 40 characters from 0 to 9 and a to f.',

  tooOften: 'That was too often in a short time. Wait a minute and try again.',
  tryAgain: 'That didn’t work. Try again.',
  offline: 'The connection is lost. We keep trying; your payment is safe.',
  refresh: 'Refresh this page',
  refreshHint: 'Without JavaScript, this page doesn’t change by itself.',

  receiptTitle: 'Receipt',
  receiptMerchant: 'Paid to',
  receiptFor: 'For',
  receiptAmount: 'Amount',
  receiptReceived: 'Received',
  receiptReference: 'Reference',
  receiptDate: 'Date',
  receiptTransaction: 'Transaction on {network}',
  print: 'Print the receipt',
  goBack: 'Back to {merchant}',
  close: 'Close',

  support: 'Questions about this payment?',
  supportMail: 'Write to {merchant}',
  supportPage: 'Get help from {merchant}',
  supportNone: 'Contact {merchant} the way that you came here.',
  quote: 'Quote {reference}.',
  language: 'Language',
  languageSet: 'Set',
}

export type Messages = { readonly [Key in keyof typeof en]: string }
