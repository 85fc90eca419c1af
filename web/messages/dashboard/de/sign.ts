import type { Translated } from '../../translated.ts'
import type { sign as en } from '../en/sign.ts'

export const sign: Translated<typeof en> = {
  password: 'Passwort',
  signIn: 'Anmelden',
  signInPasskey: 'Mit einem Passkey anmelden',
  or: 'oder',
  wrongPassword: 'E-Mail oder Passwort ist falsch.',
  notConfirmed:
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Wir haben Ihnen einen neuen Link gesendet.',
  codeTitle: 'Code eingeben',
  codeHint: 'Geben Sie den 6-stelligen Code aus Ihrer Authenticator-App ein.',
  code: 'Code',
  proceed: 'Weiter',
  wrongCode: 'Falscher oder abgelaufener Code. Versuchen Sie den nächsten.',
  wrongRecoveryCode: 'Falscher oder benutzter Wiederherstellungscode. Versuchen Sie einen anderen.',
  codeLocked: 'Zu viele Versuche. Versuchen Sie es in 15 Minuten erneut.',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  useCode: 'Authenticator-App verwenden',
  recoveryCode: 'Wiederherstellungscode',
  passkeyFailed:
    'Dieser Passkey hat nicht funktioniert. Versuchen Sie es erneut oder nutzen Sie Ihr Passwort.',
  invitationTitle: 'Einladung zu {merchant}',
  invitationHint: 'Sie wurden als {role} mit der Adresse {email} eingeladen.',
  name: 'Ihr Name',
  passwordHint: 'Mindestens 12 Zeichen. Verwenden Sie mehrere zufällige Wörter.',
  createAccount: 'Konto erstellen',
  acceptInvitation: '{merchant} beitreten',
  signInFirst:
    'Sie haben bereits ein Konto. Melden Sie sich als {email} an und öffnen Sie den Link erneut.',
  otherAccount:
    'Diese Einladung ist für {email}. Melden Sie sich ab und öffnen Sie den Link erneut.',
  invitationGoneTitle: 'Diese Einladung ist nicht mehr gültig',
  invitationGoneNext:
    'Sie wurde bereits benutzt oder ist älter als 7 Tage. Bitten Sie um eine neue Einladung.',
  emailSentTitle: 'Prüfen Sie Ihren Posteingang',
  emailSentNext:
    'Öffnen Sie innerhalb einer Stunde den Link, den wir an {email} gesendet haben, und melden Sie sich dann an.',
  confirmTitle: 'E-Mail-Adresse bestätigen',
  confirmAddress: 'Adresse bestätigen',
  confirmedTitle: 'E-Mail-Adresse bestätigt',
  confirmedNext: 'Melden Sie sich mit Ihrem neuen Passwort an.',
  notConfirmedTitle: 'Dieser Link ist nicht mehr gültig',
  notConfirmedNext: 'Melden Sie sich mit Ihrem Passwort an, um einen neuen Link zu erhalten.',
  toSignIn: 'Zur Anmeldung',
  signAgainTitle: 'Identität bestätigen',
  signAgainHint:
    'Melden Sie sich erneut an, um fortzufahren. Ihre Aktion wird automatisch abgeschlossen.',
  signAgainAction: 'Anmelden und fortfahren',
  signUpTitle: 'Konto erstellen',
  signUpHint: 'Ihr Betreiber oder ein Inhaber kann Sie danach zu einem Händler einladen.',
  haveAccount: 'Ich habe ein Konto',
  recoverTitle: 'Passwort zurücksetzen',
  recoverHint: 'Richten Sie danach 2FA und Ihre Passkeys erneut ein.',
  setPassword: 'Passwort setzen',
  recoveryGone:
    'Dieser Link wurde bereits benutzt oder ist älter als ein Tag. Bitten Sie Ihren Betreiber um einen neuen.',
  recoveredTitle: 'Passwort zurückgesetzt',
}
