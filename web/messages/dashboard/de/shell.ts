import type { Translated } from '../../translated.ts'
import type { shell as en } from '../en/shell.ts'

export const shell: Translated<typeof en> = {
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptnavigation',
  invoices: 'Rechnungen',
  security: 'Sicherheit',
  merchant: 'Händler',
  signOut: 'Abmelden',
  needsScript: 'Das Dashboard braucht JavaScript. Aktivieren Sie es und laden Sie die Seite neu.',
  toInvoices: 'Zu den Rechnungen',
  factorNeededTitle: 'Zwei-Faktor-Authentifizierung aktivieren',
  factorNeededNext: 'Ihre Rolle ({role}) erfordert 2FA. Das dauert etwa eine Minute.',
  noMerchantTitle: 'Sie sind noch kein Mitglied eines Händlers',
  noMerchantNext: 'Bitten Sie einen Inhaber Ihres Händlers oder Ihren Betreiber um eine Einladung.',
  overview: 'Übersicht',
  recoveries: 'Einbehaltene Beträge',
  settlements: 'Abrechnungen',
  x402: 'x402',
  developers: 'Entwickler',
  reports: 'Berichte',
  sandbox: 'Sandbox',
  members: 'Mitglieder',
  settings: 'Einstellungen',
  audit: 'Audit-Protokoll',
  operator: 'Betreiber',
  more: 'Mehr',
}
