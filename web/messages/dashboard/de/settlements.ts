import type { Translated } from '../../translated.ts'
import type { settlements as en } from '../en/settlements.ts'

export const settlements: Translated<typeof en> = {
  settlementsNoneTitle: 'Noch keine Abrechnungen',
  settlementsNoneNext: 'Abrechnungen erscheinen hier, sobald eine Rechnung bezahlt ist.',
  payouts: 'Auszahlungen',
  settlementKinds: 'Art der Abrechnung',
  settlementsNoMatch: 'Keine passenden Abrechnungen',
  networkAll: 'Alle Netzwerke',
  columnNet: 'Netto',
  settlementsShown: '{n|one:# Abrechnung|other:# Abrechnungen} angezeigt',
  payoutsNoneTitle: 'Noch keine Auszahlungen',
  payoutsNoneNext: 'x402-Zahlungen werden gesammelt ausgezahlt. Auszahlungen erscheinen hier.',
  payoutsShown: '{n|one:# Auszahlung|other:# Auszahlungen} angezeigt',
}
