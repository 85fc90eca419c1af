import { readdirSync, readFileSync } from 'node:fs'
import type { Fleet, Kind } from '../fleet/fleet.ts'
import { familyOf, memoryOf } from '../process.ts'

/** Samples of a fleet under a steady load, once per minute. */
export interface Sample {
  /** Since the first sample. */
  readonly minutes: number
  readonly processes: readonly ProcessSample[]
  /** Resident memory of the chain's node, in bytes. */
  readonly chainMemory: number
  /** Connections to Postgres. */
  readonly connections: number
  readonly tables: ReadonlyMap<string, TableSample>
}

export interface ProcessSample {
  readonly name: string
  /** Resident memory, in bytes, and open file descriptors without callers' connections. */
  readonly memory: number
  readonly files: number
}

export interface TableSample {
  /** Rows as Postgres' statistics count them. */
  readonly live: number
  readonly dead: number
  /** With indexes and what is stored out of line. */
  readonly bytes: number
}

const ESTABLISHED = '01'

/** Samples every process of a fleet and its database. */
export async function takeSample(fleet: Fleet, minutes: number): Promise<Sample> {
  const { chain, database, members } = fleet
  const [connections] = await database<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where backend_type = 'client backend'`
  const tables = await database<({ name: string } & TableSample)[]>`
    select schemaname || '.' || relname as name, n_live_tup::float8 as live,
      n_dead_tup::float8 as dead, pg_total_relation_size(relid)::float8 as bytes
    from pg_stat_user_tables`
  return {
    minutes,
    processes: members.map(({ pid, kind, port }, i) => sampleOf(pid, nameOf(kind, i), port)),
    chainMemory: memoryOf(chain.node.pid),
    connections: connections?.n ?? 0,
    tables: new Map(tables.map(({ name, ...table }) => [name, table])),
  }
}

function nameOf(kind: Kind, index: number): string {
  return `${kind} ${index + 1}`
}

/** With the processes that it has started: Ponder is one of the indexer's. */
function sampleOf(pid: number, name: string, port: number | null): ProcessSample {
  const all = familyOf(pid)
  const sum = (of: (pid: number) => number) => all.reduce((total, one) => total + of(one), 0)
  const open = sum((one) => readdirSync(`/proc/${one}/fd`).length)
  return { name, memory: sum(memoryOf), files: open - (port === null ? 0 : callersOf(port)) }
}

/** Connections to a port of this machine that the kernel has for its listener: proc(5), `net/tcp`. */
function callersOf(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address = '', , state]) => address.endsWith(local) && state === ESTABLISHED).length
}
