import type { Translated } from '../../translated.ts'
import type { settlements as en } from '../en/settlements.ts'

export const settlements: Translated<typeof en> = {
  settlementsNoneTitle: 'Noch nichts ausgezahlt',
  settlementsNoneNext: 'Sobald eine Rechnung bezahlt ist, steht hier ihr Weg zu Ihrer Adresse.',
  payouts: 'Auszahlungen',
  settlementKinds: 'Arten von Auszahlungen',
  ofInvoices: 'Rechnungen',
  ofX402: 'x402',
  settlementOpen: 'Unterwegs',
  settlementMined: 'Noch zu bestätigen',
  settlementConfirmed: 'Angekommen',
  settlementFailedState: 'Gescheitert',
  settlementsNoMatch: 'Keine Auszahlung passt',
  networkAll: 'Alle Netzwerke',
  columnNet: 'Netto',
  settlementsShown: '{n|one:# Auszahlung|other:# Auszahlungen} zu sehen',
  payoutsNoneTitle: 'Noch nichts ausgezahlt',
  payoutsNoneNext: 'x402-Zahlungen werden gesammelt und zusammen ausgezahlt: Das steht dann hier.',
  payoutsShown: '{n|one:# Auszahlung|other:# Auszahlungen} zu sehen',
}
