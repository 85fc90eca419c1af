import type { BetterAuthOptions } from 'better-auth'
import { WAYS } from './paths.ts'

/**
 * The time of the last complete sign-in, in a column of the session that only a sign-in sets. The library
 * also starts sessions for other reasons (a changed password, a second factor added or removed), and those
 * inherit the time of the previous session, or have none.
 */

type Hooks = NonNullable<BetterAuthOptions['databaseHooks']>
type BeforeSession = NonNullable<NonNullable<NonNullable<Hooks['session']>['create']>['before']>

export const markSignIn: BeforeSession = async (session, context) => {
  // The library passes the session that it replaces, if there is one.
  if ('signedInAt' in session) return { data: {} }
  if (context !== null && Object.hasOwn(WAYS, context.path)) {
    return { data: { signedInAt: new Date() } }
  }
  return { data: { signedInAt: context?.context.session?.session.signedInAt ?? null } }
}
