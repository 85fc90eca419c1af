/** Passwords, passkeys and second factors. */
export const security = {
  factorTitle: 'Two-factor authentication',
  factorOn: 'On. Required at every sign-in.',
  factorOff: 'Off',
  setUp: 'Set up 2FA',
  scanHint:
    'Scan the code with your authenticator app or enter the key. Then enter the code the app shows.',
  qrLabel: 'QR code for your authenticator app',
  key: 'Key',
  saveRecoveryCodes: 'Save your recovery codes',
  saveRecoveryCodesHint:
    'Use one to sign in if you lose your authenticator. We won’t show them again.',
  factorDone: 'Two-factor authentication is on. Your other sessions were signed out.',
  wrongOwnPassword: 'Incorrect password.',
  passkeysTitle: 'Passkeys',
  passkeysHint: 'Sign in with your fingerprint, face or device PIN.',
  addPasskey: 'Add passkey',
  passkeyUnnamed: 'Passkey',
  sessionsTitle: 'Sessions',
  signOutOthers: 'Sign out other sessions',
  showSessions: 'View active sessions',
  currentPassword: 'Current password',
  newPassword: 'New password',
  changePassword: 'Change password',
  passwordChanged: 'Password changed. Your other sessions were signed out.',
  replaceRecoveryCodes: 'Replace recovery codes',
  replaceRecoveryCodesHint:
    'Your current codes stop working, and your other sessions are signed out.',
  createRecoveryCodes: 'Create new codes',
  removeFactorHint: 'You’ll sign in with your password only. Your recovery codes stop working.',
  removeFactor: 'Turn off 2FA',
}
