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
import type { Database } from '../../store/database/database.ts'
import { type Auth, CLIENT_HEADER, createAuth } from './auth/auth.ts'
import { type Hashing, openHashing } from './auth/hashing.ts'
import type { HashCost } from './auth/passwords.ts'
import { openLinkMails } from './linkMails.ts'
import { type Mailer, openMailer } from './mailer.ts'
import { openReportMails } from './reportMails.ts'
import { openRequestRecords, type RequestRecords } from './requestRecords.ts'

/** What the dashboard works with; opened once per process, where it is switched on. */
export interface Dashboard {
  readonly config: DashboardConfig
  readonly auth: Auth
  readonly hashing: Hashing
  readonly mailer: Mailer
  /** What developers see of the requests of their servers. */
  readonly requests: RequestRecords
  /** What of merchants has changed, for pages that show it. */
  readonly feed: MerchantFeed
  /** The user of these cookies, or null. Read on every request. */
  whoIs(headers: Headers): Promise<Person | null>
  /** Has it wait for something before it is closed, though no answer does. It must not reject. */
  afterwards(work: Promise<unknown>): void
  /** Has something be closed with it. */
  onClose(work: () => Promise<void>): void
  close(): Promise<void>
}

/** A signed-in user. */
export interface Person {
  readonly id: PersonId
  readonly name: string
  readonly email: string
  readonly hasSecondFactor: boolean
  /** When they last signed in with all that they sign in with; the epoch when that is not known. */
  readonly signedInAt: Date
  readonly sessionId: string
}

export interface DashboardParts {
  readonly config: Pick<
    ApiConfig,
    'directUrl' | 'dashboard' | 'chains' | 'limits' | 'registry' | 'secretKeys' | 'silenceMs'
  >
  readonly database: Database
  readonly log: Logger
  readonly now: () => Date
  /** Cheaper hashes, for tests. */
  readonly hashCost?: HashCost
}

const CLEANING_MS = 3_600_000
/** Each visible tab has one. */
const STREAMS_PER_PERSON = 20

/** Opens it; null where the configuration switches it off. */
export function openDashboard(parts: DashboardParts): Dashboard | null {
  const { database, log, now } = parts
  const config = parts.config.dashboard
  if (config === null) return null
  const authDatabase = openAuthDatabase(parts.config.directUrl, parts.config.silenceMs)
  const mailer = openMailer({
    ...{ config: config.mail, origin: config.origin, keys: parts.config.secretKeys },
    ...{ database, log },
  })
  const auth = openAuth(parts, config, authDatabase, mailer)
  const closing: (() => Promise<void>)[] = []
  const pending = new Set<Promise<unknown>>()
  const requests = openRequestRecords({ database, log, now })
  const feed = openMerchantFeed({
    database,
    networkIds: parts.config.chains.map(({ networkId }) => networkId),
    bounds: { perClient: STREAMS_PER_PERSON, inAll: parts.config.limits.streams },
    log,
  })
  const endReports = openReportMails({
    database,
    registry: parts.config.registry,
    origin: config.origin,
    log,
    now: parts.now,
    onWritten: () => mailer.wake(),
  })
  const cleaning = setInterval(() => {
    removeExpired(database).catch((err) =>
      log.debug({ err }, 'old sessions wait for their removal'),
    )
  }, CLEANING_MS)
  cleaning.unref()
  return {
    config,
    auth,
    hashing: openHashing(),
    mailer,
    requests,
    feed,
    whoIs: (headers) => whoIs(auth, headers),
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

function openAuth(
  { database, log, now, hashCost, config: { secretKeys } }: DashboardParts,
  config: DashboardConfig,
  authDatabase: AuthDatabase,
  mailer: Mailer,
): Auth {
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
    ...openLinkMails({ config, database, log, now, onStored: () => mailer.wake() }),
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
    // The library begins sessions for other reasons, too: what is fresh is asked of this column alone.
    signedInAt: session.signedInAt ?? new Date(0),
    sessionId: session.id,
  }
}
