import type { Logger } from 'pino'
import type { DashboardConfig } from '../../core/config/dashboard.ts'
import type { ApiConfig } from '../../core/config/processes.ts'
import { asPersonId, type PersonId } from '../../core/ids.ts'
import {
  type AuthDatabase,
  openAuthDatabase,
  removeExpired,
  useCode,
} from '../../store/dashboard/authDatabase.ts'
import { acceptInvitation, findInvitation } from '../../store/dashboard/invitations.ts'
import { storeMail } from '../../store/dashboard/mails.ts'
import type { Database } from '../../store/database.ts'
import { type Auth, createAuth } from './auth/auth.ts'
import { type Mailer, openMailer } from './mailer.ts'

/** What the dashboard works with; opened once per process, where it is switched on. */
export interface Dashboard {
  readonly config: DashboardConfig
  readonly auth: Auth
  readonly mailer: Mailer
  /** Who is signed in by these cookies; null for nobody. Looked up on every request. */
  whoIs(headers: Headers): Promise<Person | null>
  close(): Promise<void>
}

/** Somebody who is signed in. */
export interface Person {
  readonly id: PersonId
  readonly name: string
  readonly email: string
  readonly hasSecondFactor: boolean
  readonly signedInAt: Date
}

export interface DashboardParts {
  readonly config: Pick<ApiConfig, 'databaseUrl' | 'dashboard'>
  readonly database: Database
  readonly log: Logger
  readonly now: () => Date
}

const CLEANING_MS = 3_600_000

/** Opens it; null where the configuration switches it off. */
export function openDashboard(parts: DashboardParts): Dashboard | null {
  const { database, log } = parts
  const config = parts.config.dashboard
  if (config === null) return null
  const authDatabase = openAuthDatabase(parts.config.databaseUrl)
  const mailer = openMailer({ config: config.mail, database, log })
  const auth = openAuth(parts, config, authDatabase, mailer)
  const cleaning = setInterval(() => {
    removeExpired(database).catch((err) =>
      log.debug({ err }, 'old sessions wait for their removal'),
    )
  }, CLEANING_MS)
  cleaning.unref()
  return {
    config,
    auth,
    mailer,
    whoIs: (headers) => whoIs(auth, headers),
    async close() {
      clearInterval(cleaning)
      await mailer.close()
      await authDatabase.end({ timeout: 2 })
    },
  }
}

function openAuth(
  { database, log, now }: DashboardParts,
  config: DashboardConfig,
  authDatabase: AuthDatabase,
  mailer: Mailer,
): Auth {
  return createAuth({
    config,
    database: authDatabase,
    rules: {
      isOpen: config.isOpen,
      invitedEmail: async (token) => (await findInvitation(database, token, now()))?.email ?? null,
      acceptInvitation: (token, personId) => acceptInvitation(database, token, personId, now()),
      useCode: (personId, code) => useCode(database, personId, code),
    },
    async sendVerification(email, url) {
      await storeMail(database, {
        recipient: email,
        subject: 'Confirm your e-mail address',
        body: `Open this link within an hour to confirm that this address is yours:\n\n${url}\n\nIf you did not ask for it, nothing has to be done.\n`,
      })
      mailer.wake()
    },
    onProblem: (message) => log.warn({ message }, 'signing in has a problem'),
  })
}

async function whoIs(auth: Auth, headers: Headers): Promise<Person | null> {
  if (!headers.has('cookie')) return null
  const found = await auth.api.getSession({ headers, query: { disableCookieCache: true } })
  if (found === null || !found.user.emailVerified) return null
  const { user, session } = found
  return {
    id: asPersonId(user.id),
    name: user.name,
    email: user.email,
    hasSecondFactor: user.twoFactorEnabled === true,
    signedInAt: session.createdAt,
  }
}
