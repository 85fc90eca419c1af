import type { PersonId } from '../../../core/base/ids.ts'
import { cleanText } from '../../../core/base/text.ts'
import { LONGEST_AGENT, type SignInEvent } from '../../../core/events/audit.ts'
import {
  addSignInEvent,
  findSignInUser,
  type SignInClaim,
} from '../../../store/dashboard/signInEvents.ts'
import { guardDatabase } from '../../http/backends.ts'
import { addressOfExchange } from '../../http/clientAddress.ts'
import type { ApiDependencies, Exchange } from '../../http/exchange.ts'
import { WAYS } from './paths.ts'
import type { SignInPlace } from './place.ts'

/** Sign-ins in the audit log: user, method, origin and result. */

export type EventDependencies = Pick<
  ApiDependencies,
  'config' | 'peer' | 'availability' | 'database' | 'log'
>

/** A request below /dashboard/auth that the log records. */
export interface Attempt {
  readonly path: string
  readonly personId: PersonId | null
  /** Whether the user was signed in before. */
  readonly isSignedIn: boolean
}

const OTHERS: Readonly<Record<string, SignInEvent>> = {
  '/sign-out': 'signOut',
  '/revoke-session': 'endSession',
  '/revoke-other-sessions': 'endOtherSessions',
  '/change-password': 'changePassword',
  '/two-factor/disable': 'disableSecondFactor',
  '/two-factor/generate-backup-codes': 'replaceBackupCodes',
  '/passkey/verify-registration': 'addPasskey',
  '/passkey/delete-passkey': 'removePasskey',
}

/** The user of a request, found before the library consumes the challenge that identifies them. */
export async function attemptOf(
  deps: EventDependencies,
  dashboard: SignInPlace,
  { request }: Exchange,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Attempt | null> {
  if (WAYS[path] === undefined && OTHERS[path] === undefined) return null
  const person = await dashboard.whoIs(request.headers)
  const isSigningIn = path === '/sign-in/email' || path === '/passkey/verify-authentication'
  if (person !== null && !isSigningIn) return { path, personId: person.id, isSignedIn: true }
  const claim = claimOf(path, body, request.headers)
  const personId = await guardDatabase(deps, (sql) => findSignInUser(sql, claim))
  return { path, personId, isSignedIn: false }
}

/**
 * Records the result. A success is recorded before the response is sent, or else not sent; a
 * failure afterwards, so that the response takes the same time with and without an account.
 */
export async function recordAttempt(
  deps: EventDependencies,
  dashboard: SignInPlace,
  exchange: Exchange,
  attempt: Attempt,
  answer: Response,
): Promise<void> {
  const { personId } = attempt
  const event = await eventOf(attempt, answer)
  if (personId === null || event === null) return
  const record = guardDatabase(deps, (sql) =>
    addSignInEvent(sql, { ...event, personId, ...originOf(deps, exchange), status: answer.status }),
  )
  if (answer.ok) return await record
  dashboard.afterwards(
    record.catch((err) => deps.log.warn({ err }, 'a failed sign-in was not recorded')),
  )
}

/** Records a signed-in user's change of their own access. */
export async function recordAccess(
  deps: EventDependencies,
  exchange: Exchange,
  { personId, event }: { readonly personId: PersonId; readonly event: SignInEvent },
): Promise<void> {
  await guardDatabase(deps, (sql) =>
    addSignInEvent(sql, {
      personId,
      event,
      after: null,
      ...originOf(deps, exchange),
      status: 200,
    }),
  )
}

function originOf(deps: EventDependencies, exchange: Exchange) {
  const { headers } = exchange.request
  return {
    address: addressOfExchange(deps, exchange),
    agent: cleanText(headers.get('user-agent') ?? '', LONGEST_AGENT),
    traceId: exchange.traceId,
  }
}

async function eventOf({ path, isSignedIn }: Attempt, answer: Response) {
  const way = WAYS[path]
  if (way === undefined) {
    const event = OTHERS[path]
    return event === undefined || !answer.ok ? null : { event, after: null }
  }
  if (!answer.ok) return { event: 'signInFailed', after: { by: way } } as const
  if (isSignedIn && path === '/two-factor/verify-totp') {
    return { event: 'enableSecondFactor', after: null } as const
  }
  // After the password, the second factor is still required.
  const body: unknown = await answer.clone().json()
  const isHalf = typeof body === 'object' && body !== null && 'twoFactorRedirect' in body
  return isHalf ? null : ({ event: 'signIn', after: { by: way } } as const)
}

function claimOf(
  path: string,
  { email, response }: Readonly<Record<string, unknown>>,
  headers: Headers,
): SignInClaim {
  if (path === '/sign-in/email') return { email: String(email).toLowerCase() }
  if (path === '/passkey/verify-authentication') {
    const id = typeof response === 'object' && response !== null && 'id' in response && response.id
    return typeof id === 'string' ? { credentialId: id } : {}
  }
  const challenge = challengeOf(headers)
  return challenge === null ? {} : { challenge }
}

/** The sign-in whose second factor is pending, from its cookie. The library checks the signature. */
export function challengeOf(headers: Headers): string | null {
  const cookies = headers.get('cookie') ?? ''
  const value = /(?:^|;\s*)(?:__\w+-)?remit\.two_factor=([^;]+)/.exec(cookies)?.[1] ?? null
  return value?.split('.')[0] ?? null
}
