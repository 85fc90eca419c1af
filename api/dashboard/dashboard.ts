import type { Logger } from 'pino'
import { asPersonId, type PersonId } from '../../core/base/ids.ts'
import { cleanText } from '../../core/base/text.ts'
import type { ApiConfig } from '../../core/config/api.ts'
import type { DashboardConfig } from '../../core/config/dashboard.ts'
import { LONGEST_AGENT } from '../../core/events/audit.ts'
import { acceptInvitation, findInvitation } from '../../store/access/invitations.ts'
import { acceptOperatorInvitation, findOperatorInvitation } from '../../store/access/operators.ts'
import {
  type AuthDatabase,
  forgetUnconfirmed,
  openAuthDatabase,
  removeExpired,
  useCode,
} from '../../store/dashboard/authDatabase.ts'
import { type MerchantFeed, openMerchantFeed } from '../../store/dashboard/feed.ts'
import { addSignInEvent } from '../../store/dashboard/signInEvents.ts'
import type { Availability } from '../../store/database/availability.ts'
import type { Database } from '../../store/database/database.ts'
import { lazily } from '../http/lazily.ts'
import type { Auth } from './auth/auth.ts'
import { type Hashing, openHashing } from './auth/hashing.ts'
import type { HashCost } from './auth/passwords.ts'
import { CLIENT_HEADER } from './auth/paths.ts'
import { openLinkEmails } from './linkEmails.ts'
import { type Mailer, openMailer } from './mailer.ts'
import { openReportEmails } from './reportEmails.ts'
import { openRequestRecords, type RequestRecords } from './requestRecords.ts'

/** The backends of the dashboard; opened once per process, if it is enabled. */
export interface Dashboard {
  readonly config: DashboardConfig
  /** Sign-in, which is loaded at the first call. */
  readonly auth: () => Promise<Auth>
  /** Does work of the library that hashes nothing. Throws DatabaseUnavailable, at once during a known outage. */
  guardAuth<T>(work: (auth: Auth) => Promise<T>): Promise<T>
  readonly hashing: Hashing
  readonly mailer: Mailer
  /** The request log for developers. */
  readonly requests: RequestRecords
  /** Changes of merchants' objects, for pages that show them. */
  readonly feed: MerchantFeed
  /** The user of these cookies, or null. Reads the session each time. Throws DatabaseUnavailable. */
  whoIs(headers: Headers): Promise<Person | null>
  /** Makes closing wait for background work. The promise must not reject. */
  afterwards(work: Promise<unknown>): void
  /** Registers what is closed with it. */
  onClose(work: () => Promise<void>): void
  close(): Promise<void>
}

/** A signed-in user. */
export interface Person {
  readonly id: PersonId
  readonly name: string
  readonly email: string
  readonly hasSecondFactor: boolean
  /** When they last signed in with every factor; the epoch if unknown. */
  readonly signedInAt: Date
  readonly sessionId: string
}

export interface DashboardParts {
  readonly config: Pick<
    ApiConfig,
    'directUrl' | 'dashboard' | 'chains' | 'limits' | 'registry' | 'secretKeys' | 'silenceMs'
  >
  readonly database: Database
  readonly availability: Availability
  readonly log: Logger
  readonly now: () => Date
  /** Cheaper hashing, for tests. */
  readonly hashCost?: HashCost
}

const CLEANING_MS = 3_600_000
/** One per visible tab. */
const STREAMS_PER_PERSON = 20

/** Opens it; null if the configuration disables it. */
export function openDashboard(parts: DashboardParts): Dashboard | null {
  const { database, availability, log, now } = parts
  const config = parts.config.dashboard
  if (config === null) return null
  const authDatabase = openAuthDatabase(parts.config.directUrl, parts.config.silenceMs)
  const mailer = openMailer({
    ...{ config: config.mail, origin: config.origin, keys: parts.config.secretKeys },
    ...{ database, log },
  })
  const auth = lazily(() => openAuth(parts, config, authDatabase, mailer))
  async function guardAuth<T>(work: (auth: Auth) => Promise<T>): Promise<T> {
    const loaded = await auth()
    return availability.guard(() => work(loaded).catch(throwCause))
  }
  const closing: (() => Promise<void>)[] = []
  const pending = new Set<Promise<unknown>>()
  const requests = openRequestRecords({ database, log, now })
  const feed = openMerchantFeed({
    database,
    networkIds: parts.config.chains.map(({ networkId }) => networkId),
    bounds: { perClient: STREAMS_PER_PERSON, inAll: parts.config.limits.streams },
    log,
  })
  const endReports = openReportEmails({
    database,
    registry: parts.config.registry,
    origin: config.origin,
    log,
    now: parts.now,
    onWritten: () => mailer.wake(),
  })
  const cleaning = setInterval(() => {
    removeExpired(database).catch((err) =>
      log.debug({ err }, 'expired sessions were not removed; retried later'),
    )
  }, CLEANING_MS)
  cleaning.unref()
  return {
    config,
    auth,
    guardAuth,
    hashing: openHashing(),
    mailer,
    requests,
    feed,
    whoIs: async (headers) =>
      headers.has('cookie') ? guardAuth((auth) => whoIs(auth, headers)) : null,
    afterwards(work) {
      pending.add(work)
      void work.finally(() => pending.delete(work))
    },
    onClose(work) {
      closing.push(work)
    },
    async close() {
      clearInterval(cleaning)
      for (const work of closing) await work()
      await Promise.all(pending)
      endReports()
      await feed.close()
      await mailer.close()
      await requests.close()
      await authDatabase.end({ timeout: 2 })
    },
  }
}

async function openAuth(
  { database, log, now, hashCost, config: { secretKeys } }: DashboardParts,
  config: DashboardConfig,
  authDatabase: AuthDatabase,
  mailer: Mailer,
): Promise<Auth> {
  const { createAuth } = await import('./auth/auth.ts')
  return createAuth({
    config,
    database: authDatabase,
    secretKeys,
    hashCost,
    rules: {
      isOpen: config.isOpen,
      async invitedEmail(token) {
        const invitation =
          (await findInvitation(database, token, now())) ??
          (await findOperatorInvitation(database, token, now()))
        return invitation?.email ?? null
      },
      forgetUnconfirmed: (email) => forgetUnconfirmed(database, email),
      async acceptInvitation(token, personId, headers) {
        const member = await acceptInvitation(database, token, personId, now())
        const isOne = await acceptOperatorInvitation(database, token, personId, now())
        if (member === null && !isOne) return
        await addSignInEvent(database, {
          personId,
          event: 'acceptInvitation',
          after: member === null ? null : { role: member.role },
          address: headers.get(CLIENT_HEADER) || null,
          agent: cleanText(headers.get('user-agent') ?? '', LONGEST_AGENT),
          traceId: null,
          status: 200,
        })
      },
      useCode: (personId, code) => useCode(database, personId, code),
    },
    ...openLinkEmails({ config, database, log, now, onStored: () => mailer.wake() }),
    onProblem: (message) => log.warn({ message }, 'sign-in reports a problem'),
  })
}

/** The library wraps the faults of its database. */
function throwCause(error: unknown): never {
  throw error instanceof Error && error.cause instanceof Error ? error.cause : error
}

async function whoIs(auth: Auth, headers: Headers): Promise<Person | null> {
  const found = await auth.api.getSession({ headers, query: { disableCookieCache: true } })
  if (found === null || !found.user.emailVerified) return null
  const { user, session } = found
  return {
    id: asPersonId(user.id),
    name: user.name,
    email: user.email,
    hasSecondFactor: user.twoFactorEnabled === true,
    // The library also starts sessions for other reasons: only this column shows a recent sign-in.
    signedInAt: session.signedInAt ?? new Date(0),
    sessionId: session.id,
  }
}
