import type { MerchantId } from '../../core/base/ids.ts'
import { silenceMs } from '../../core/config/processes.ts'
import { read } from '../../core/config/reader.ts'
import { getMerchant, type Merchant } from '../../store/access/merchants.ts'
import { type Database, isDatabaseDown, openDatabase } from '../../store/database/database.ts'
import { pendingMigrations, tooOldSchema } from '../../store/database/migrate.ts'
import { poolerProblems } from '../../store/database/pooler.ts'
import { CommandError, type CommandInput } from './command.ts'
import { ENVIRONMENT } from './environment.ts'

/** Runs `work` with the ledger's database, after checking that its schema is up to date. */
export async function withLedger<T>(
  input: Pick<CommandInput, 'variables' | 'source'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return await withDatabase(input, async (database) => {
    const pending = await pendingMigrations(database)
    if (pending.length > 0) {
      throw new CommandError([
        (await tooOldSchema(database)) ??
          `the database lacks ${pending.length} migrations (${pending[0]} first): run \`bun run remit migrate\``,
      ])
    }
    return await work(database)
  })
}

/** Runs `work` with the database, without checking its schema. */
export async function withDatabase<T>(
  { variables, source }: Pick<CommandInput, 'variables' | 'source'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const url = variables.DATABASE_DIRECT_URL?.trim() || variables.DATABASE_URL
  if (!url) {
    throw new CommandError([
      'DATABASE_URL is missing: set the postgres:// URL of the ledger; or start `bun run dev` first, and set neither REMIT_ENV nor any HUB_ variable',
    ])
  }
  const pooled = await poolerProblems(url).catch(() => [])
  if (pooled.length > 0) throw new CommandError(pooled)
  const silence = read(variables, silenceMs)
  if (!silence.ok) throw new CommandError(silence.problems)
  const database = openDatabase(url, {
    ...{ name: 'remit-cli', poolSize: 8, silenceMs: silence.config },
  })
  try {
    return await work(database)
  } catch (error) {
    if (!isDatabaseDown(error)) throw error
    const reason = error instanceof Error ? error.message || error.name : String(error)
    const hint = source === ENVIRONMENT ? '' : ': is `bun run dev` running?'
    throw new CommandError([`the database of ${source} does not respond (${reason})${hint}`], {
      cause: error,
    })
  } finally {
    await database.end({ timeout: 2 })
  }
}

/** @throws CommandError if there is no such merchant. */
export async function requireMerchant(
  database: Database,
  merchantId: MerchantId,
): Promise<Merchant> {
  const merchant = await getMerchant(database, merchantId)
  if (!merchant) throw noMerchant(merchantId)
  return merchant
}

export function noMerchant(merchantId: MerchantId): CommandError {
  return new CommandError([
    `there is no merchant ${merchantId}: see \`bun run remit merchant list\``,
  ])
}
