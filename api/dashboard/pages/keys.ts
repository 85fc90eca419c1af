import type { ApiKeyKind } from '../../../core/access/keys.ts'
import { isScope, SCOPES, type Scope } from '../../../core/access/scopes.ts'
import { AppError } from '../../../core/base/errors.ts'
import { asKeyId, asPersonId } from '../../../core/base/ids.ts'
import {
  addKey,
  type KeyActor,
  type KnownKey,
  listKeys,
  replaceKey,
  revokeKey,
} from '../../../store/access/apiKeys.ts'
import { guardDatabase } from '../../http/backends.ts'
import { type Exchange, sendObject, sendWholeList } from '../../http/exchange.ts'
import type { MerchantCaller } from '../../http/guards.ts'
import { type Route, route } from '../../http/route.ts'
import { bodyOf, invalidBody } from '../../request/body.ts'
import { pathId } from '../../request/id.ts'
import { many, one } from '../../request/responses.ts'
import {
  flag,
  list,
  nullable,
  object,
  optional,
  optionalText,
  optionalTime,
  text,
  textsField,
  time,
  uuid,
} from '../../request/schema.ts'

/** A merchant's API keys: list, create, rotate and revoke. Only members do this: no key creates keys. */

const KINDS: readonly ApiKeyKind[] = ['secret', 'publishable']
const KEYS_SHOWN = 200
const LONGEST_NAME = 60

const KEY_EXAMPLE = '0198c1f7-3b1e-7000-8000-4a7d2c9e5f60'
const KEY_ID = pathId('key', KEY_EXAMPLE, 'key_not_found', asKeyId)

const kindField = text('Secret or publishable.', 'secret', { enum: [...KINDS] })
const nameField = text(`Its name, of at most ${LONGEST_NAME} characters.`, 'Web shop')
const scopeField = text('One scope.', 'invoices', { enum: [...SCOPES] })
const scopesField = nullable(list('What it opens; null for everything.', scopeField))

const keySchema = object('A key.', {
  id: uuid('Names it.', KEY_EXAMPLE),
  kind: kindField,
  name: nameField,
  scopes: scopesField,
  hint: text('Its last characters.', 'x9Qa'),
  key: optionalText('A publishable key itself; null for secret keys.', null),
  createdAt: time('When it was created.', '2026-08-01T12:00:00.000Z'),
  lastUsedAt: optionalTime('When it was last used, to the minute.', null),
  revokedAt: optionalTime('Since when it is refused.', null),
})

const madeSchema = object('The new key.', {
  id: uuid('Names it.', KEY_EXAMPLE),
  kind: kindField,
  name: nameField,
  scopes: scopesField,
  key: text('The key. Store it now; a secret key is shown only once.', 'sk_test_3m0…'),
})

const listApiKeysRoute = route({
  operation: 'GET /v1/api-keys',
  access: 'merchant',
  summary: 'List API keys',
  description: `The active keys, then the newest revoked ones; ${KEYS_SHOWN} at most.`,
  operationId: 'listApiKeys',
  successes: { 200: many('The keys.', keySchema) },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const keys = await guardDatabase(deps, (sql) => listKeys(sql, merchantId, KEYS_SHOWN))
    return sendWholeList(exchange, keys.map(presentKey))
  },
})

const createApiKeyRoute = route({
  operation: 'POST /v1/api-keys',
  access: 'merchant',
  body: bodyOf('The key.', {
    name: nameField,
    kind: optional(kindField),
    scopes: optional(textsField('What it opens; omitted, everything.', scopeField, SCOPES.length)),
  }),
  summary: 'Create an API key',
  description: 'Other keys stay valid. There is one publishable key at a time.',
  operationId: 'createApiKey',
  successes: { 201: one('The new key.', madeSchema) },
  handle: async (deps, { exchange, caller, body }) => {
    const wanted = {
      kind: kindOf(body.kind ?? 'secret'),
      name: nameOf(body.name),
      scopes: body.scopes ? scopesOf(body.scopes) : null,
    }
    if (wanted.kind === 'publishable' && wanted.scopes !== null) {
      throw invalidBody([{ path: 'scopes', message: 'are for secret keys only' }])
    }
    const actor = actorOf(exchange, caller)
    const made = await guardDatabase(deps, (sql) =>
      addKey(sql, deps.config.environment, actor, wanted),
    )
    if (made === null) {
      throw invalidBody([{ path: 'kind', message: 'has the most active keys: revoke one first' }])
    }
    return sendObject(exchange, 201, { ...wanted, ...made })
  },
})

const replaceApiKeyRoute = route({
  operation: 'POST /v1/api-keys/:id/rotate',
  access: 'merchant',
  ids: { id: KEY_ID },
  summary: 'Rotate an API key',
  description: 'The new key has the same name and scopes. The old one is refused from now on.',
  operationId: 'replaceApiKey',
  successes: { 201: one('The new key.', madeSchema) },
  handle: async (deps, { exchange, caller, ids: { id } }) => {
    const actor = actorOf(exchange, caller)
    const made = await guardDatabase(deps, (sql) =>
      replaceKey(sql, deps.config.environment, actor, id),
    )
    if (made === null) throw new AppError('key_not_found')
    return sendObject(exchange, 201, made)
  },
})

const revokeApiKeyRoute = route({
  operation: 'POST /v1/api-keys/:id/revoke',
  access: 'merchant',
  ids: { id: KEY_ID },
  summary: 'Revoke an API key',
  description: 'The key is refused from now on and is not replaced.',
  operationId: 'revokeApiKey',
  successes: {
    200: one(
      'It is refused.',
      object('What was done.', {
        id: uuid('The key.', KEY_EXAMPLE),
        isRevoked: flag('False when it was not active.', true),
      }),
    ),
  },
  handle: async (deps, { exchange, caller, ids: { id } }) => {
    const actor = actorOf(exchange, caller)
    const isRevoked = await guardDatabase(deps, (sql) => revokeKey(sql, actor, id))
    if (isRevoked === null) throw new AppError('key_not_found')
    return sendObject(exchange, 200, { id, isRevoked })
  },
})

export const KEY_ROUTES: readonly Route[] = [
  listApiKeysRoute,
  createApiKeyRoute,
  replaceApiKeyRoute,
  revokeApiKeyRoute,
]

function presentKey({ readable, ...key }: KnownKey) {
  return { ...key, key: readable }
}

function actorOf({ actor }: Exchange, { merchantId }: MerchantCaller): KeyActor {
  if (actor?.type !== 'person') throw new AppError('unauthorized')
  return { personId: asPersonId(actor.id), merchantId }
}

function kindOf(sent: string): ApiKeyKind {
  const kind = KINDS.find((known) => known === sent)
  if (kind !== undefined) return kind
  throw invalidBody([{ path: 'kind', message: `must be one of ${KINDS.join(', ')}` }])
}

function nameOf(sent: string): string {
  const name = sent.trim()
  if (name !== '' && [...name].length <= LONGEST_NAME && !name.includes('\0')) return name
  throw invalidBody([{ path: 'name', message: `must have 1 to ${LONGEST_NAME} characters` }])
}

function scopesOf(sent: readonly string[]): readonly Scope[] {
  if (sent.length > 0 && sent.every(isScope)) return SCOPES.filter((scope) => sent.includes(scope))
  const message = `must be some of ${SCOPES.join(', ')}; omit it for full access`
  throw invalidBody([{ path: 'scopes', message }])
}
