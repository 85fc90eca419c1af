import type { Translated } from '../../translated.ts'
import type { security as en } from '../en/security.ts'

export const security: Translated<typeof en> = {
  factorTitle: 'Authenticator',
  factorOn: 'Wird bei jeder Anmeldung gefragt.',
  factorOff: 'Nicht eingerichtet.',
  setUp: 'Authenticator einrichten',
  scanHint:
    'Scannen Sie dies mit Ihrer App oder tippen Sie den Schlüssel ein. Geben Sie dann den Code ein.',
  qrLabel: 'QR-Code für Ihre Authenticator-App',
  key: 'Schlüssel',
  backupTitle: 'Ihre Ersatzcodes',
  backupHint:
    'Jeder öffnet Ihr Konto einmal, wenn die App verloren ist. Bewahren Sie sie sicher auf; sie erscheinen nur jetzt.',
  factorDone: 'Der zweite Faktor ist an. Andere Sitzungen wurden beendet.',
  wrongOwnPassword: 'Das ist nicht Ihr Passwort.',
  passkeysTitle: 'Passkeys',
  passkeysHint: 'Melden Sie sich mit Finger, Gesicht oder PIN an statt mit Passwort und Code.',
  addPasskey: 'Passkey hinzufügen',
  passkeyUnnamed: 'Passkey',
  sessionsTitle: 'Sitzungen',
  thisSession: 'diese',
  endSession: 'Diese Sitzung beenden',
  endOthers: 'Alle anderen beenden',
  since: 'seit {time}',
  showSessions: 'Zeigen, wo Sie angemeldet sind',
  passwordTitle: 'Passwort',
  oldPassword: 'Bisheriges Passwort',
  nextPassword: 'Neues Passwort',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Geändert. Überall sonst sind Sie abgemeldet.',
  moreBackupTitle: 'Neue Ersatzcodes',
  moreBackupHint: 'Die bisherigen Codes gelten nicht mehr, und Ihre anderen Sitzungen enden.',
  moreBackup: 'Neue Ersatzcodes erzeugen',
  removeFactorTitle: 'Authenticator entfernen',
  removeFactorHint:
    'Danach meldet Sie Ihr Passwort allein an. Die Ersatzcodes gelten dann auch nicht mehr.',
  removeFactor: 'Entfernen',
}
