import type { Translated } from '../../translated.ts'
import type { settings as en } from '../en/settings.ts'

export const settings: Translated<typeof en> = {
  settingsCheckout: 'Kasse',
  settingsName: 'Name, den Zahlende lesen',
  settingsAccent: 'Farbe',
  settingsAccentHint: 'Sechs Ziffern nach #, dunkel genug, um auf Weiß gesehen zu werden.',
  settingsSupportEmail: 'E-Mail für Fragen der Zahlenden',
  settingsSupportUrl: 'Seite für Fragen der Zahlenden',
  settingsReturnUrl: 'Seite, zu der Zahlende zurückkehren',
  settingsReturnHint: 'Auf einer der Websites darunter.',
  settingsOrigins: 'Websites, die eine Kasse öffnen dürfen',
  settingsOriginsHint: 'Jede wie https://shop.example, mit Leerzeichen dazwischen.',
  settingsSave: 'Speichern',
  settingsSaved: 'Gespeichert. Zahlende sehen es ab jetzt.',
  settingsReadOnly: 'Nur Inhaber und Entwickler ändern, wie die Kasse aussieht.',
  settingsRecipient:
    'Die Adresse, an die ausgezahlt wird, ändert, wer diese Installation betreibt; fragen Sie dort.',
}
