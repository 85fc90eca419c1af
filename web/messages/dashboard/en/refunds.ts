/** Refunds of all kinds. */
export const refunds = {
  refundsHint: 'Refunds of invoices and x402 payments, including those from your own wallet.',
  refundsNoneTitle: 'No refunds yet',
  refundsNoneNext: 'Refund a payment from its invoice, from held funds, or from x402 payments.',
  refundsNoMatch: 'No refunds match these filters',
  refundsShown: '{n|one:# refund|other:# refunds} shown',
  refundOf: 'Refund of',
  refundFromWallet: 'From your wallet',
  refundProcessing: 'Processing',
  refundKindWallet: 'Invoice, from your wallet',
  refundWaitsLimit: 'Waiting for room in the daily refund limit.',
  refundWaitsApproval: 'Waiting for the operator’s approval.',
  refundWaitsPause: 'Refunds are paused.',
  refundSource: 'Refund from',
  refundFromHere: 'Deposit address: up to {amount}',
  refundPaidOut: 'Your own wallet: up to {amount} was paid out to you',
  walletRefundHint:
    'This money was paid out to you. Send it back from your own wallet: the transfer is verified on {network} and recorded as a refund.',
  walletRefundHash:
    'A wallet in this browser fills it in. From any other wallet, send the transfer first, then enter its hash.',
  recordRefund: 'Record refund',
  refundRecordedToast: 'Refund of {amount} recorded',
  walletSend: 'Send {amount} with {wallet}',
  walletUnnamed: 'your wallet',
  walletNowConnecting: 'Connect in {wallet}.',
  walletNowSwitching: 'Switch to {network} in {wallet}.',
  walletNowConfirming: 'Confirm the refund in {wallet}.',
  walletNowSent:
    'Sent. The refund is recorded once the transfer is in a block. Keep this page open.',
  walletNowDeclined: 'You declined the refund in {wallet}. Nothing was sent.',
  walletNowBusy: '{wallet} has an open request. Respond to it first.',
  walletNowElsewhere: '{wallet} is on another network. Switch to {network} and try again.',
  walletNowFailed:
    '{wallet} couldn’t send the refund. Check that it holds enough {token}, and {coin} for the network fee.',
  viewRefunds: 'View refunds',
}
