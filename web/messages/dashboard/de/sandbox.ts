import type { Translated } from '../../translated.ts'
import type { sandbox as english } from '../en/sandbox.ts'

export const sandbox: Translated<typeof english> = {
  boxOnlyBuilders: 'Inhaber und Entwickler können hier spielen.',
  boxScenarios: 'Szenarien',
  boxScenariosHint:
    'Jedes erstellt eine eigene Rechnung und tut, was Zahler, Ketten und Token tun. Sie brauchen keinen Token.',
  boxNoChain: 'Keine Entwicklungskette antwortet: Szenarien, Tokenhahn und Uhren brauchen eine.',
  boxPlay: 'Spielen',
  boxPlayOne: '{name} spielen',
  boxPlaying: 'Läuft …',
  boxPlayAll: 'Alle spielen',
  boxWatched: '{name}, Rechnung {reference}',
  boxExact: 'Zahlt genau, was verlangt ist.',
  boxPartial: 'Zahlt die Hälfte.',
  boxOver: 'Zahlt ein Zehntel mehr.',
  boxLate: 'Beendet die Rechnung und zahlt danach.',
  boxWrongToken: 'Zahlt mit einem anderen Token.',
  boxWrongChain: 'Zahlt in einem Netzwerk, das die Rechnung nicht nennt.',
  boxTwoChains: 'Zahlt je eine Hälfte in zwei Netzwerken.',
  boxReorganisation: 'Zahlt, nimmt den Block zurück und zahlt noch einmal.',
  boxFailedSettlement: 'Lässt den Token den Empfänger sperren und zahlt.',
  boxUnblock: 'Lässt den Empfänger des vorigen wieder empfangen.',
  boxDelivered: 'Zugestellt',
  boxOnItsWay: 'Unterwegs',
  boxNotDelivered: 'Fehlgeschlagen',
  boxToldNobody: 'kein Endpunkt wollte es',
  boxEvents: 'Testereignisse',
  boxEventsHint:
    'Erfundene Daten in der Form eines echten Ereignisses, als Test markiert, an jeden Endpunkt, der die Art will.',
  boxToWebhooks: 'Webhook-Endpunkte',
  boxEventType: 'Art des Ereignisses',
  boxSendEvent: 'Testereignis senden',
  boxEventSent: 'Ereignis {id} ist unterwegs.',
  boxNobodyYet:
    'Kein Endpunkt hat es bekommen: Fügen Sie einen hinzu, der diese Art will, und senden Sie noch einmal.',
  boxFaucet: 'Tokenhahn',
  boxFaucetHint: 'Token einer Entwicklungskette, für jedes Konto. Sie sind nichts wert.',
  boxFaucetDo: 'Token holen',
  boxFaucetDone: '{amount} erstellt.',
  boxAddress: 'Adresse',
  boxAmount: 'Betrag',
  boxClocks: 'Uhren',
  boxClocksHint:
    'Lassen Sie eine Rechnung ohne Warten ablaufen. Alle in dieser Sandbox teilen diese Ketten, und Uhren gehen nicht zurück.',
  boxBlock: 'Block {n}',
  boxMinute: '{name} 1 Minute vor',
  boxHour: '{name} 1 Stunde vor',
  boxDay: '{name} 1 Tag vor',
  boxReset: 'Neu beginnen',
  boxResetHint:
    'Beendet, was noch bezahlt werden kann, und entfernt, was Sie eingerichtet haben. Nur Ihres; Bezahltes bleibt.',
  boxResetTitle: 'Diese Sandbox neu beginnen?',
  boxResetNext:
    'Unbezahlte Rechnungen enden; Preise, Zahlungslinks, x402-Endpunkte, Webhook-Endpunkte und die Liste der Anfragen gehen. Schlüssel und Mitglieder bleiben.',
  boxResetDo: 'Neu beginnen',
  boxResetDone:
    '{invoices|one:# Rechnung wurde beendet|other:# Rechnungen wurden beendet}, {others|one:# Weiteres wurde entfernt.|other:# Weitere wurden entfernt.}',
}
