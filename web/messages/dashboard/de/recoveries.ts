import type { Translated } from '../../translated.ts'
import type { recoveries as en } from '../en/recoveries.ts'

export const recoveries: Translated<typeof en> = {
  recoveriesNoneTitle: 'Keine einbehaltenen Beträge',
  recoveriesNoneNext: 'Verspätete, unvollständige und unerwartete Zahlungen erscheinen hier.',
  recoveriesHint:
    'Zahlungen, die eine Entscheidung brauchen: verspätet, unvollständig, falscher Token oder falsches Netzwerk.',
  heldShown: '{n|one:# Zahlung|other:# Zahlungen} angezeigt',
  heldLate: 'Nach Ablauf der Rechnung eingegangen.',
  heldWrongToken: 'In einem Token bezahlt, den die Rechnung nicht akzeptiert.',
  heldWrongChain: 'Auf einem Netzwerk bezahlt, das die Rechnung nicht anbietet.',
  heldPartial: 'Weniger als der fällige Betrag. Der Rest kann noch gesendet werden.',
  heldUnderpaid: 'Die Rechnung ist abgelaufen, bevor sie vollständig bezahlt war.',
  heldNoRecipient: 'Keine Auszahlungsadresse.',
  heldBelowThreshold:
    'Unter dem Mindestbetrag für Auszahlungen. Wird mit der nächsten Auszahlung überwiesen.',
  heldScreening: 'Der Betreiber prüft den Absender.',
  heldBlocked: 'Der Token sperrt Ihre Auszahlungsadresse.',
  heldFailed: 'Die Auszahlung ist fehlgeschlagen und wird automatisch wiederholt.',
  heldDueBy: 'Restbetrag fällig',
  heldNoAction: 'Kein Handlungsbedarf',
  heldNoRefund: 'Keine Rückerstattung möglich:',
  heldNoSender:
    'Der Absender ist unbekannt. Fragen Sie nach einer Adresse, und bitten Sie den Betreiber, Rückerstattungen dorthin zu erlauben.',
  heldNotListed: 'Der Token ist nicht gelistet. Bitten Sie den Betreiber, ihn zu listen.',
  heldNoAddress: 'Auszahlungsadresse nicht änderbar:',
  heldNotAccepted: 'Kann nicht angenommen werden:',
  networkError: 'Netzwerkfehler',
  unknownToken: 'Einheiten eines nicht gelisteten Tokens',
  acceptAmount: '{amount} annehmen',
  acceptTitle: '{amount} für Rechnung {reference} annehmen?',
  acceptLateHint:
    'Die Zahlung zählt als rechtzeitig: Sie kann die Rechnung begleichen und wird an Sie ausgezahlt.',
  acceptPartialHint:
    'Die Rechnung gilt mit dem eingegangenen Betrag als bezahlt. Die Gebühr richtet sich nach diesem Betrag.',
  refundAmount: '{amount} rückerstatten',
  refundTitle: 'Rückerstattung zu Rechnung {reference}',
  refundTo: '{amount} an {address} rückerstatten',
  refundAmountIn: 'Betrag ({asset})',
  refundAtMost: 'Höchstens {amount}.',
  refundRecipient: 'Rückerstatten an',
  addressForm: 'Geben Sie eine Adresse ein: 0x und 40 Zeichen.',
  refundRecipientHint:
    'Rückerstattungen gehen an den Absender. Kam die Zahlung von einer Börse, fragen Sie vorher nach: Börsen schreiben Rückerstattungen möglicherweise nicht gut.',
  setRecipient: 'Auszahlungsadresse setzen',
  needsSecondFactor: 'Aktivieren Sie zuerst 2FA unter Sicherheit.',
  refundAddressNotAllowed:
    'Rückerstattungen gehen nur an Adressen, die diese Rechnung bezahlt haben. Wählen Sie eine davon, oder bitten Sie den Betreiber, andere zu erlauben.',
  refundByPersonOnly: 'Der Betreiber erlaubt diese Rückerstattung nur im Dashboard.',
  closeDialog: 'Schließen',
}
