import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { networkKeys, parseIp } from '../../core/base/network.ts'
import type { DashboardConfig } from '../../core/config/dashboard.ts'
import { findInvitation } from '../../store/access/invitations.ts'
import { findOperatorInvitation } from '../../store/access/operators.ts'
import type { Database } from '../../store/database/database.ts'
import { type LinkCause, type Mail, storeLinkMail } from '../../store/events/mails.ts'
import { CLIENT_HEADER } from './auth/auth.ts'
import { INVITATION_HEADER } from './auth/hooks.ts'

/** Mails that signing up and in can have sent to any address, each counted by who causes it. */

export interface LinkMails {
  /** By which somebody confirms their address. */
  readonly sendVerification: (email: string, url: string, request?: Request) => Promise<void>
  /** By which somebody is told that they have an account already. */
  readonly sendKnown: (email: string, request?: Request) => Promise<void>
}

export function openLinkMails(parts: {
  readonly config: Pick<DashboardConfig, 'origin' | 'secret'>
  readonly database: Database
  readonly log: Logger
  readonly now: () => Date
  readonly onStored: () => void
}): LinkMails {
  const { config, database, log, now, onStored } = parts
  const key = createHmac('sha256', config.secret).update('mail networks').digest()

  /** By whom the invited person was invited, who alone has the token; null for everyone else. */
  async function inviterOf(email: string, request: Request | undefined): Promise<LinkCause | null> {
    const token = request?.headers.get(INVITATION_HEADER) ?? null
    if (token === null) return null
    const invitation = await findInvitation(database, token, now())
    if (invitation?.email === email) return invitation.merchantId
    const ofOperator = await findOperatorInvitation(database, token, now())
    return ofOperator?.email === email ? 'operator' : null
  }

  /** Named by a digest: the row says that two came from one network, and not from which. */
  function strangerOf(request: Request | undefined): LinkCause {
    const ip = parseIp(request?.headers.get(CLIENT_HEADER) ?? '')
    if (ip === null) return 'stranger'
    const digest = createHmac('sha256', key)
      .update(String(networkKeys(ip).at(-1)))
      .digest('hex')
    return `stranger ${digest.slice(0, 32)}`
  }

  async function send(
    mail: Pick<Mail, 'recipient' | 'subject' | 'body'>,
    request: Request | undefined,
  ): Promise<void> {
    const inviter = await inviterOf(mail.recipient, request)
    const causes = [...(inviter === null ? [] : [inviter]), strangerOf(request)]
    if (await storeLinkMail(database, causes, mail)) onStored()
    else log.warn({ causes }, 'a mail with a link was left out: its mailbox has had too many')
  }

  return {
    sendVerification: (email, url, request) =>
      send(
        {
          recipient: email,
          subject: 'Confirm your e-mail address',
          body: `Open this link within an hour, and confirm there that this address is yours:\n\n${url}\n\nIf you did not ask for it, nothing has to be done.\n`,
        },
        request,
      ),
    sendKnown: (email, request) =>
      send(
        {
          recipient: email,
          subject: 'You have an account already',
          body: `Somebody has signed up with this address, which has an account. Sign in with it:\n\n${config.origin}/dashboard/sign-in\n\nIf it was not you, nothing has to be done.\n`,
        },
        request,
      ),
  }
}
