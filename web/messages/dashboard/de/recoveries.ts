import type { Translated } from '../../translated.ts'
import type { recoveries as en } from '../en/recoveries.ts'

export const recoveries: Translated<typeof en> = {
  recoveriesNoneTitle: 'Kein Geld liegt fest',
  recoveriesNoneNext:
    'Was zu spät, zum Teil oder in einem anderen Token ankommt, wartet hier auf Sie.',
  recoveriesHint:
    'Geld, das sicher ist und sich von selbst nicht bewegt, und was Sie damit tun können.',
  heldShown: '{n|one:# Betrag|other:# Beträge} zu sehen',
  heldHere: 'Geld, das festliegt',
  heldLate: 'Es kam an, nachdem die Rechnung abgelaufen war.',
  heldWrongToken: 'Es ist ein anderer Token, als die Rechnung verlangt.',
  heldWrongChain: 'Es kam über ein Netzwerk, das die Rechnung nicht anbietet.',
  heldPartial: 'Es kam weniger, als die Rechnung verlangt; der Zahler kann den Rest noch senden.',
  heldUnderpaid: 'Die Rechnung ist abgelaufen, und es kam weniger, als sie verlangte.',
  heldNoRecipient: 'Es gibt keine Adresse, an die es weitergeleitet werden kann.',
  heldBelowThreshold:
    'Es ist weniger wert, als das Senden kostet; es geht mit dem nächsten Betrag mit.',
  heldScreening: 'Der Betreiber prüft, wer es gesendet hat.',
  heldBlocked: 'Der Token verweigert Ihre Adresse.',
  heldFailed: 'Das Weiterleiten ist gescheitert; es wird von selbst wieder versucht.',
  heldUntil: 'Der Rest kann kommen bis',
  heldNothingToDo: 'Nichts zu tun',
  heldNoRefund: 'Es kann nicht erstattet werden:',
  heldNoSender:
    'Der Absender ist nicht bekannt. Fragen Sie den Zahler nach einer Adresse und bitten Sie den Betreiber, Erstattungen dorthin zu erlauben.',
  heldNotListed: 'Der Token ist nicht gelistet. Bitten Sie den Betreiber, ihn aufzunehmen.',
  heldNoAddress: 'Keine andere Adresse kann gesetzt werden:',
  heldNotAccepted: 'Es kann nicht angenommen werden:',
  chainSaid: 'Das Netzwerk sagte',
  unknownToken: 'Einheiten eines unbekannten Tokens',
  acceptAmount: '{amount} annehmen',
  acceptTitle: '{amount} für Rechnung {reference} annehmen?',
  acceptLateHint:
    'Es zählt, als wäre es rechtzeitig gekommen: Die Rechnung kann damit bezahlt sein, und es wird an Sie weitergeleitet.',
  acceptPartialHint:
    'Was kam, genügt: Die Rechnung ist bezahlt, die Gebühr wird vom kleineren Betrag berechnet, und das Geld wird an Sie weitergeleitet.',
  refundAmount: '{amount} zurückzahlen',
  refundTitle: 'Erstattung zu Rechnung {reference}',
  refundTo: '{amount} an {address} zurückzahlen',
  refundHowMuch: 'Wie viel, in {asset}',
  refundAtMost: 'Höchstens {amount}.',
  refundToWhom: 'An welche Adresse',
  refundToWhomHint:
    'Geld geht an den zurück, der es gesendet hat. Eine Börse schreibt es vielleicht nicht gut: Fragen Sie im Zweifel den Zahler.',
  setRecipient: 'Adresse festlegen',
  signInToMoveMoney:
    'Melden Sie sich ab und wieder an und wiederholen Sie es: Geld bewegen Sie nur in den zehn Minuten nach der Anmeldung.',
  needsSecondFactor: 'Richten Sie zuerst unter Sicherheit einen zweiten Faktor ein.',
  refundAddressNotAllowed:
    'Geld geht an eine Adresse zurück, die diese Rechnung bezahlt hat. Nehmen Sie eine davon, oder bitten Sie den Betreiber, andere zu erlauben.',
  refundByPersonOnly: 'Der Betreiber erlaubt diese Erstattung nur durch eine Person.',
  closeDialog: 'Schließen',
}
