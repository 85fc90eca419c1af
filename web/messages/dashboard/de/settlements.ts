import type { Translated } from '../../translated.ts'
import type { settlements as en } from '../en/settlements.ts'

export const settlements: Translated<typeof en> = {
  settlementsNoneTitle: 'Noch keine Auszahlungen',
  settlementsNoneNext: 'Auszahlungen erscheinen hier, sobald eine Rechnung bezahlt ist.',
  settlementKinds: 'Art der Auszahlung',
  settlementsNoMatch: 'Keine passenden Auszahlungen',
  networkAll: 'Alle Netzwerke',
  columnNet: 'Netto',
  settlementsShown: '{n|one:# Auszahlung|other:# Auszahlungen} angezeigt',
  payoutsNoneNext: 'x402-Zahlungen werden gesammelt ausgezahlt. Auszahlungen erscheinen hier.',
}
