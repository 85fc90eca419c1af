import type { Translated } from '../../translated.ts'
import type { audit as en } from '../en/audit.ts'

export const audit: Translated<typeof en> = {
  auditHint: 'Jede Änderung, mit wem und von wo. Niemand kann diese Liste ändern.',
  auditNoneTitle: 'Noch nichts geändert',
  auditNoneNext: 'Jede Änderung steht hier, mit wem und von wo.',
  auditDone: 'Ausgeführt',
  auditRefused: 'Abgelehnt',
  auditUnknown: 'Abgebrochen',
  auditNewest: 'Neueste',
  auditOlder: 'Ältere',
}
