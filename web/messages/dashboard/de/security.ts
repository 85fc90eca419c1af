import type { Translated } from '../../translated.ts'
import type { security as en } from '../en/security.ts'

export const security: Translated<typeof en> = {
  factorTitle: 'Zwei-Faktor-Authentifizierung',
  factorOn: 'Aktiv. Bei jeder Anmeldung erforderlich.',
  scanHint:
    'Scannen Sie den Code mit Ihrer Authenticator-App oder geben Sie den Schlüssel ein. Geben Sie dann den angezeigten Code ein.',
  qrLabel: 'QR-Code für Ihre Authenticator-App',
  key: 'Schlüssel',
  saveRecoveryCodes: 'Wiederherstellungscodes sichern',
  saveRecoveryCodesHint:
    'Damit melden Sie sich an, wenn Sie Ihren Authenticator verlieren. Sie werden nicht noch einmal angezeigt.',
  factorDone: 'Zwei-Faktor-Authentifizierung ist aktiv. Ihre anderen Sitzungen wurden abgemeldet.',
  stepOf: 'Schritt {n} von {all}',
  copyCodes: 'Codes kopieren',
  downloadCodes: 'Codes herunterladen',
  codesSaved: 'Ich habe die Codes gesichert',
  wrongOwnPassword: 'Falsches Passwort.',
  passkeysTitle: 'Passkeys',
  passkeysHint: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Geräte-PIN an.',
  addPasskey: 'Passkey hinzufügen',
  passkeyUnnamed: 'Passkey',
  sessionsTitle: 'Sitzungen',
  signOutOthers: 'Andere Sitzungen abmelden',
  showSessions: 'Aktive Sitzungen anzeigen',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Passwort geändert. Ihre anderen Sitzungen wurden abgemeldet.',
  replaceRecoveryCodes: 'Wiederherstellungscodes ersetzen',
  replaceRecoveryCodesHint:
    'Ihre aktuellen Codes gelten dann nicht mehr, und Ihre anderen Sitzungen werden abgemeldet.',
  createRecoveryCodes: 'Neue Codes erstellen',
  removeFactorHint:
    'Sie melden sich dann nur mit Ihrem Passwort an. Ihre Wiederherstellungscodes gelten nicht mehr.',
  removeFactor: '2FA deaktivieren',
  device: 'Gerät',
  thisDevice: 'Dieses Gerät',
}
