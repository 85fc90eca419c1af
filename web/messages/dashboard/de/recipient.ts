import type { Translated } from '../../translated.ts'
import type { recipient as en } from '../en/recipient.ts'

export const recipient: Translated<typeof en> = {
  recipientNone:
    'Noch keine Auszahlungsadresse. Zahlungen werden einbehalten, bis Sie eine hinterlegen.',
  recipientNewHint:
    'Muss Ihnen auf jedem Netzwerk gehören. Fügen Sie sie genau so ein, wie Ihre Wallet sie zeigt: Großbuchstaben sind eine Prüfsumme.',
  recipientReview: 'Gehört Ihnen diese Adresse?',
  recipientReviewHint:
    'Vergleichen Sie sie Zeichen für Zeichen mit Ihrer Wallet. An eine falsche Adresse gesendetes Geld ist verloren.',
  recipientReviewDelay:
    'Aktiv in {n|one:# Stunde|other:# Stunden}. Bis dahin können Auszahlungen warten. Alle Inhaber werden per E-Mail benachrichtigt und können die Änderung abbrechen.',
  recipientReviewNow: 'Sofort aktiv. Alle Inhaber werden per E-Mail benachrichtigt.',
  recipientSend: 'An {address} auszahlen',
  recipientPending: 'Ausstehende Adressänderung',
  recipientPendingHint:
    'Beantragt von {who}. Auszahlungen können warten, bis die Änderung aktiv ist.',
  recipientActiveFrom: 'Aktiv ab',
  recipientNeedsApproval: 'Die Wartezeit beginnt erst nach der Freigabe.',
  recipientCancel: 'Änderung abbrechen',
  recipientCancelTitle: 'Änderung abbrechen?',
  recipientCancelHint: 'Ihre Auszahlungsadresse bleibt {address}.',
  recipientCancelNone: 'Sie haben dann keine Auszahlungsadresse.',
  recipientReadOnly: 'Nur Inhaber können die Auszahlungsadresse ändern.',
  recipientPast: 'Frühere Änderungen',
  requestClosed: 'Beantragt von {who}, abgeschlossen von {by}',
  change_needs_approval: 'Freigabe erforderlich',
  change_waiting: 'Ausstehend',
  change_in_force: 'Aktiv',
  change_cancelled: 'Abgebrochen',
  change_refused: 'Abgelehnt',
  change_expired: 'Abgelaufen',
  change_replaced: 'Vom Betreiber ersetzt',
  change_impossible: 'Nicht möglich',
  stopHint:
    '{who} hat für {merchant} eine andere Auszahlungsadresse beantragt. Wenn Ihnen das unbekannt ist, brechen Sie die Änderung ab. Die aktuelle Adresse bleibt dann aktiv.',
  stopDone: 'Änderung abgebrochen',
  stopDoneNext:
    'Ihre Auszahlungsadresse ist unverändert. Prüfen Sie Mitglieder und API-Schlüssel: Der Antrag kann erneut gestellt werden.',
  stopOver: 'Diese Änderung ist bereits beendet',
  stopActive:
    'Die neue Adresse ist bereits aktiv. Melden Sie sich an, ändern Sie die Auszahlungsadresse und wenden Sie sich sofort an Ihren Betreiber.',
  stopOverNext: 'Ihr Status: {status}.',
  stopGone: 'Dieser Link funktioniert nicht',
  stopGoneNext:
    'Möglicherweise fehlt ein Teil. Kopieren Sie den ganzen Link aus der E-Mail, oder brechen Sie die Änderung in den Einstellungen ab.',
}
