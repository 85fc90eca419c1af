/**
 * The library's paths that this dashboard uses, with the fields that each receives. Other paths and fields,
 * such as redirects and trusted devices, don't reach it.
 */

export const AUTH_PATH = '/dashboard/auth'
/** The page after an address is confirmed, or when the link has expired. */
export const CONFIRMED_PATH = '/dashboard/confirmed'
/** Always overwritten with the client's address before the library handles a request. */
export const CLIENT_HEADER = 'x-remit-client'
/** The token of the invitation that a user signs up with. */
export const INVITATION_HEADER = 'x-remit-invitation'

/** Confirms an address: in the library by opening a link, here by a button. */
export const VERIFY_PATH = '/verify-email'

export const READS: readonly string[] = [
  '/list-sessions',
  VERIFY_PATH,
  '/passkey/generate-register-options',
  '/passkey/generate-authenticate-options',
  '/passkey/list-user-passkeys',
]

export const CHANGES: Readonly<Record<string, readonly string[]>> = {
  '/sign-up/email': ['name', 'email', 'password'],
  '/sign-in/email': ['email', 'password'],
  [VERIFY_PATH]: ['token'],
  '/sign-out': [],
  '/change-password': ['currentPassword', 'newPassword'],
  '/revoke-session': ['token'],
  '/revoke-other-sessions': [],
  '/send-verification-email': ['email'],
  '/two-factor/enable': ['password'],
  '/two-factor/disable': ['password'],
  '/two-factor/verify-totp': ['code', 'trustDevice'],
  '/two-factor/verify-backup-code': ['code', 'trustDevice'],
  '/two-factor/generate-backup-codes': ['password'],
  '/passkey/verify-registration': ['response', 'name'],
  '/passkey/verify-authentication': ['response'],
  '/passkey/delete-passkey': ['id'],
  '/passkey/update-passkey': ['id', 'name'],
}

/** The sign-in method of each path. */
export const WAYS: Readonly<Record<string, string>> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'code',
  '/two-factor/verify-backup-code': 'backupCode',
  '/passkey/verify-authentication': 'passkey',
}

/** Signing in ends the session that the browser had before. */
export const SIGN_INS: readonly string[] = ['/sign-in/email', '/passkey/verify-authentication']

/** Paths that hash a password: all that accept one. */
export const HASHING: readonly string[] = Object.entries(CHANGES)
  .filter(([, fields]) => fields.some((field) => /password/i.test(field)))
  .map(([path]) => path)

/** Paths that end sessions in addition to the database: the previous one, or those of other browsers. */
export const ENDING: readonly string[] = [...SIGN_INS, '/two-factor/generate-backup-codes']

/** Where a signed-in user sends a password or a code: counted per session. */
export const GUESSABLE: readonly string[] = [
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
]

/**
 * Paths that change or show credentials, or list sessions: only shortly after a sign-in with every factor.
 * A password alone, in an unattended browser, is not enough.
 */
export const FRESH: readonly string[] = [
  '/change-password',
  '/list-sessions',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
  '/passkey/update-passkey',
]
