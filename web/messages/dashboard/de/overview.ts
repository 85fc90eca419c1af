import type { Translated } from '../../translated.ts'
import type { overview as en } from '../en/overview.ts'

export const overview: Translated<typeof en> = {
  overviewNoneTitle: 'Noch keine Zahlungen',
  overviewNoneNext:
    'Erstellen Sie eine Rechnung und senden Sie den Link an Ihren Kunden. Hier erscheint der Umsatz pro Tag.',
  attention: 'Handlungsbedarf',
  attentionNone: 'Alles erledigt',
  noRecipientYet:
    'Hinterlegen Sie eine Auszahlungsadresse, um Ihr Geld zu erhalten. Bis dahin werden Zahlungen einbehalten.',
  refundHasFailed:
    'Die Rückerstattung für Rechnung {reference} ist fehlgeschlagen. Das Geld wurde nicht bewegt.',
  showInvoice: 'Rechnung anzeigen',
  overpaidBy:
    'Rechnung {reference} wurde um {amount} überzahlt. Erstatten Sie den Betrag, oder behalten Sie ihn.',
  endpointFails: 'Webhook-Zustellungen an {url} schlagen fehl.',
  endpointOff: 'Der Webhook-Endpunkt {url} wurde nach wiederholten Fehlern deaktiviert.',
  showEndpoints: 'Endpunkte anzeigen',
  allHeld: 'Einbehaltene Beträge',
  figureX402: 'x402-Guthaben',
  figureOpen: 'Offene Rechnungen (30 Tage)',
  nPartial: '{n} teilweise bezahlt',
  volume: 'Umsatz (30 Tage)',
  volumeInvoices: 'Rechnungen in {asset}',
  volumeX402: 'x402-Auszahlungen in {asset}',
  asTable: 'Als Tabelle anzeigen',
  day: 'Tag (UTC)',
  networks: 'Netzwerke',
  networkSlow: 'Verzögert',
  networkDown: 'Nicht erreichbar',
  periodBefore: '{amount} in den 30 Tagen davor',
  paidOut30: 'Ausgezahlt (30 Tage)',
  recent: 'Neueste Rechnungen',
  allInvoices: 'Alle ansehen',
  setUpTitle: 'Konto einrichten',
  stepsDone: '{n} von {all} erledigt',
  stepAddress: 'Auszahlungsadresse angeben',
  stepFactor: 'Zwei-Faktor-Authentifizierung (2FA) aktivieren',
  stepBrand: 'Name und Farbe festlegen',
  stepWebhook: 'Webhook-Endpunkt anlegen',
  stepPayment: 'Erste Zahlung annehmen',
  funnel: 'Rechnungen (30 Tage)',
  settleTimes: 'Zeit bis zur Auszahlung ({n|one:letzte Rechnung|other:letzte # Rechnungen})',
  median: 'Median',
}
