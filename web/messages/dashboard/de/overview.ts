import type { Translated } from '../../translated.ts'
import type { overview as en } from '../en/overview.ts'

export const overview: Translated<typeof en> = {
  overviewNoneTitle: 'Noch ist nichts eingegangen',
  overviewNoneNext:
    'Legen Sie eine Rechnung an und schicken Sie deren Link an den Zahler: Hier steht dann der Umsatz nach Tagen.',
  attention: 'Was jemanden braucht',
  attentionNone: 'Nichts: Kein Geld liegt fest, und nichts ist gescheitert.',
  noRecipientYet:
    'Es gibt keine Adresse, an die Geld weitergeleitet wird: Was bezahlt wird, bleibt liegen, bis Sie eine festlegen.',
  refundHasFailed:
    'Die Erstattung zu Rechnung {reference} ist gescheitert; das Geld ist, wo es war.',
  showInvoice: 'Rechnung zeigen',
  endpointFails: 'Webhooks an {url} schlagen fehl.',
  endpointOff: 'Webhooks an {url} wurden abgeschaltet, weil sie fehlschlugen.',
  showEndpoints: 'Endpunkte zeigen',
  allHeld: 'Alles, was festliegt',
  figureIncoming: 'Noch nicht bestätigt',
  figureSettling: 'Auf dem Weg zu Ihnen',
  figureHeld: 'Liegt fest',
  figureX402: 'x402, noch auszuzahlen',
  figureOpen: 'Offene Rechnungen aus 30 Tagen',
  nPending: '{n} warten',
  nPartial: '{n} teilweise bezahlt',
  volume: 'Umsatz der letzten 30 Tage',
  volumeInvoices: 'Rechnungen in {asset}',
  volumeX402: 'x402-Auszahlungen in {asset}',
  asTable: 'Als Tabelle',
  day: 'Tag (UTC)',
  networks: 'Netzwerke',
  networkWell: 'In Ordnung',
  networkSlow: 'Verzögert',
  networkDown: 'Nicht erreichbar',
}
