import type { Translated } from '../../translated.ts'
import type { sandbox as english } from '../en/sandbox.ts'

export const sandbox: Translated<typeof english> = {
  boxOnlyBuilders: 'Nur Inhaber und Entwickler können die Sandbox nutzen.',
  boxScenarios: 'Szenarien',
  boxScenariosHint:
    'Jedes Szenario erstellt eine Rechnung und simuliert Zahler, Chains und Token. Sie brauchen keine Token.',
  boxNoChain: 'Keine Entwicklungs-Chain erreichbar. Szenarien, Faucet und Uhren brauchen eine.',
  boxRun: 'Ausführen',
  boxRunOne: '{name} ausführen',
  boxRunning: 'Wird ausgeführt …',
  boxRunAll: 'Alle ausführen',
  boxWatched: '{name}, Rechnung {reference}',
  boxLog: 'Live-Protokoll',
  boxLogNone:
    'Starten Sie ein Szenario: Seine Rechnung, Ereignisse und Zustellungen erscheinen hier.',
  boxExact: 'Genauen Betrag zahlen',
  boxPartial: 'Die Hälfte zahlen',
  boxOver: '10 % zu viel zahlen',
  boxSignature: 'Per Signatur zahlen',
  boxX402: 'Per x402 zahlen',
  boxLate: 'Nach Ablauf zahlen',
  boxWrongToken: 'In einem anderen Token zahlen',
  boxWrongChain: 'Auf einem nicht angebotenen Netzwerk zahlen',
  boxTwoChains: 'Je eine Hälfte auf zwei Netzwerken zahlen',
  boxReorganisation: 'Reorganisation nach Zahlung',
  boxFailedSettlement: 'Auszahlung scheitert (Empfänger gesperrt)',
  boxUnblock: 'Empfänger entsperren',
  boxEvents: 'Testereignisse',
  boxEventsHint:
    'Sendet als Test markierte Beispieldaten an alle Endpunkte, die den Ereignistyp abonniert haben.',
  boxToWebhooks: 'Webhook-Endpunkte',
  boxEventType: 'Ereignistyp',
  boxEventSent: 'Ereignis {id} gesendet.',
  boxNoSubscriber:
    'Kein Endpunkt hat diesen Ereignistyp abonniert. Fügen Sie einen hinzu und senden Sie das Ereignis erneut.',
  boxFaucet: 'Faucet',
  boxFaucetHint: 'Wertlose Test-Token einer Entwicklungs-Chain, für jedes Konto.',
  boxFaucetDo: 'Token holen',
  boxFaucetDone: '{amount} gesendet.',
  boxAddress: 'Adresse',
  boxClocks: 'Uhren',
  boxClocksHint:
    'Stellen Sie die Uhr vor, um Rechnungen ohne Warten ablaufen zu lassen. Alle Benutzer dieser Installation teilen sich diese Chains, und Uhren lassen sich nicht zurückstellen.',
  boxBlock: 'Block {n}',
  boxMinute: '+1 Min.',
  boxHour: '+1 Std.',
  boxDay: '+1 Tag',
  boxReset: 'Sandbox zurücksetzen',
  boxResetHint:
    'Storniert offene Rechnungen und löscht, was Sie eingerichtet haben. Bezahlte Rechnungen bleiben.',
  boxResetTitle: 'Diese Sandbox zurücksetzen?',
  boxResetNext:
    'Unbezahlte Rechnungen werden storniert. Preise, Zahlungslinks, x402-Endpunkte, Webhook-Endpunkte und das Anfrageprotokoll werden gelöscht. Schlüssel und Mitglieder bleiben.',
  boxResetDone:
    '{invoices|one:# Rechnung storniert|other:# Rechnungen storniert}, {others|one:# weiteres Objekt gelöscht.|other:# weitere Objekte gelöscht.}',
}
