import type { ApiKeyKind } from '../../../core/access/keys.ts'
import { AppError } from '../../../core/base/errors.ts'
import { asPersonId } from '../../../core/base/ids.ts'
import { listKeys, type OwnKey, replaceKey, revokeKey } from '../../../store/access/apiKeys.ts'
import { guardDatabase } from '../../http/backends.ts'
import { type Exchange, sendObject, sendWholeList } from '../../http/exchange.ts'
import type { MerchantCaller } from '../../http/guards.ts'
import { type Route, route } from '../../http/route.ts'
import { bodyOf, invalidBody } from '../../request/body.ts'
import { many, one } from '../../request/responses.ts'
import { flag, object, optionalTime, text, time } from '../../request/schema.ts'

/** A merchant's API keys: list, create and revoke. */

const KINDS: readonly ApiKeyKind[] = ['secret', 'publishable']
const KEYS_SHOWN = 20

const kindField = text('The kind of key.', 'secret', { enum: [...KINDS] })
const KIND_BODY = bodyOf('The key.', { kind: kindField })

const keySchema = object('A key.', {
  kind: kindField,
  hint: text('Its last characters.', 'x9Qa'),
  createdAt: time('When it was created.', '2026-08-01T12:00:00.000Z'),
  lastUsedAt: optionalTime('When it was last used, to the minute.', null),
  revokedAt: optionalTime('When it was revoked.', null),
})

const listApiKeysRoute = route({
  operation: 'GET /v1/api-keys',
  access: 'merchant',
  summary: 'List API keys',
  description: `The active keys, then the newest previous ones; ${KEYS_SHOWN} at most.`,
  operationId: 'listApiKeys',
  successes: { 200: many('The keys.', keySchema) },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const keys = await guardDatabase(deps, (sql) => listKeys(sql, merchantId, KEYS_SHOWN))
    return sendWholeList(exchange, keys)
  },
})

const replaceApiKeyRoute = route({
  operation: 'POST /v1/api-keys',
  access: 'merchant',
  body: KIND_BODY,
  summary: 'Create an API key',
  description: 'Store the key now; it is shown only once. The previous key is refused from now on.',
  operationId: 'replaceApiKey',
  successes: {
    201: one(
      'The new key.',
      object('The key.', {
        kind: kindField,
        key: text('The key.', 'sk_test_3m0…'),
      }),
    ),
  },
  handle: async (deps, { exchange, caller, body }) => {
    const wanted = wantedBy(exchange, caller, body.kind)
    const key = await guardDatabase(deps, (sql) => replaceKey(sql, deps.config.environment, wanted))
    return sendObject(exchange, 201, { kind: wanted.kind, key })
  },
})

const revokeApiKeyRoute = route({
  operation: 'POST /v1/api-keys/revoke',
  access: 'merchant',
  body: KIND_BODY,
  summary: 'Revoke an API key',
  description: 'The key is refused from now on. No new key is created.',
  operationId: 'revokeApiKey',
  successes: {
    200: one(
      'The key is revoked.',
      object('The result.', {
        kind: kindField,
        isRevoked: flag('False when there was none.', true),
      }),
    ),
  },
  handle: async (deps, { exchange, caller, body }) => {
    const wanted = wantedBy(exchange, caller, body.kind)
    const isRevoked = await guardDatabase(deps, (sql) => revokeKey(sql, wanted))
    return sendObject(exchange, 200, { kind: wanted.kind, isRevoked })
  },
})

export const KEY_ROUTES: readonly Route[] = [
  listApiKeysRoute,
  replaceApiKeyRoute,
  revokeApiKeyRoute,
]

function wantedBy({ actor }: Exchange, { merchantId }: MerchantCaller, sent: string): OwnKey {
  if (actor?.type !== 'person') throw new AppError('unauthorized')
  const kind = KINDS.find((known) => known === sent)
  if (kind === undefined) {
    throw invalidBody([{ path: 'kind', message: `must be one of ${KINDS.join(', ')}` }])
  }
  return { personId: asPersonId(actor.id), merchantId, kind }
}
