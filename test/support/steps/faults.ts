import { settleAccess } from '../../../store/database/access.ts'
import type { Database } from '../../../store/database/database.ts'
import type { FakeRpc, Reaction } from '../servers/fakeRpc.ts'

/** Faults of every class that befall single things: at the node, what names them; in the database, their rows. */

export const NODE_FAULTS = ['refusal', 'large answer', 'broken connection', 'malformed'] as const
export const DATABASE_FAULTS = ['statement timeout', 'violation'] as const
export const FAULTS = [...NODE_FAULTS, ...DATABASE_FAULTS] as const
export type FaultName = (typeof FAULTS)[number]

/** The bound of a response, in bytes, and an answer that is larger. */
export const RESPONSE_BYTES = 200_000

const REACTIONS: Readonly<Record<(typeof NODE_FAULTS)[number], Reaction>> = {
  refusal: { type: 'error', code: -32_000, message: 'missing trie node' },
  'large answer': { type: 'result', result: `0x${'00'.repeat(RESPONSE_BYTES)}` },
  'broken connection': { type: 'drop_request' },
  malformed: { type: 'result', result: 'no such thing' },
}

/** query_canceled, which is what statement_timeout raises, and check_violation. */
const CODES: Readonly<Record<(typeof DATABASE_FAULTS)[number], string>> = {
  'statement timeout': '57014',
  violation: '23514',
}

/** By what a thing is known: in calls to the node, and in rows as JSON. */
export interface Named {
  readonly calls: readonly string[]
  readonly rows: readonly string[]
}

export function isOfNode(fault: FaultName): fault is (typeof NODE_FAULTS)[number] {
  return NODE_FAULTS.some((one) => one === fault)
}

/** Lets each fault befall its thing from now on, and nothing else. What is sent is not held back. */
export async function strike(
  { node, database }: { readonly node: FakeRpc; readonly database: Database },
  struck: readonly (readonly [FaultName, Named])[],
): Promise<void> {
  const words = new Map<string, Reaction>()
  for (const [fault, { calls, rows }] of struck) {
    if (isOfNode(fault)) for (const word of calls) words.set(word, REACTIONS[fault])
    else {
      for (const word of rows) {
        await database`insert into faults.struck (words, code) values (${word}, ${CODES[fault]})`
      }
    }
  }
  node.rule(({ method, params }) => {
    if (method === 'eth_sendRawTransaction') return undefined
    const text = JSON.stringify(params).toLowerCase()
    return [...words].find(([word]) => text.includes(word))?.[1]
  })
}

/** Nothing fails any more. */
export async function lift(world: { readonly node: FakeRpc; readonly database: Database }) {
  world.node.rule()
  await world.database`delete from faults.struck`
}

/**
 * Has every table of the ledger look up whether a row that is written is struck. What is quarantined, and
 * the alarms about it, must be written in any case.
 */
export async function prepareFaults(database: Database): Promise<void> {
  await database.unsafe(`
    create schema faults;
    create table faults.struck (words text not null, code text not null);
    create function faults.strike() returns trigger language plpgsql security definer as $$
    declare
      written text := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
      found text;
    begin
      select code into found from faults.struck where strpos(written, words) > 0 limit 1;
      if found is not null then raise exception 'a fault of this test' using errcode = found; end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$;
    do $$
    declare name text;
    begin
      for name in select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname not in ('quarantine', 'worker_alarm')
      loop
        execute format('create trigger a_fault before insert or update or delete on %I
          for each row execute function faults.strike()', name);
      end loop;
    end $$`)
  await settleAccess(database)
}
