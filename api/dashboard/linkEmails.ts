import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { networkKeys, parseIp } from '../../core/base/network.ts'
import type { DashboardConfig } from '../../core/config/dashboard.ts'
import { findInvitation } from '../../store/access/invitations.ts'
import { findOperatorInvitation } from '../../store/access/operators.ts'
import type { Database } from '../../store/database/database.ts'
import { type Email, type LinkCause, storeLinkEmail } from '../../store/events/emails.ts'
import { CLIENT_HEADER, INVITATION_HEADER } from './auth/paths.ts'

/** Emails that sign-up and sign-in can send to any address, rate-limited by their cause. */

export interface LinkEmails {
  readonly sendVerification: (email: string, url: string, request?: Request) => Promise<void>
  /** For an address that already has an account. */
  readonly sendKnown: (email: string, request?: Request) => Promise<void>
}

export function openLinkEmails(parts: {
  readonly config: Pick<DashboardConfig, 'origin' | 'secret'>
  readonly database: Database
  readonly log: Logger
  readonly now: () => Date
  readonly onStored: () => void
}): LinkEmails {
  const { config, database, log, now, onStored } = parts
  const key = createHmac('sha256', config.secret).update('mail networks').digest()

  /** The merchant or operator that invited this address; null without a valid token of the invitation. */
  async function inviterOf(email: string, request: Request | undefined): Promise<LinkCause | null> {
    const token = request?.headers.get(INVITATION_HEADER) ?? null
    if (token === null) return null
    const invitation = await findInvitation(database, token, now())
    if (invitation?.email === email) return invitation.merchantId
    const operatorInvitation = await findOperatorInvitation(database, token, now())
    return operatorInvitation?.email === email ? 'operator' : null
  }

  /** A digest: rows show that two requests came from the same network, but not which one. */
  function strangerOf(request: Request | undefined): LinkCause {
    const ip = parseIp(request?.headers.get(CLIENT_HEADER) ?? '')
    if (ip === null) return 'stranger'
    const digest = createHmac('sha256', key)
      .update(String(networkKeys(ip).at(-1)))
      .digest('hex')
    return `stranger ${digest.slice(0, 32)}`
  }

  async function send(
    message: Pick<Email, 'recipient' | 'subject' | 'body'>,
    request: Request | undefined,
  ): Promise<void> {
    const inviter = await inviterOf(message.recipient, request)
    const causes = [...(inviter === null ? [] : [inviter]), strangerOf(request)]
    if (await storeLinkEmail(database, causes, message)) onStored()
    else log.warn({ causes }, 'link email not sent: an hourly limit of its causes is reached')
  }

  return {
    sendVerification: (email, url, request) =>
      send(
        {
          recipient: email,
          subject: 'Confirm your email address',
          body: `Open this link within one hour to confirm your email address:\n\n${url}\n\nIf you did not request this, you can ignore this email.\n`,
        },
        request,
      ),
    sendKnown: (email, request) =>
      send(
        {
          recipient: email,
          subject: 'You already have an account',
          body: `This email address was used to sign up, but it already has an account. Sign in here:\n\n${config.origin}/dashboard/sign-in\n\nIf this was not you, you can ignore this email.\n`,
        },
        request,
      ),
  }
}
