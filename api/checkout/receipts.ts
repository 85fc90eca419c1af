import { parseEmail } from '../../core/access/invitation.ts'
import { AppError } from '../../core/base/errors.ts'
import { cleanText } from '../../core/base/text.ts'
import type { SessionId } from '../../core/checkout/session.ts'
import { storeLinkEmail } from '../../store/events/emails.ts'
import { receiptText } from '../../web/checkout/receiptText.ts'
import { messagesIn } from '../../web/messages/languages.ts'
import { chooseLocale, offeredLocales } from '../../web/messages/locale.ts'
import { createWords } from '../../web/messages/words.ts'
import { guardDatabase } from '../http/backends.ts'
import { networksOfExchange } from '../http/clientAddress.ts'
import type { ApiDependencies, Exchange } from '../http/exchange.ts'
import { invalidBody } from '../request/body.ts'
import { targetOf } from '../request/target.ts'
import { readSession } from './sessions.ts'

/** Receipts by email, to any address that the payer of a completed session names. */

/** Emails per hour: of a session, and from each network that the request comes from. */
const OF_SESSION = 3
const FROM_NETWORK = 20
/** The subject's column takes 200 characters, and the body's 20,000. */
const LONGEST_SUBJECT = 150

/**
 * Stores the email, which the mailer sends. Throws if the address is malformed, there is no receipt, or there were too
 * many: of the session, from a network, or from this merchant to this mailbox.
 */
export async function sendReceipt(
  deps: ApiDependencies,
  exchange: Exchange,
  id: SessionId,
  text: string,
): Promise<void> {
  const parsed = parseEmail(text)
  if (!parsed.ok) throw invalidBody([{ path: 'email', message: parsed.message }])
  const { rows, view } = await readSession(deps, id)
  const { payment, state } = view
  if (deps.config.dashboard === null || payment === null || state !== 'completed') {
    throw new AppError('choice_not_possible')
  }
  const windows = [
    { subject: `receipt:${rows.session.id}`, most: OF_SESSION },
    ...networksOfExchange(deps, exchange).map((network) => ({
      subject: `receipt-from:${network}`,
      most: FROM_NETWORK,
    })),
  ]
  for (const { subject, most } of windows) {
    const { isAdmitted } = await deps.limiter.hourly.take(subject, most)
    if (!isAdmitted) throw new AppError('too_many_requests')
  }
  const locale = chooseLocale(
    targetOf(exchange.request).searchParams.get('lang') ?? rows.session.locale,
    exchange.request.headers.get('accept-language'),
    offeredLocales(rows.page.languages),
  )
  const { subject, body } = receiptText(view, payment, createWords(messagesIn(locale), locale))
  const message = {
    recipient: parsed.email,
    subject: cleanText(subject, LONGEST_SUBJECT),
    body: `${body}\n`,
  }
  const cause = `receipt ${rows.session.merchantId}` as const
  const isStored = await guardDatabase(deps, (sql) => storeLinkEmail(sql, [cause], message))
  if (!isStored) throw new AppError('too_many_requests')
}
