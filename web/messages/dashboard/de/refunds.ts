import type { Translated } from '../../translated.ts'
import type { refunds as en } from '../en/refunds.ts'

export const refunds: Translated<typeof en> = {
  refundsHint:
    'Rückerstattungen von Rechnungen und x402-Zahlungen, auch die aus Ihrer eigenen Wallet.',
  refundsNoneTitle: 'Noch keine Rückerstattungen',
  refundsNoneNext:
    'Erstatten Sie eine Zahlung aus ihrer Rechnung, aus einbehaltenen Beträgen oder aus x402-Zahlungen.',
  refundsNoMatch: 'Keine passenden Rückerstattungen',
  refundsShown: '{n|one:# Rückerstattung|other:# Rückerstattungen} angezeigt',
  refundOf: 'Erstattung von',
  refundFromWallet: 'Aus Ihrer Wallet',
  refundProcessing: 'In Bearbeitung',
  refundKindWallet: 'Rechnung, aus Ihrer Wallet',
  refundWaitsLimit: 'Wartet, bis das Tageslimit für Rückerstattungen reicht.',
  refundWaitsApproval: 'Wartet auf die Freigabe des Betreibers.',
  refundWaitsPause: 'Rückerstattungen sind angehalten.',
  refundSource: 'Rückerstattung aus',
  refundFromHere: 'Einzahlungsadresse: bis zu {amount}',
  refundPaidOut: 'Eigene Wallet: bis zu {amount} wurden Ihnen ausgezahlt',
  walletRefundHint:
    'Dieses Geld wurde Ihnen ausgezahlt. Senden Sie es aus Ihrer eigenen Wallet zurück: Die Überweisung wird auf {network} geprüft und als Rückerstattung erfasst.',
  walletRefundHash:
    'Eine Wallet in diesem Browser füllt ihn aus. Mit jeder anderen senden Sie zuerst die Überweisung und geben dann ihren Hash ein.',
  recordRefund: 'Rückerstattung erfassen',
  refundRecordedToast: 'Rückerstattung von {amount} erfasst',
  walletSend: '{amount} mit {wallet} senden',
  walletUnnamed: 'Ihrer Wallet',
  walletNowConnecting: 'Verbinden Sie sich in {wallet}.',
  walletNowSwitching: 'Wechseln Sie in {wallet} zu {network}.',
  walletNowConfirming: 'Bestätigen Sie die Rückerstattung in {wallet}.',
  walletNowSent:
    'Gesendet. Die Rückerstattung wird erfasst, sobald die Überweisung in einem Block ist. Lassen Sie diese Seite geöffnet.',
  walletNowDeclined:
    'Sie haben die Rückerstattung in {wallet} abgelehnt. Es wurde nichts gesendet.',
  walletNowBusy: '{wallet} hat eine offene Anfrage. Beantworten Sie diese zuerst.',
  walletNowElsewhere:
    '{wallet} ist in einem anderen Netzwerk. Wechseln Sie zu {network} und versuchen Sie es erneut.',
  walletNowFailed:
    '{wallet} konnte die Rückerstattung nicht senden. Prüfen Sie, ob genug {token} und {coin} für die Netzwerkgebühr vorhanden sind.',
  viewRefunds: 'Rückerstattungen ansehen',
}
