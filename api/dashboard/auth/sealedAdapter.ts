import { kyselyAdapter } from '@better-auth/kysely-adapter'
import type { BetterAuthOptions, DBAdapter, DBTransactionAdapter, Where } from 'better-auth'
import { Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import type { Keyring } from '../../../core/base/keyring.ts'
import { unseal } from '../../../core/base/sealed.ts'
import type { AuthDatabase } from '../../../store/dashboard/authDatabase.ts'
import { seal } from '../../../store/database/seal.ts'

/**
 * better-auth's database adapter. Secrets of authenticators are additionally encrypted, because the
 * library's own encryption neither binds them to rows nor supports key rotation.
 */

const MODEL = 'twoFactor'
const SECRET_FIELDS = ['secret', 'backupCodes'] as const
type SecretField = (typeof SECRET_FIELDS)[number]

export function authAdapter(database: AuthDatabase, keys: Keyring) {
  const kysely = new Kysely({ dialect: new PostgresJSDialect({ postgres: database }) })
  const open = kyselyAdapter(kysely, { type: 'postgres' })
  return (options: BetterAuthOptions): DBAdapter => {
    const plain = open(options)
    return {
      ...sealedAdapter(plain, keys),
      transaction: (work) => plain.transaction((inner) => work(sealedAdapter(inner, keys))),
    }
  }
}

/** Wraps an adapter: encrypts the secrets of authenticators on write, and decrypts them on read. */
function sealedAdapter<Adapter extends DBTransactionAdapter>(
  plain: Adapter,
  keys: Keyring,
): Adapter {
  async function idOf(where: Where[]): Promise<string | null> {
    const condition = where.find(({ field }) => field === 'id')
    if (typeof condition?.value === 'string') return condition.value
    return idIn(await plain.findOne({ model: MODEL, where }))
  }

  /** Rewrites a condition on a secret to the ciphertext of the row that decrypts to it. */
  async function storedWhere(where: Where[]): Promise<Where[]> {
    const others = where.filter(({ field }) => !isSecretField(field))
    if (others.length === where.length) return where
    const row = await plain.findOne({ model: MODEL, where: others })
    const stored = { ...fieldsOf(row) }
    open(keys, row)
    const opened = fieldsOf(row)
    return where.map((condition) => {
      const { field, value } = condition
      if (!isSecretField(field) || opened[field] !== value) return condition
      return { ...condition, value: String(stored[field]) }
    })
  }

  async function sealedChange(where: Where[], change: object): Promise<Record<string, string>> {
    if (!SECRET_FIELDS.some((field) => field in change)) return {}
    const id = await idOf(where.filter(({ field }) => !isSecretField(field)))
    // Without an id, the condition matches no row, and nothing is written.
    return id === null ? {} : sealed(keys, id, change)
  }

  return {
    ...plain,
    async create(given) {
      if (given.model !== MODEL) return plain.create(given)
      const id = crypto.randomUUID()
      const data = { ...given.data, ...sealed(keys, id, given.data), id }
      return open(keys, await plain.create({ ...given, data, forceAllowId: true }))
    },
    async findOne(args) {
      const row = await plain.findOne(args)
      return args.model === MODEL ? open(keys, row) : row
    },
    async findMany(args) {
      const rows = await plain.findMany(args)
      return args.model === MODEL ? rows.map((row) => open(keys, row)) : rows
    },
    async update(args) {
      if (args.model !== MODEL) return plain.update(args)
      const where = await storedWhere(args.where)
      const update = { ...args.update, ...(await sealedChange(args.where, args.update)) }
      return open(keys, await plain.update({ ...args, where, update }))
    },
    async incrementOne(args) {
      if (args.model !== MODEL) return plain.incrementOne(args)
      const where = await storedWhere(args.where)
      const set = { ...args.set, ...(await sealedChange(args.where, args.set ?? {})) }
      return open(keys, await plain.incrementOne({ ...args, where, set }))
    },
  } satisfies DBTransactionAdapter & Adapter
}

function isSecretField(field: string): field is SecretField {
  return SECRET_FIELDS.some((one) => one === field)
}

/** The secrets among the fields, encrypted for the row. */
function sealed(keys: Keyring, rowId: string, fields: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) =>
      isSecretField(field) && typeof value === 'string'
        ? [[field, seal(keys, { column: `${MODEL}.${field}`, rowId }, value)]]
        : [],
    ),
  )
}

/** Decrypts the secrets of a row in place. */
function open<Row>(keys: Keyring, row: Row): Row {
  const rowId = idIn(row)
  if (typeof row !== 'object' || row === null || rowId === null) return row
  for (const field of SECRET_FIELDS) {
    const stored = fieldsOf(row)[field]
    if (typeof stored !== 'string') continue
    Object.assign(row, { [field]: unseal(keys, { column: `${MODEL}.${field}`, rowId }, stored) })
  }
  return row
}

function idIn(row: unknown): string | null {
  const { id } = fieldsOf(row)
  return typeof id === 'string' ? id : null
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
