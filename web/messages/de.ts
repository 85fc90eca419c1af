import type { Messages } from './en.ts'

export const de: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: '{merchant} bezahlen',

  chooseTitle: 'Wie möchten Sie zahlen?',
  chooseHint: 'Senden Sie von Ihrer Wallet oder Börse in dem Netzwerk, das Sie hier wählen.',
  chooseFirst: 'Wählen Sie zuerst Token und Netzwerk.',
  networkSlow: 'Verzögert',
  usually: 'meist {time}',
  recommended: 'Empfohlen',
  usualFee: 'Netzwerkgebühr etwa {fee}',
  seconds: '{n|one:# Sekunde|other:# Sekunden}',
  minutes: '{n|one:# Minute|other:# Minuten}',
  proceed: 'Weiter',
  proceedWith: 'Weiter mit {token} auf {network}',
  working: 'Wird geladen …',
  tokenOnNetwork: '{token} auf {network}',
  change: 'Token oder Netzwerk ändern',

  waitingTitle: 'Wir warten auf Ihre Zahlung',
  waitingNext: 'Senden Sie genau diesen Betrag. Diese Seite aktualisiert sich automatisch.',
  choosingTitle: 'Zahlung auswählen',
  seenTitle: 'Zahlung erkannt',
  seenNext: 'Sie müssen nichts mehr tun. Wird auf {network} bestätigt, meist innerhalb von {time}.',
  seenPartNext:
    'Ihre Zahlung wird bestätigt. Es fehlen noch {due}: Senden Sie den Rest an dieselbe Adresse.',
  signedTitle: 'Zahlung unterschrieben',
  signedNext: 'Sie müssen nichts weiter tun. {amount} werden auf {network} gesendet.',
  sentTitle: 'Zahlung gesendet',
  sentNext: 'Sie müssen nichts weiter tun. {amount} sind auf {network} unterwegs.',
  unsentTitle: 'Zahlung nicht gesendet',
  partialTitle: '{due} fehlen noch',
  partialNext: '{received} von {expected} eingegangen. Senden Sie den Rest an dieselbe Adresse.',
  paidTitle: 'Zahlung bestätigt',
  paidNext: 'Fertig. {merchant} wurde benachrichtigt.',
  completedTitle: 'Zahlung abgeschlossen',
  completedNext: '{merchant} hat Ihre Zahlung erhalten.',
  expiredTitle: 'Diese Zahlung ist abgelaufen',
  expiredNext:
    'Senden Sie nichts mehr an diese Adresse. Starten Sie bei {merchant} eine neue Zahlung.',
  expiredAgainNext:
    'Senden Sie nichts mehr an diese Adresse. Beginnen Sie neu, um eine neue zu erhalten.',
  startAgain: 'Neu beginnen',
  expiredPartNext:
    '{received} von {expected} sind rechtzeitig eingegangen. {merchant} sieht das und kann den Betrag erstatten.',
  lateTitle: 'Verspätete Zahlung eingegangen',
  lateNext:
    '{late} sind nach Ablauf der Zahlungsfrist eingegangen. {merchant} wurde benachrichtigt und kann den Betrag annehmen oder erstatten.',
  overpaidTitle: 'Sie haben {overpaid} zu viel gezahlt',
  overpaidNext:
    'Der Mehrbetrag von {overpaid} ging mit Ihrer Zahlung an {merchant}. Für eine Rückerstattung wenden Sie sich an {merchant}.',
  earlierNext:
    'Sie haben auch an eine Adresse gezahlt, die vor der Änderung Ihrer Auswahl angezeigt wurde. {merchant} sieht das und kann den Betrag erstatten.',
  wrongTokenTitle: '{amount} eingegangen, aber im falschen Token',
  wrongNetworkTitle: '{amount} eingegangen, aber im falschen Netzwerk',
  wrongNext:
    'Ihr Geld auf {network} ist sicher, zählt aber nicht für diese Zahlung. {merchant} entscheidet über eine Erstattung. Senden Sie es nicht noch einmal: Hinterlassen Sie unten eine Erstattungsadresse, und kontaktieren Sie {merchant}.',
  wrongPay: '{due} jetzt zahlen',

  amountToSend: 'Genauer Betrag',
  addressToSend: 'Adresse',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyAmount: 'Genauen Betrag kopieren',
  copyAddress: 'Adresse kopieren',
  copyHash: 'Transaktions-Hash kopieren',
  amountCopied: 'Betrag kopiert.',
  addressCopied: 'Adresse kopiert.',
  hashCopied: 'Transaktions-Hash kopiert.',
  copyRefused:
    'Ihr Browser hat das Kopieren blockiert. Markieren Sie den Text und kopieren Sie ihn manuell.',
  qrTitle: 'QR-Code',
  qrShow: 'QR-Code anzeigen',
  qrPlain: 'Nur Adresse',
  qrRequest: 'Mit Betrag',
  qrPlainLabel: 'QR-Code der Adresse',
  qrRequestLabel: 'QR-Code von Adresse, Token und Betrag',
  qrRequestHint:
    'Nicht jede Wallet unterstützt diesen Code. Prüfen Sie Token und Betrag, bevor Sie senden.',
  onlyThis: 'Senden Sie nur {token}, und nur auf {network}.',
  payBy: 'Zahlbar bis {time}',
  timeLeft: 'noch {time}',
  helpTitle: 'Was, wenn ich zu spät oder zu wenig zahle?',
  helpLate:
    'Eine verspätete Zahlung ist nicht verloren. {merchant} wird benachrichtigt und kann sie annehmen oder erstatten.',
  helpFees:
    'Börsen ziehen oft eine Gebühr ab. Geht zu wenig ein, zeigt diese Seite den offenen Betrag. Senden Sie ihn an dieselbe Adresse.',

  walletTitle: 'Mit einer Wallet zahlen',
  walletPay: 'Mit {wallet} zahlen',
  walletUnnamed: 'Ihrer Wallet',
  walletConnecting: 'Verbinden Sie sich in {wallet}.',
  walletSwitching: 'Wechseln Sie in {wallet} zu {network}.',
  walletConfirming: 'Bestätigen Sie die Zahlung in {wallet}.',
  walletSigning: 'Unterschreiben Sie die Zahlung in {wallet}.',
  walletDelivering: 'In {wallet} unterschrieben. Zahlung wird gesendet…',
  walletSent: '{wallet} hat die Zahlung gesendet. Sie erscheint hier in Kürze.',
  walletDeclined: 'Sie haben die Zahlung in {wallet} abgelehnt. Es wurde nichts gesendet.',
  walletBusy: '{wallet} hat eine offene Anfrage. Beantworten Sie diese zuerst.',
  walletElsewhere:
    '{wallet} nutzt ein anderes Netzwerk. Wechseln Sie zu {network} und versuchen Sie es erneut.',
  walletFailed:
    '{wallet} konnte die Zahlung nicht senden. Prüfen Sie, ob genug {token} und genug {coin} für die Netzwerkgebühr vorhanden ist.',
  gasless: 'Kein {coin} für Gas nötig.',
  gasNeeded: 'Benötigt {coin} für die Netzwerkgebühr.',
  byTransfer: 'Stattdessen überweisen',
  signDeclined: '{wallet} hat die Zahlung nicht unterschrieben. Es wurde nichts gesendet.',
  signUnfit:
    'Mit dieser Wallet ist keine Zahlung per Unterschrift möglich. Es wurde nichts gesendet. Sie können stattdessen überweisen.',
  signLimit:
    'Zahlungen ohne Gas sind gerade nicht möglich. Es wurde nichts gesendet. Sie können stattdessen überweisen.',
  signLate:
    'Die Unterschrift ist abgelaufen, bevor sie verwendet werden konnte. Es wurde nichts gesendet. Unterschreiben Sie erneut.',
  signAmount:
    'Der offene Betrag hat sich geändert. Es wurde nichts gesendet. Unterschreiben Sie den neuen Betrag.',
  signUsed:
    'Diese Unterschrift wurde bereits verwendet oder widerrufen. Es wurde nichts gesendet. Unterschreiben Sie erneut.',
  signShort: 'Diese Wallet enthält auf {network} weniger als {due}. Es wurde nichts gesendet.',
  signInFlight: 'Eine andere Zahlung läuft bereits. Sonst wurde nichts gesendet.',
  signClosed: 'Diese Zahlung ist nicht mehr offen. Es wurde nichts gesendet.',
  signBlocked:
    'Zahlungen von dieser Wallet werden nicht angenommen. Es wurde nichts gesendet. Verwenden Sie eine andere Wallet oder wenden Sie sich an {merchant}.',
  signPaused:
    '{token} kann derzeit nicht übertragen werden. Es wurde nichts gesendet. Versuchen Sie es später erneut.',
  signFailed: 'Das hat nicht funktioniert. Es wurde nichts gesendet. Versuchen Sie es erneut.',
  signUndone:
    'Das Netzwerk hat Ihre Zahlung nicht ausgeführt. Unterschreiben Sie erneut oder überweisen Sie.',
  signLost:
    'Ihre Unterschrift ist möglicherweise nicht angekommen. Versuchen Sie es erneut: Sie zahlen nicht doppelt.',
  walletTab: 'In neuem Tab öffnen, um mit einer Wallet zu zahlen',
  walletApp: 'Wallet-App öffnen',
  opensTab: 'öffnet in neuem Tab',

  transfersTitle: 'Ihre Zahlungen',
  explorer: 'Im Explorer anzeigen',
  confirmations: 'Bestätigungen: {n} von {needed}',
  statusPending: 'Wird bestätigt',
  statusConfirmed: 'Bestätigt',
  statusReverted: 'Fehlgeschlagen',
  kindLate: 'Verspätet',
  kindOther: 'Falscher Token oder falsches Netzwerk',
  transferReturning: 'Rückerstattung von {amount} läuft.',
  transferReturned: '{amount} rückerstattet.',

  hashTitle: 'Bezahlt, aber nicht angezeigt?',
  hashLabel: 'Transaktions-Hash',
  hashHint: '0x gefolgt von 64 Zeichen. Ihre Wallet oder Börse zeigt ihn bei der Zahlung.',
  hashSend: 'Zahlung suchen',
  hashWrong: 'Geben Sie einen Transaktions-Hash ein: 0x gefolgt von 64 Zeichen.',
  lookupPayment: 'Zahlung auf {network} gefunden. Sie zählt, sobald sie bestätigt ist.',
  lookupLate:
    'Zahlung auf {network} gefunden, aber erst nach Ablauf der Zahlungsfrist eingegangen. Sie zählt nur, wenn {merchant} sie annimmt.',
  lookupOtherNetwork:
    'Zahlung an die richtige Adresse gefunden, aber auf {network}. Dieses Netzwerk wurde nicht angeboten. {merchant} sieht die Zahlung. Wenden Sie sich an {merchant}.',
  lookupOtherToken:
    'Zahlung an die richtige Adresse auf {network} gefunden, aber in einem anderen Token. {merchant} sieht die Zahlung. Wenden Sie sich an {merchant}.',
  lookupElsewhere:
    'Transaktion auf {network} gefunden, aber ohne Zahlung an diese Adresse. Geprüft wurden Token-Überweisungen, gesendete Coins und das Guthaben der Adresse vor und nach dem Block. Vergleichen Sie die Adresse in Ihrer Wallet.',
  lookupFailed:
    'Diese Transaktion ist auf {network} fehlgeschlagen, es wurde nichts gesendet. Sie können die Zahlung erneut senden.',
  lookupNotMined:
    'Transaktion auf {network} gefunden, aber noch in keinem Block. Sie erscheint hier, sobald sie in einem ist. Senden Sie die Zahlung nicht noch einmal.',
  lookupUnknown:
    'Wir haben diese Transaktion auf keinem unterstützten Netzwerk gefunden. Prüfen Sie Hash und Netzwerk.',
  lookupIncomplete:
    'Einige Netzwerke haben noch nicht geantwortet. Eine Zahlung an diese Adresse erscheint hier automatisch. Versuchen Sie es sonst in einer Minute erneut.',

  refundTitle: 'Rückerstattungsadresse angeben',
  refundLabel: 'Ihre Adresse',
  refundHint:
    'Verwenden Sie Ihre eigene Wallet im Netzwerk Ihrer Zahlung, keine Adresse einer Börse.',
  refundSend: 'Speichern',
  refundSaved: 'Rückerstattungen von {merchant} gehen an {address}.',
  refundWrong: 'Geben Sie eine Adresse ein: 0x gefolgt von 40 Zeichen.',

  tooOften: 'Zu viele Versuche. Versuchen Sie es in einer Minute erneut.',
  tryAgain: 'Das hat nicht funktioniert. Versuchen Sie es erneut.',
  offline: 'Verbindung unterbrochen. Sie wird wiederhergestellt. Ihre Zahlung ist sicher.',
  refresh: 'Seite neu laden',
  refreshHint: 'Ohne JavaScript aktualisiert sich diese Seite nicht automatisch.',

  receiptTitle: 'Beleg',
  receiptPaid: 'Bezahlt',
  receiptMerchant: 'Bezahlt an',
  receiptFor: 'Für',
  receiptAmount: 'Betrag',
  receiptReceived: 'Erhalten',
  receiptReference: 'Referenz',
  receiptPayer: 'Bezahlt von',
  receiptDate: 'Datum',
  receiptTransaction: 'Transaktion auf {network}',
  receiptMail: 'Beleg per E-Mail',
  receiptEmail: 'E-Mail-Adresse für den Beleg',
  receiptSend: 'Senden',
  receiptHint: 'Wird nur für diesen Beleg verwendet.',
  receiptWrong: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  receiptSent: 'Beleg gesendet. Er kommt in wenigen Minuten an.',
  print: 'Beleg drucken',
  goBack: 'Zurück zu {merchant}',
  close: 'Schließen',

  support: 'Fragen zu dieser Zahlung?',
  supportEmail: 'E-Mail an {merchant}',
  supportPage: 'Hilfe von {merchant}',
  supportNone: 'Kontaktieren Sie {merchant}.',
  quote: 'Geben Sie die Referenz {reference} an.',
  language: 'Sprache',
  languageSet: 'Übernehmen',
}
