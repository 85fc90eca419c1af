import { afterAll, beforeAll, beforeEach } from 'bun:test'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Database, Queryable, Transaction } from '../../../store/database/database.ts'
import { databaseUrlOf, freshDatabase } from '../servers/database.ts'

/** A database with the schema, for tests that call functions of the store directly. */

/** Gives a test file one database of its own. Its tests keep apart by merchants and networks. */
export function forThisFile(give: (database: Database, url: string) => void): void {
  let database: Database | undefined
  beforeAll(async () => {
    database = await freshDatabase()
    give(database, databaseUrlOf(database))
  }, 120_000)
  afterAll(() => database?.end({ timeout: 1 }))
}

/** Gives a test file one database, in which these tables are empty when a test begins. */
export function forEachTest(
  tables: readonly string[],
  give: (database: Database, url: string) => Promise<void> | void,
): void {
  let database: Database | undefined
  let url = ''
  forThisFile((fresh, freshUrl) => {
    database = fresh
    url = freshUrl
  })
  beforeEach(async () => {
    if (!database) throw new Error('there is no database')
    for (const table of tables) await database`delete from ${database(table)}`
    await give(database, url)
  })
}

export function newAddress(): Address {
  return lowerCaseAddress(`0x${randomBytes(20)}`)
}

export function newHash(): Hex {
  return `0x${randomBytes(32)}`
}

let networks = 0

/** A network that no other test of the file knows, where a test asks for all there is on one. */
export function newNetwork(): string {
  networks += 1
  return `network-${networks}`
}

/** Puts a block on a chain, as the watcher of its head does. Its hash is the answer. */
export async function storeBlock(
  sql: Queryable,
  networkId: string,
  number: bigint,
  { hash = newHash(), time = new Date() }: { readonly hash?: Hex; readonly time?: Date } = {},
): Promise<Hex> {
  await sql`
    insert into chain_block (network_id, number, hash, parent_hash, time)
    values (${networkId}, ${number}, ${hash}, ${newHash()}, ${time})
    on conflict (network_id, number) do update set hash = excluded.hash, time = excluded.time`
  return hash
}

/** Makes a chain known, as the watcher of its head does at first. */
export async function storeChain(sql: Queryable, networkId: string): Promise<void> {
  await sql`
    insert into chain_state (network_id, chain_id, genesis_hash)
    values (${networkId}, 84532, ${newHash()})`
}

export interface OpenTransaction<T> {
  /** What its first work came to. */
  readonly result: T
  /** For more work in it. */
  readonly sql: Transaction
  commit(): Promise<void>
}

/** A transaction that has done something, and holds its locks until it is told to commit. */
export async function openTransaction<T>(
  database: Database,
  work: (sql: Transaction) => Promise<T>,
): Promise<OpenTransaction<T>> {
  const begun = Promise.withResolvers<Pick<OpenTransaction<T>, 'result' | 'sql'>>()
  const end = Promise.withResolvers<void>()
  const transaction = database.begin(async (sql) => {
    begun.resolve({ result: await work(sql), sql })
    await end.promise
  })
  return {
    ...(await Promise.race([begun.promise, transaction.then(() => begun.promise)])),
    async commit() {
      end.resolve()
      await transaction
    },
  }
}

/** Whether something waits for a lock, and not for one that it gets at once; false when it ends. */
export async function isWaiting(sql: Queryable, work: Promise<unknown>): Promise<boolean> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  while (!isOver) {
    const [waiting] = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (waiting) return true
    await Bun.sleep(5)
  }
  return false
}

/** Whether something ends although others hold their locks; asked with the patience that a busy machine needs. */
export async function isEnding(work: Promise<unknown>): Promise<boolean> {
  const pause = Bun.sleep(30_000).then(() => 'waiting')
  return (await Promise.race([work, pause])) !== 'waiting'
}

function randomBytes(count: number): string {
  return crypto.getRandomValues(new Uint8Array(count)).toHex()
}
