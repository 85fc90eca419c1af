import type { Environment } from '../chain/table.ts'
import { dashboardUrl } from './origins.ts'
import type { Reader } from './reader.ts'

/** The settings of the dashboard, which is there as soon as it has a secret. */
export interface DashboardConfig {
  /** Its public origin: scheme, host and port. Nothing of a request decides it. */
  readonly origin: string
  /** Signs cookies and encrypts the secrets of authenticators. */
  readonly secret: string
  /** Whether anyone can sign up; otherwise only invited users. */
  readonly isOpen: boolean
  readonly mail: {
    /** Null where emails are only stored. */
    readonly smtpUrl: string | null
    readonly from: string
    /** Whether a public page shows them: on development stacks only. */
    readonly hasMailbox: boolean
  }
  readonly limits: {
    /** Requests per minute and user. */
    readonly requests: number
    /** Tries to sign in per minute, by client address, and by account. */
    readonly signIns: number
  }
}

const SHORTEST_SECRET = 32

/** Reads them; null without DASHBOARD_SECRET. */
export function dashboardConfig(reader: Reader, environment: Environment): DashboardConfig | null {
  const secret = reader.optional('DASHBOARD_SECRET')
  if (secret === null) return null
  if (secret.length < SHORTEST_SECRET) {
    reader.problem(
      `DASHBOARD_SECRET must have at least ${SHORTEST_SECRET} characters: take those of \`openssl rand -base64 32\``,
    )
  }
  const origin = dashboardUrl(reader)
  const smtpUrl = reader.optional('SMTP_URL')
  if (environment === 'live' && !origin.startsWith('https://')) {
    reader.problem('DASHBOARD_URL must begin with https:// in live')
  }
  const hasMailbox = reader.onOrOff('DASHBOARD_MAILBOX', false)
  if (environment === 'live' && hasMailbox) {
    reader.problem('DASHBOARD_MAILBOX must be off in live: it shows the emails of all users')
  }
  if (environment === 'live' && smtpUrl === null) {
    reader.problem('SMTP_URL is missing: users confirm their addresses by email')
  }
  if (smtpUrl !== null && !isSmtpUrl(smtpUrl)) {
    reader.problem('SMTP_URL must begin with smtp:// or smtps://')
  }
  return {
    origin,
    secret,
    isOpen: reader.onOrOff('DASHBOARD_SIGN_UP', false),
    mail: {
      smtpUrl,
      from: reader.text('MAIL_FROM', `Remit <remit@${new URL(origin).hostname}>`),
      hasMailbox,
    },
    limits: {
      requests: reader.integer('RATE_LIMIT_DASHBOARD', 600, 1),
      signIns: reader.integer('RATE_LIMIT_SIGN_IN', 20, 1),
    },
  }
}

/** Whether emails can be sent through this URL. */
export function isSmtpUrl(url: string): boolean {
  return /^smtps?:$/.test(URL.parse(url)?.protocol ?? '')
}
