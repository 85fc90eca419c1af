import type { PersonId } from '../../../core/base/ids.ts'
import { confirmedEmail } from '../../../store/dashboard/signInEvents.ts'
import { storeEmail } from '../../../store/events/emails.ts'
import { guardDatabase } from '../../http/backends.ts'
import type { ApiDependencies } from '../../http/exchange.ts'
import type { Limits } from '../../http/rateLimit.ts'
import type { SignInPlace } from './place.ts'

/** The credential that is being guessed. */
export type Guessed = 'password' | 'code'

/**
 * Emails a user, at most once an hour, that passwords are tried on their account, or that the password
 * is known and codes are tried. Runs after the response, so that its time doesn't reveal whether an account exists.
 */
export function notifyOfGuessing(
  deps: Pick<ApiDependencies, 'availability' | 'database' | 'log'>,
  dashboard: SignInPlace,
  limits: Limits,
  personId: PersonId,
  guessed: Guessed,
): void {
  async function notify(): Promise<void> {
    const email = await guardDatabase(deps, (sql) => confirmedEmail(sql, personId))
    if (email === null || !(await limits.mayNotify(personId))) return
    const message = {
      recipient: email,
      kind: 'warning',
      ...emailOf(guessed, dashboard.config.origin),
    } as const
    await guardDatabase(deps, (sql) => storeEmail(sql, message))
    dashboard.mailer.wake()
  }
  dashboard.afterwards(
    notify().catch((err) => deps.log.warn({ err }, 'a user was not notified of failed sign-ins')),
  )
}

const WORDS: Readonly<Record<Guessed, string>> = {
  password:
    'Many attempts to sign in to your account with a wrong password have failed within the last hour. ' +
    'Browsers in which you have signed in before work as usual; from elsewhere, fewer attempts are accepted for now.\n\n' +
    'If they were not yours, make sure that your password is used nowhere else, and that a second factor protects the account:',
  code:
    'Your password was given, followed by too many wrong codes. Codes are not accepted for a quarter of an hour; a passkey still is.\n\n' +
    'If it was not you, someone has your password. Change it:',
}

function emailOf(guessed: Guessed, origin: string) {
  return {
    subject: 'Failed attempts to sign in to your account',
    body: `${WORDS[guessed]}\n\n${origin}/dashboard/security\n`,
  }
}
