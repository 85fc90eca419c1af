import { de as checkout } from '../../de.ts'
import type { Translated } from '../../translated.ts'
import type { common as en } from '../en/common.ts'

const { decimalMark, groupMark, seconds, minutes, copy, copied, copyRefused } = checkout

export const common: Translated<typeof en> = {
  ...{ decimalMark, groupMark, seconds, minutes, copy, copied, copyRefused },

  product: 'Remit',
  loading: 'Wird geladen',
  retry: 'Noch einmal',
  failedTitle: 'Das konnte nicht geladen werden',
  failedNext: 'Es wurde nichts geändert. Versuchen Sie es gleich noch einmal.',
  tooMany: 'Zu viele Anfragen. Versuchen Sie es in {time} wieder.',
  offline: 'Es gibt keine Verbindung zum Server. Prüfen Sie Ihre und versuchen Sie es wieder.',
  reference: 'Anfrage {id}',
  notFoundTitle: 'Diese Seite gibt es nicht',
  notFoundNext: 'Der Link ist vielleicht falsch oder gehört zu einem anderen Händler.',
  email: 'E-Mail',
  remove: 'Entfernen',
  token: 'Token',
  from: 'Von',
  to: 'Bis',
  filters: 'Filter',
  clearFilters: 'Filter löschen',
  downloadCsv: 'Als CSV herunterladen',
  previous: 'Neuere',
  next: 'Ältere',
  pages: 'Seiten',
  network: 'Netzwerk',
  roleOwner: 'Inhaber',
  roleFinance: 'Finanzen',
  roleDeveloper: 'Entwickler',
  roleSupport: 'Betreuung',
  roleReader: 'Leser',
  nobodyMore: 'Ihre Rolle darf das nicht. Bitten Sie einen Inhaber.',
}
