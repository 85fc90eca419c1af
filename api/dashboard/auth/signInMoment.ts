import type { BetterAuthOptions } from 'better-auth'
import { WAYS } from './paths.ts'

/**
 * The moment of the last complete sign-in, in a column of the session that signing in alone writes. The library
 * begins sessions for other reasons, too (another password, a second factor that begins or ends), and those
 * take the moment over from the session before, or have none.
 */

type Hooks = NonNullable<BetterAuthOptions['databaseHooks']>
type BeforeSession = NonNullable<NonNullable<NonNullable<Hooks['session']>['create']>['before']>

export const markSignIn: BeforeSession = async (session, context) => {
  // The library hands on the session that it replaces, with its moment, when there is one.
  if ('signedInAt' in session) return { data: {} }
  if (context !== null && Object.hasOwn(WAYS, context.path)) {
    return { data: { signedInAt: new Date() } }
  }
  return { data: { signedInAt: context?.context.session?.session.signedInAt ?? null } }
}
