import { AppError } from '../../core/base/errors.ts'
import { cleanText } from '../../core/base/text.ts'
import type { Actor } from '../../core/events/audit.ts'
import { LONGEST_AGENT } from '../../core/events/audit.ts'
import { presentChange } from '../../core/merchant/recipientChange.ts'
import { addAuditEntry, addAuditOutcome } from '../../store/events/audit.ts'
import { cancelByLink, findStopLink, type StopLink } from '../../store/merchant/recipientChanges.ts'
import { guardDatabase } from '../http/backends.ts'
import { addressOfExchange } from '../http/clientAddress.ts'
import { requireOwnOrigin } from '../http/cors.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import type { Limits } from '../http/rateLimit.ts'
import { notifyOwnersCancelled } from '../merchant/notifyOwners.ts'
import { bodyOf } from '../request/body.ts'
import { pastedField } from '../request/schema.ts'
import type { Dashboard } from './dashboard.ts'

/**
 * The link in an owner's email shows a change of the recipient and can cancel it without signing in. It also works
 * for an owner with a stolen session or one removed since. Opening it changes nothing, because email scanners
 * open links too: the token is in the fragment and is sent by a button.
 */

const TOKEN_BODY = bodyOf('The link.', {
  token: pastedField('The fragment of the link.', 'b3f1'),
})

type Deps = Pick<
  ApiDependencies,
  'availability' | 'database' | 'config' | 'peer' | 'now' | 'log' | 'wake'
>

/** The change of a link. Throws `recipient_change_not_found`. */
export async function answerStopLink(
  deps: Deps,
  dashboard: Dashboard,
  limits: Limits,
  exchange: Exchange,
): Promise<string> {
  const { merchantName, change } = await readLink(deps, dashboard, limits, exchange)
  return sendObject(exchange, 200, { merchantName, change: presentChange(change) })
}

/** Cancels the link's change while it is pending, with the owner's name in the audit log. */
export async function answerStop(
  deps: Deps,
  dashboard: Dashboard,
  limits: Limits,
  exchange: Exchange,
): Promise<string> {
  const link = await readLink(deps, dashboard, limits, exchange)
  const { personId, personName, email, merchantName, change } = link
  const name = `${personName} <${email}>`
  const actor: Actor = { type: 'person', id: personId, name, role: 'owner' }
  const { traceId, request } = exchange
  const { merchantId } = change
  exchange.merchantId = merchantId
  const entryId = await guardDatabase(deps, (sql) =>
    addAuditEntry(sql, {
      merchantId,
      actor,
      action: 'cancelRecipientChange',
      objectId: change.id,
      before: presentChange(change),
      after: { by: 'link' },
      address: addressOfExchange(deps, exchange),
      agent: cleanText(request.headers.get('user-agent') ?? '', LONGEST_AGENT),
      traceId,
    }),
  )
  const ended = await guardDatabase(deps, (database) =>
    database.begin(async (sql) => {
      const stopped = await cancelByLink(sql, link.token, actor)
      if (stopped !== null) await notifyOwnersCancelled(sql, deps.config, stopped, name)
      return stopped
    }),
  )
  const status = ended === null ? 404 : 200
  await guardDatabase(deps, (sql) => addAuditOutcome(sql, entryId, { status, objectId: change.id }))
  if (ended === null) throw new AppError('recipient_change_not_found')
  dashboard.mailer.wake()
  deps.wake(
    deps.config.chains.map(({ networkId }) => networkId),
    { type: 'work_waiting' },
  )
  return sendObject(exchange, 200, { merchantName, change: presentChange(ended) })
}

async function readLink(
  deps: Deps,
  dashboard: Dashboard,
  limits: Limits,
  exchange: Exchange,
): Promise<StopLink & { readonly token: string }> {
  requireOwnOrigin(exchange, dashboard.config.origin)
  await limits.signIn(exchange)
  const { token } = await TOKEN_BODY.read(exchange.request)
  const found = await guardDatabase(deps, (sql) => findStopLink(sql, token))
  if (found === null) throw new AppError('recipient_change_not_found')
  return { ...found, token }
}
