import { isAction, isAuditedForKeys } from '../../core/access/roles.ts'
import { AppError } from '../../core/base/errors.ts'
import { isUuid, type MerchantId } from '../../core/base/ids.ts'
import { cleanText } from '../../core/base/text.ts'
import { type Actor, LONGEST_AGENT, LONGEST_CHANGE } from '../../core/events/audit.ts'
import { readBefore } from '../../store/dashboard/before.ts'
import type { Queryable } from '../../store/database/database.ts'
import { addAuditEntry, addAuditOutcome } from '../../store/events/audit.ts'
import { readBodyBytes } from '../request/body.ts'
import { parseJson } from '../request/json.ts'
import { guardDatabase } from './backends.ts'
import { addressOfExchange } from './clientAddress.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/** The configuration and backends needed to record a change. */
type AuditDependencies = Pick<
  ApiDependencies,
  'availability' | 'database' | 'config' | 'peer' | 'log'
>

/** A requested change: its operation and its fields. */
export interface Change {
  readonly operationId: string
  readonly sent: Readonly<Record<string, unknown>>
  readonly request: Request
}

/**
 * Executes a change and records it: the entry before the attempt, so that none is missing, and the result
 * afterwards. Routine requests by merchants' servers are not recorded.
 */
export async function carryOutAudited(
  deps: AuditDependencies,
  exchange: Exchange,
  change: Change,
  carryOut: (request: Request) => Promise<string | Response>,
): Promise<string | Response> {
  const { actor, merchantId, traceId } = exchange
  const { operationId, request } = change
  const isUnowned = merchantId === null && actor?.type !== 'operator'
  if (actor === null || isUnowned || !isAudited(actor, operationId)) return carryOut(request)
  const bytes = await readBodyBytes(request)
  const { method, headers } = request
  const body = bytes.length === 0 ? {} : { body: new Uint8Array(bytes) }
  const again = new Request(request.url, { method, headers, ...body })
  // A malformed id is refused later, and may contain what no row can store.
  const id = typeof change.sent.id === 'string' && isUuid(change.sent.id) ? change.sent.id : null
  const after = requestedFields(bytes)
  const entryId = await guardDatabase(deps, async (sql) =>
    addAuditEntry(sql, {
      merchantId,
      actor,
      action: operationId,
      objectId: id,
      before: await previousValues(sql, operationId, { merchantId, id }, after),
      after,
      address: addressOfExchange(deps, exchange),
      agent: cleanText(headers.get('user-agent') ?? '', LONGEST_AGENT),
      traceId,
    }),
  )
  const end = (status: number, objectId: string | null) =>
    guardDatabase(deps, (sql) => addAuditOutcome(sql, entryId, { status, objectId })).catch((err) =>
      deps.log.warn({ traceId, err }, 'a change was recorded without its outcome'),
    )
  try {
    const answer = await carryOut(again)
    await end(Number(exchange.set.status ?? 200), idIn(answer))
    return answer
  } catch (error) {
    await end(error instanceof AppError ? error.status : 500, null)
    throw error
  }
}

/** The previous values of the fields that a change sets. */
async function previousValues(
  sql: Queryable,
  operationId: string,
  { merchantId, id }: { readonly merchantId: MerchantId | null; readonly id: string | null },
  after: unknown,
): Promise<unknown> {
  if (merchantId === null || !isAction(operationId)) return null
  const before = await readBefore(sql, operationId, { merchantId, id })
  if (before === null || Array.isArray(before)) return before
  const fields = Object.entries(before)
  const sent = typeof after === 'object' && after !== null ? Object.keys(after) : []
  const same = fields.filter(([name]) => sent.includes(name))
  const kept = Object.fromEntries(same.length > 0 ? same : fields)
  return JSON.stringify(kept).length > LONGEST_CHANGE ? null : kept
}

function isAudited(actor: Actor, operationId: string): boolean {
  if (actor.type !== 'key') return true
  return isAction(operationId) && isAuditedForKeys(operationId)
}

/** The sent JSON if it is short; otherwise its size. */
function requestedFields(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return null
  if (bytes.length > LONGEST_CHANGE) return { bytes: bytes.length }
  const parsed = parseJson(new TextDecoder().decode(bytes))
  return parsed.ok ? parsed.value : { bytes: bytes.length }
}

/** The id of the created or changed object, from the response. */
function idIn(answer: string | Response): string | null {
  if (typeof answer !== 'string') return null
  const parsed: unknown = JSON.parse(answer)
  if (typeof parsed !== 'object' || parsed === null || !('data' in parsed)) return null
  const { data } = parsed
  if (typeof data !== 'object' || data === null || !('id' in data)) return null
  return String(data.id)
}
