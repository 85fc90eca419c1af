import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { Keyring } from '../../core/base/keyring.ts'
import { shortMessage } from '../../core/base/logging.ts'
import type { DashboardConfig } from '../../core/config/dashboard.ts'
import { withDashboard } from '../../core/merchant/recipientChange.ts'
import type { Database } from '../../store/database/database.ts'
import {
  type Email,
  type EmailQueue,
  markFailed,
  markSent,
  removeOldEmails,
  takeEmail,
} from '../../store/events/emails.ts'
import {
  markOwnerEmailFailed,
  markOwnerEmailSent,
  takeOwnerEmail,
} from '../../store/events/ownerEmails.ts'

/** Sends the pending emails of the database, one at a time per queue. */
export interface Mailer {
  /** Starts a turn at once. It never fails and is never awaited. */
  wake(): void
  close(): Promise<void>
}

const POLL_MS = 10_000
const DEADLINE_MS = 20_000
/** The limit of a whole session, as a multiple of the deadline; less than an email's lease. */
const SESSION = 3

/** Without an SMTP URL emails are only stored; the development stack shows them on a page. */
export function openMailer(parts: {
  readonly config: DashboardConfig['mail']
  /** For links in emails that workers write. */
  readonly origin: string
  /** Signs the record that an owner's email was sent. */
  readonly keys: Keyring
  readonly database: Database
  readonly log: Logger
  /** How long a server may be silent, in ms. */
  readonly deadlineMs?: number
}): Mailer {
  const { config, origin, keys, database, log, deadlineMs = DEADLINE_MS } = parts
  const { smtpUrl } = config
  let transport: Transporter | null = null
  let turn: Promise<void> | null = null
  let isWanted = false

  async function run(): Promise<void> {
    do {
      isWanted = false
      if (smtpUrl !== null) transport ??= await transportTo(smtpUrl, deadlineMs)
      await removeOldEmails(database)
      const queues = [ownerQueue(database, keys, origin), queueOf(database, 'warnings')]
      const ends = await Promise.allSettled([...queues, queueOf(database, 'others')].map(sendAll))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    } while (isWanted)
  }
  async function sendAll(queue: Queue): Promise<void> {
    if (transport === null) return
    const sessionMs = SESSION * deadlineMs
    while (await sendNext({ queue, transport, from: config.from, sessionMs, log }));
  }
  function wake(): void {
    isWanted = true
    turn ??= run()
      .catch((err) => log.warn({ err }, 'emails are pending in the database'))
      .finally(() => {
        turn = null
      })
  }
  const ticks = setInterval(wake, POLL_MS)
  ticks.unref()
  return {
    wake,
    async close() {
      clearInterval(ticks)
      await turn
      transport?.close()
    },
  }
}

/** Passwords are sent to other machines only encrypted. */
async function transportTo(url: string, deadlineMs: number): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const { username, hostname } = new URL(url)
  return createTransport({
    url,
    requireTLS: username !== '' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname),
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
    dnsTimeout: deadlineMs,
  })
}

type Taken = Email & { readonly attempts: number }

/** A queue of emails that are sent one at a time. */
interface Queue {
  take(): Promise<Taken | null>
  sent(message: Taken): Promise<void>
  failed(message: Taken, failure: string): Promise<void>
}

function queueOf(database: Database, name: EmailQueue): Queue {
  return {
    take: () => takeEmail(database, name),
    sent: ({ id }) => markSent(database, id),
    failed: (message, failure) => markFailed(database, message, failure),
  }
}

/** Emails of workers to owners. */
function ownerQueue(database: Database, keys: Keyring, origin: string): Queue {
  return {
    async take() {
      const message = await takeOwnerEmail(database)
      if (message === null) return null
      const body = withDashboard(message.body, origin)
      return { ...message, body, attachment: null, attachmentName: null }
    },
    sent: ({ id }) => markOwnerEmailSent(database, keys, id),
    failed: (message, failure) => markOwnerEmailFailed(database, message, failure),
  }
}

/** Sends one due email. False when there is none. */
async function sendNext({
  queue,
  transport,
  from,
  sessionMs,
  log,
}: {
  readonly queue: Queue
  readonly transport: Transporter
  readonly from: string
  readonly sessionMs: number
  readonly log: Logger
}): Promise<boolean> {
  const message = await queue.take()
  if (message === null) return false
  try {
    const { recipient, subject, body, attachment, attachmentName } = message
    const file = { filename: attachmentName ?? 'file', content: attachment ?? '' }
    const attachments = attachment === null ? [] : [{ ...file, contentType: 'text/csv' }]
    // An object is always parsed as a single recipient.
    const to = { name: '', address: recipient }
    // The same id for each attempt, so that a mailbox recognises duplicates.
    const messageId = `<${message.id}@${domainOf(from)}>`
    const headers = { 'Auto-Submitted': 'auto-generated' }
    const text = { from, to, subject, text: body, attachments, messageId, headers }
    // A server that responds byte by byte stays within all other limits.
    await transport.sendMail({ ...text, ...{ signal: AbortSignal.timeout(sessionMs) } })
    await queue.sent(message)
  } catch (err) {
    log.warn({ err, mailId: message.id }, 'an email was not sent; it will be retried')
    await queue.failed(message, shortMessage(err))
  }
  return true
}

/** The domain of the sender's address. */
function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
}
