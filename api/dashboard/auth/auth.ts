import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { twoFactor } from 'better-auth/plugins'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../../core/access/password.ts'
import type { Keyring } from '../../../core/base/keyring.ts'
import { shortMessage } from '../../../core/base/logging.ts'
import type { DashboardConfig } from '../../../core/config/dashboard.ts'
import type { AuthDatabase } from '../../../store/dashboard/authDatabase.ts'
import { type AuthRules, afterAuth, beforeAuth } from './hooks.ts'
import { onlyVerifiedUsers } from './passkeys.ts'
import { type HashCost, hashPassword, verifyPassword } from './passwords.ts'
import { AUTH_PATH, CLIENT_HEADER, VERIFY_PATH } from './paths.ts'
import { authAdapter } from './sealedAdapter.ts'
import { markSignIn } from './signInMoment.ts'

/**
 * Sign-in by better-auth, with the tables of our migrations and an allowlist of its paths. Loaded when it is first
 * used, because the library takes a third of the processor time of the API's start.
 */

/** Sessions end this long after signing in, in seconds, active or not. */
const SESSION_S = 12 * 3_600
const FRESH_S = 600
const VERIFICATION_S = 3_600

export interface AuthParts {
  readonly config: DashboardConfig
  readonly database: AuthDatabase
  readonly secretKeys: Keyring
  readonly rules: AuthRules
  /** The cost of new password hashes; undefined for the default. */
  readonly hashCost: HashCost | undefined
  /** Stores the email that confirms an address; limits are counted by the request. */
  readonly sendVerification: (email: string, url: string, request?: Request) => Promise<void>
  /** Stores the email for an address that already has an account. */
  readonly sendKnown: (email: string, request?: Request) => Promise<void>
  readonly onProblem: (message: string) => void
}

export type Auth = ReturnType<typeof createAuth>

export function createAuth(parts: AuthParts) {
  const { config, database, secretKeys, rules, sendVerification, sendKnown, onProblem } = parts
  const { hashCost } = parts
  const isSecure = config.origin.startsWith('https://')
  return betterAuth({
    appName: 'Remit',
    // From the configuration, never from a request: links in emails can't lead to another host.
    baseURL: config.origin,
    basePath: AUTH_PATH,
    secret: config.secret,
    trustedOrigins: [config.origin],
    database: authAdapter(database, secretKeys),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: SHORTEST_PASSWORD,
      maxPasswordLength: LONGEST_PASSWORD,
      requireEmailVerification: true,
      autoSignIn: false,
      onExistingUserSignUp: ({ user }, request) => sendKnown(user.email, request),
      password: { hash: (password) => hashPassword(password, hashCost), verify: verifyPassword },
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: false,
      expiresIn: VERIFICATION_S,
      // The library's own link redirects to a URL that the caller chooses.
      sendVerificationEmail: ({ user, token }, request) =>
        sendVerification(
          user.email,
          `${config.origin}${AUTH_PATH}${VERIFY_PATH}?token=${token}`,
          request,
        ),
    },
    // A cached session would stay valid after its end, and without its second factor.
    session: {
      expiresIn: SESSION_S,
      disableSessionRefresh: true,
      freshAge: FRESH_S,
      cookieCache: { enabled: false },
      additionalFields: { signedInAt: { type: 'date', required: false, input: false } },
    },
    databaseHooks: { session: { create: { before: markSignIn } } },
    // The mount counts over all processes, and sends Retry-After.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message) => onProblem(shortMessage(message)) },
    // Unexpected errors are handled and logged like ours; the library would print them in full.
    onAPIError: { throw: true },
    advanced: {
      // The library's own prefix, `__Secure-`, would let a neighbouring subdomain plant a cookie.
      cookiePrefix: isSecure ? '__Host-remit' : 'remit',
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: [CLIENT_HEADER] },
    },
    plugins: [
      twoFactor({ issuer: 'Remit' }),
      passkey({
        rpID: new URL(config.origin).hostname,
        rpName: 'Remit',
        origin: config.origin,
        ...onlyVerifiedUsers,
      }),
    ],
    hooks: { before: beforeAuth(rules), after: afterAuth(rules) },
  })
}
