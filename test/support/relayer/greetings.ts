import type { Database } from '../../../store/database/database.ts'
import { type Ledger, MOVES } from '../../../store/relayer/transition.ts'
import { limitOf, type WorkKind } from '../../../workers/relayer/kind.ts'
import { succeeded } from '../../../workers/relayer/outcomes.ts'
import { newAddress } from '../store/database.ts'
import { storeItem } from '../store/relayer.ts'

/** A kind of work that the product doesn't have: all that a relayer must know of it is in this file. */

const GREETED = newAddress()
const GAS = { base: 40_000n, perItem: 1_000n }

/** What becomes of greetings; each counts how often it was confirmed. */
const GREETINGS: Ledger = {
  table: 'greeting',
  words: MOVES,
  isOfInvoice: false,
  hasOthers: false,
  also: { confirmed: (sql) => sql`, heard = r.heard + 1` },
}

/** Says hello to an account, so often as there are items. */
export const greetKind: WorkKind = {
  gas: () => GAS,
  isSingleUse: false,
  ledger: () => GREETINGS,
  prepare: async (_context, _sql, items) => ({
    target: GREETED,
    calldata: `0x${'68656c6c6f'.repeat(items.length)}`,
    gasLimit: limitOf(GAS, items),
    items,
    unusable: [],
  }),
  resolve: async (_sql, _target, items) => items.map((item) => succeeded(item, null)),
}

export interface Greeting {
  readonly status: string
  readonly state: string
  readonly heard: number
}

/** So many greetings, with work of this kind. */
export async function queueGreetings(
  database: Database,
  networkId: string,
  kind: string,
  count: number,
): Promise<void> {
  await database`
    create table if not exists greeting (id uuid primary key, merchant_id uuid default gen_random_uuid(), status text not null default 'open', error text,
      heard integer not null default 0, tx_hash text, block_number bigint, block_hash text,
      mined_at timestamptz, confirmed_at timestamptz)`
  await database`grant select, update on greeting to public`
  for (let i = 0; i < count; i += 1) {
    const id = Bun.randomUUIDv7()
    await database`insert into greeting (id) values (${id})`
    await storeItem(database, kind, { subjectId: id }, { networkId })
  }
}

export async function greetings(database: Database): Promise<Greeting[]> {
  return database<Greeting[]>`
    select g.status, w.state, g.heard from greeting g join work_item w on w.subject_id = g.id order by w.id`
}
