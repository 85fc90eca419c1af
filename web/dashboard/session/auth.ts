import { request } from './request.ts'

/** Signing in and out, and the user's credentials. */

const AUTH = '/dashboard/auth'

const post = <T>(path: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
  request<T>('POST', `${AUTH}${path}`, body, headers)
const get = <T>(path: string, mayAsk = false) =>
  request<T>('GET', `${AUTH}${path}`, undefined, {}, mayAsk)

export function signIn(email: string, password: string) {
  return post<{ readonly twoFactorRedirect?: boolean }>('/sign-in/email', { email, password })
}

/** With the token of an invitation; without one where anybody may sign up. */
export function signUp(
  person: { readonly name: string; readonly email: string; readonly password: string },
  token: string | null,
) {
  return post('/sign-up/email', person, token === null ? {} : { 'x-remit-invitation': token })
}

/** With the token of the email. */
export const confirmAddress = (token: string) => post('/verify-email', { token })

export const signOut = () => post('/sign-out', {})
export const verifyCode = (code: string) => post('/two-factor/verify-totp', { code })
export const verifyBackupCode = (code: string) => post('/two-factor/verify-backup-code', { code })

export function beginFactor(password: string) {
  return post<{ readonly totpURI: string; readonly backupCodes: readonly string[] }>(
    '/two-factor/enable',
    { password },
  )
}

export const removeFactor = (password: string) => post('/two-factor/disable', { password })

export const changePassword = (currentPassword: string, newPassword: string) =>
  post('/change-password', { currentPassword, newPassword })

export function newBackupCodes(password: string) {
  return post<{ readonly backupCodes: readonly string[] }>('/two-factor/generate-backup-codes', {
    password,
  })
}

export interface Session {
  readonly id: string
  readonly token: string
  readonly createdAt: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

/** Only soon after signing in; with `mayAsk`, set by a button, the user is prompted to sign in again. */
export const listSessions = (mayAsk = false) => get<readonly Session[]>('/list-sessions', mayAsk)
export const endSession = (token: string) => post('/revoke-session', { token })
export const endOtherSessions = () => post('/revoke-other-sessions', {})

export interface Passkey {
  readonly id: string
  readonly name: string | null
  readonly createdAt: string | null
}

export const listPasskeys = () => get<readonly Passkey[]>('/passkey/list-user-passkeys')
export const removePasskey = (id: string) => post('/passkey/delete-passkey', { id })

/** Whether this browser has passkeys, and this place a name that they can belong to. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && !/^[\d.]+$|:/.test(location.hostname)
}

export async function addPasskey(): Promise<void> {
  const options = await get<PublicKeyCredentialCreationOptionsJSON>(
    '/passkey/generate-register-options',
    true,
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = await navigator.credentials.create({ publicKey })
  if (made instanceof PublicKeyCredential) {
    await post('/passkey/verify-registration', { response: made.toJSON() })
  }
}

export async function signInByPasskey(): Promise<void> {
  const options = await get<PublicKeyCredentialRequestOptionsJSON>(
    '/passkey/generate-authenticate-options',
  )
  // The library only prefers it; the server takes nothing less.
  const wanted = { ...options, userVerification: 'required' as const }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(wanted)
  const found = await navigator.credentials.get({ publicKey })
  if (found instanceof PublicKeyCredential) {
    await post('/passkey/verify-authentication', { response: found.toJSON() })
  }
}
