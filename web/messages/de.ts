import type { Messages } from './en.ts'

export const de: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: '{merchant} bezahlen',

  chooseTitle: 'Wie möchten Sie zahlen?',
  chooseHint: 'Ihre Wallet oder Börse muss in dem Netzwerk senden, das Sie hier wählen.',
  networkOk: 'Läuft normal',
  networkSlow: 'Langsamer als sonst',
  usually: 'meist {time}',
  seconds: '{n|one:# Sekunde|other:# Sekunden}',
  minutes: '{n|one:# Minute|other:# Minuten}',
  goOn: 'Weiter',
  working: 'Einen Moment',
  tokenOnNetwork: '{token} auf {network}',
  change: 'Token oder Netzwerk ändern',

  waitingTitle: 'Wir warten auf Ihre Zahlung',
  waitingNext:
    'Senden Sie genau den Betrag unten. Diese Seite zeigt ihn, sobald er im Netzwerk ist.',
  choosingTitle: 'Es kann losgehen',
  seenTitle: 'Zahlung gesehen',
  seenNext:
    'Sie müssen nichts mehr tun. Sie zählt, sobald das Netzwerk sie bestätigt hat, meist innerhalb von {time}.',
  seenPartNext: 'Sie wird gerade bestätigt. {due} fehlen noch: senden Sie sie an dieselbe Adresse.',
  partialTitle: '{due} fehlen noch',
  partialNext: '{received} von {expected} sind da. Senden Sie den Rest an dieselbe Adresse.',
  paidTitle: 'Bezahlt',
  paidNext:
    'Ihre Zahlung ist bestätigt und unterwegs zu {merchant}. Sie können diese Seite schließen.',
  completedTitle: 'Zahlung abgeschlossen',
  completedNext: '{merchant} hat Ihre Zahlung erhalten.',
  expiredTitle: 'Die Zeit zum Zahlen ist vorbei',
  expiredNext:
    'Bitte senden Sie nichts mehr an diese Adresse. Bitten Sie {merchant} um eine neue Zahlung.',
  expiredPartNext:
    '{received} von {expected} kamen rechtzeitig an. {merchant} sieht das und kann sie zurückgeben.',
  lateTitle: 'Eine Zahlung kam zu spät',
  lateNext:
    '{late} kamen nach Ablauf der Zeit an. {merchant} weiß davon und kann sie annehmen oder zurückgeben.',
  overpaidTitle: 'Sie haben {overpaid} zu viel gesendet',
  overpaidNext:
    'Der Rest ist nicht verloren: er geht mit Ihrer Zahlung an {merchant}. Bitten Sie {merchant}, ihn zurückzugeben.',
  earlierNext:
    'Sie haben auch an eine Adresse gesendet, die hier vor Ihrer neuen Wahl stand. {merchant} sieht das und kann es zurückgeben.',

  amountToSend: 'Genauer Betrag',
  addressToSend: 'Adresse',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyAmount: 'Genauen Betrag kopieren',
  copyAddress: 'Adresse kopieren',
  amountCopied: 'Der Betrag ist kopiert.',
  addressCopied: 'Die Adresse ist kopiert.',
  copyRefused:
    'Ihr Browser erlaubt das Kopieren nicht. Markieren Sie den Text und kopieren Sie ihn selbst.',
  qrTitle: 'QR-Code',
  qrPlain: 'Nur Adresse',
  qrRequest: 'Mit Betrag',
  qrPlainLabel: 'QR-Code der Adresse',
  qrRequestLabel: 'QR-Code von Adresse, Token und Betrag',
  qrRequestHint:
    'Nicht jede Wallet liest diesen Code. Prüfen Sie Token und Betrag, bevor Sie senden.',
  onlyThis: 'Senden Sie nur {token}, und nur auf {network}.',
  payBy: 'Zahlbar bis {time}',
  timeLeft: 'noch {time}',
  helpTitle: 'Was, wenn es zu spät oder zu wenig ist?',
  helpLate:
    'Eine Zahlung, die zu spät ankommt, ist nicht verloren. {merchant} erfährt davon und kann sie annehmen oder zurückgeben.',
  helpFees:
    'Börsen ziehen oft eine Gebühr ab. Kommt zu wenig an, nennt diese Seite den Rest, und Sie senden ihn an dieselbe Adresse.',

  walletTitle: 'Oder mit einer Wallet zahlen',
  walletPay: 'Mit {wallet} zahlen',
  walletConnecting: 'Verbinden Sie sich in {wallet}.',
  walletSwitching: 'Wechseln Sie in {wallet} zu {network}.',
  walletConfirming: 'Bestätigen Sie die Zahlung in {wallet}.',
  walletSent: '{wallet} hat die Zahlung gesendet. Gleich ist sie im Netzwerk.',
  walletDeclined: 'Sie haben in {wallet} abgelehnt. Es wurde nichts gesendet.',
  walletBusy: 'In {wallet} ist noch eine Anfrage offen. Beantworten Sie zuerst diese.',
  walletElsewhere:
    '{wallet} ist noch in einem anderen Netzwerk. Wechseln Sie zu {network} und versuchen Sie es noch einmal.',
  walletFailed:
    '{wallet} konnte nicht senden. Prüfen Sie, ob genug {token} da ist, und {coin} für die Netzwerkgebühr.',
  walletTab: 'In neuem Tab öffnen, um mit einer Wallet zu zahlen',
  walletApp: 'In einer Wallet-App öffnen',
  opensTab: 'öffnet in neuem Tab',

  transfersTitle: 'Ihre Zahlungen',
  explorer: 'Im Explorer zeigen',
  confirmations: 'Bestätigungen: {n} von {needed}',
  statusPending: 'Wird bestätigt',
  statusConfirmed: 'Bestätigt',
  statusReverted: 'Im Netzwerk gescheitert',
  kindLate: 'Zu spät',
  kindOther: 'Anderer Token oder anderes Netzwerk',
  transferReturning: '{amount} sind auf dem Rückweg.',
  transferReturned: '{amount} wurden zurückgegeben.',

  hashTitle: 'Schon gesendet? Transaktions-Hash einfügen',
  hashLabel: 'Transaktions-Hash',
  hashHint: '0x und 64 Zeichen. Ihre Wallet oder Börse zeigt ihn bei der Zahlung.',
  hashSend: 'Nachsehen',
  hashWrong: 'Das ist noch kein Hash. Er besteht aus 0x und 64 Zeichen von 0 bis 9 und a bis f.',
  lookupPayment: 'Auf {network} gefunden. Sie gehört hierher und zählt, sobald sie bestätigt ist.',
  lookupLate:
    'Auf {network} gefunden, aber sie kam nach Ablauf der Zeit. Sie zählt nur, wenn {merchant} sie annimmt.',
  lookupOtherNetwork:
    'Sie ging an die richtige Adresse, aber auf {network}, das hier nicht zur Wahl stand. {merchant} sieht sie: fragen Sie dort, was damit geschieht.',
  lookupOtherToken:
    'Sie ging auf {network} an die richtige Adresse, aber in einem anderen Token. {merchant} sieht sie: fragen Sie dort, was damit geschieht.',
  lookupElsewhere:
    'Auf {network} gefunden. Wir haben ihre Token-Überweisungen, die von ihr selbst gesendeten Coins und das Guthaben der Adresse hier vor und nach ihrem Block geprüft und nichts für diese Zahlung gefunden. Vergleichen Sie die Adresse in Ihrer Wallet.',
  lookupFailed:
    'Sie ist auf {network} gescheitert, es wurde also nichts gesendet. Sie können noch einmal zahlen.',
  lookupNotMined:
    '{network} kennt sie, aber sie ist noch in keinem Block. Diese Seite zeigt sie, sobald sie es ist; senden Sie nicht noch einmal.',
  lookupUnknown:
    'Kein Netzwerk, das wir beobachten, kennt sie. Prüfen Sie den Hash, und ob Sie in einem der Netzwerke hier gesendet haben.',
  lookupLooking:
    'Nicht jedes Netzwerk hat geantwortet. Eine Zahlung an diese Adresse erscheint hier von selbst; sonst suche in einer Minute noch einmal.',

  refundTitle: 'Adresse für Rückzahlungen angeben',
  refundLabel: 'Ihre Adresse',
  refundHint:
    'Eine eigene Adresse, die diesen Token in Ihrem Netzwerk annimmt. Nicht die einer Börse.',
  refundSend: 'Speichern',
  refundSaved: 'Gibt {merchant} Geld zurück, geht es an {address}.',
  refundWrong:
    'Das ist noch keine Adresse. Sie besteht aus 0x und 40 Zeichen von 0 bis 9 und a bis f.',

  tooOften: 'Das war zu oft in kurzer Zeit. Warten Sie eine Minute und versuchen Sie es wieder.',
  tryAgain: 'Das hat nicht geklappt. Versuchen Sie es noch einmal.',
  offline: 'Die Verbindung ist weg. Wir versuchen es weiter; Ihre Zahlung ist sicher.',
  refresh: 'Seite neu laden',
  refreshHint: 'Ohne JavaScript ändert sich diese Seite nicht von selbst.',

  receiptTitle: 'Beleg',
  receiptMerchant: 'Bezahlt an',
  receiptFor: 'Für',
  receiptAmount: 'Betrag',
  receiptReceived: 'Erhalten',
  receiptReference: 'Referenz',
  receiptDate: 'Datum',
  receiptTransaction: 'Transaktion auf {network}',
  print: 'Beleg drucken',
  goBack: 'Zurück zu {merchant}',
  close: 'Schließen',

  support: 'Fragen zu dieser Zahlung?',
  supportMail: '{merchant} schreiben',
  supportPage: 'Hilfe von {merchant}',
  supportNone: 'Wenden Sie sich an {merchant}, so wie Sie hierher gekommen sind.',
  quote: 'Nennen Sie {reference}.',
  language: 'Sprache',
  languageSet: 'Wählen',
}
