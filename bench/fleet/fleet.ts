import { join } from 'node:path'
import { type Variables, withoutSigningKeys } from '../../core/config/reader.ts'
import { waitUntil } from '../../dev/processes/child.ts'
import { claimPort } from '../../dev/servers/ports.ts'
import type { Database } from '../../store/database/database.ts'
import type { HubChain } from '../../test/support/servers/chain.ts'
import { computingOf, familyOf, postgresComputing } from '../process.ts'
import { type Servers, startScript, withServers } from '../servers.ts'
import { startBenchChain } from '../x402/chain.ts'
import {
  forwardersReady,
  type RegisteredMerchant,
  registerMerchant,
  resting,
  variablesOf,
} from '../x402/ours.ts'
import { openQuotas } from './quota.ts'

/** Many processes of each kind on one Postgres, one Redis and one chain, each held to a part of a processor. */

export const KINDS = ['api', 'worker', 'notifier', 'indexer'] as const
export type Kind = (typeof KINDS)[number]

export interface Member {
  readonly kind: Kind
  readonly pid: number
  /** Where it listens; null for kinds that don't. */
  readonly port: number | null
}

export interface FleetOptions {
  /** Milliseconds between two blocks; `BLOCK_MS` by default. */
  readonly blockMs?: number
  /** Keys of relayers that each worker leases; one by default. */
  readonly keysPerWorker?: number
}

export interface Fleet {
  readonly blockMs: number
  readonly database: Database
  readonly chain: HubChain
  readonly variables: Variables
  readonly members: readonly Member[]
  /** With a forwarder that is deployed. */
  readonly merchant: RegisteredMerchant
  /**
   * Starts processes, none of them held, and stops others, until there are so many of each kind: where
   * nothing is said, one API process, one worker, and none of the others.
   */
  become(counts: Readonly<Partial<Record<Kind, number>>>): Promise<void>
  /** Holds every process of these kinds to its quota, and lets the others have what there is. */
  hold(kinds: readonly Kind[]): void
  ports(): number[]
  /** Until nothing is on its way to the chain. */
  rest(): Promise<void>
  /** How long all processes of these kinds have been computing, in seconds. */
  computed(kinds: readonly Kind[]): number
  /** The same of Postgres. */
  databaseComputed(): number
  stop(): Promise<void>
}

interface StartedMember extends Member {
  stop(): Promise<void>
}

/** Of one processor, for each process. */
export const QUOTA_CORES = 0.2
export const BLOCK_MS = 1_000
/** Keys of relayers; each worker leases one of them. */
const RELAYER_KEYS = 4
/** How many of each are measured. */
export const COUNTS = [1, 2, 4]
const USUAL: Readonly<Record<Kind, number>> = { api: 1, worker: 1, notifier: 0, indexer: 0 }
const LEASED_WITHIN_MS = 60_000

const SCRIPTS: Readonly<Record<Kind, readonly string[]>> = {
  api: ['api/main.ts'],
  worker: ['workers/main.ts', '--chain', 'base-sepolia'],
  notifier: ['workers/main.ts', '--notifier'],
  indexer: ['indexer/main.ts'],
}

/** Starts one API process and one worker, and a merchant whose forwarder is deployed. Postgres does not wait for the disk. */
export function startFleet({
  blockMs = BLOCK_MS,
  keysPerWorker = 1,
}: FleetOptions = {}): Promise<Fleet> {
  return withServers(async (servers) => {
    const quotas = openQuotas()
    servers.beforeStop(quotas.close)
    const chain = await startBenchChain(blockMs, RELAYER_KEYS, 'long')
    servers.beforeStop(chain.node.stop)
    const variables = fleetVariables(chain, servers, { blockMs, keysPerWorker })
    const members: StartedMember[] = []
    const resize = async (kind: Kind, count: number) => {
      const present = members.filter((one) => one.kind === kind)
      for (const surplus of present.slice(count)) {
        await surplus.stop()
        members.splice(members.indexOf(surplus), 1)
      }
      for (let i = present.length; i < count; i += 1) {
        members.push(await startMember(kind, servers, variables))
      }
      if (kind === 'worker') await keysLeased(servers.database, count)
    }
    const become = async (counts: Readonly<Partial<Record<Kind, number>>>) => {
      for (const kind of KINDS) await resize(kind, counts[kind] ?? USUAL[kind])
    }
    await become(USUAL)
    const [api] = members
    const merchant = await registerMerchant(servers.database, variables, api?.port ?? 0, chain)
    await forwardersReady(servers.database, 1)
    return {
      ...{ blockMs, database: servers.database, chain, variables, members, merchant, become },
      hold(kinds) {
        for (const { kind, pid } of members) {
          if (kinds.includes(kind)) quotas.hold(pid, QUOTA_CORES)
          else quotas.free(pid)
        }
      },
      ports: () => members.flatMap(({ port }) => (port === null ? [] : [port])),
      rest: () => resting(servers.database),
      computed(kinds) {
        const own = members
          .filter(({ kind }) => kinds.includes(kind))
          .flatMap(({ pid }) => familyOf(pid))
        return own.reduce((sum, pid) => sum + computingOf(pid), 0)
      },
      databaseComputed: () => postgresComputing(servers.postgresPid),
      stop: servers.stop,
    }
  }, false)
}

function fleetVariables(
  chain: HubChain,
  servers: Servers,
  { blockMs, keysPerWorker }: Required<FleetOptions>,
): Variables {
  const variables = {
    RELAYER_KEYS_PER_WORKER: String(keysPerWorker),
    RATE_LIMIT_AUTHENTICATED: '100000000',
    RATE_LIMIT_UTILITY: '100000000',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    GRAPHQL_PORT: '0',
  }
  return variablesOf(chain, { blocks: blockMs, merchants: 1, variables }, servers.variables)
}

async function startMember(
  kind: Kind,
  servers: Servers,
  variables: Variables,
): Promise<StartedMember> {
  const port = kind === 'api' ? await claimPort(0, kind) : null
  const known = kind === 'worker' ? variables : withoutSigningKeys(variables)
  const own = port === null ? known : { ...known, PORT: String(port) }
  const log = join(servers.dir, `${kind}-${crypto.randomUUID()}.log`)
  const [script = '', ...args] = SCRIPTS[kind]
  const process = await startScript(script, own, log, port, args)
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await process.stop()
    repeat(kind, process.words())
  }
  servers.beforeStop(stop)
  return { kind, pid: process.pid, port, stop }
}

/** What is shared can be shared only once every worker has a key of its own. */
async function keysLeased(database: Database, workers: number): Promise<void> {
  const areLeased = await waitUntil(async () => {
    const [row] = await database<{ holders: number }[]>`
      select count(distinct lease_owner)::int as holders from relayer_key where lease_until > now()`
    return row?.holders === workers
  }, LEASED_WITHIN_MS)
  if (!areLeased) throw new Error(`${workers} workers have not leased a key each`)
}

/** Warnings and errors are rare, and explain an odd figure. */
function repeat(kind: Kind, words: string): void {
  const lines = words.trim().split('\n').slice(-3)
  if (words.trim() !== '') console.log(`${kind} said at last:\n${lines.join('\n')}`)
}
