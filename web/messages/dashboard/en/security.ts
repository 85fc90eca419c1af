/** What somebody signs in with. */
export const security = {
  factorTitle: 'Authenticator',
  factorOn: 'Asked for at every sign-in.',
  factorOff: 'Not set up.',
  setUp: 'Set up an authenticator',
  scanHint:
    'Scan this with your authenticator, or type the key. Then enter the code that it shows.',
  qrLabel: 'QR code for your authenticator',
  key: 'Key',
  backupTitle: 'Your backup codes',
  backupHint:
    'Each opens your account once when you have lost your authenticator. Keep them safe; they are shown this once.',
  factorDone: 'The second factor is on. Other sessions were ended.',
  wrongOwnPassword: 'That is not your password.',
  passkeysTitle: 'Passkeys',
  passkeysHint: 'Sign in with a finger, a face or a PIN instead of password and code.',
  addPasskey: 'Add a passkey',
  passkeyUnnamed: 'Passkey',
  sessionsTitle: 'Sessions',
  thisSession: 'this one',
  endSession: 'End this session',
  endOthers: 'End all others',
  since: 'since {time}',
}
