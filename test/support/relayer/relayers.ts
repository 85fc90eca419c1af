import pino from 'pino'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { openChain } from '../../../chain/rpc/client.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { suffix } from '../../../core/config/chains.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceInvoices } from '../../../store/invoice/advance.ts'
import type { RelayerTiming } from '../../../workers/relayer/context.ts'
import type { Kinds } from '../../../workers/relayer/kind.ts'
import { createRelayer, type Relayer } from '../../../workers/relayer/turn.ts'
import type { Signers } from '../../../workers/signers/signers.ts'
import { type HubChain, workerConfig } from '../servers/chain.ts'
import { asWorker } from '../servers/database.ts'
import { isAllConfirmed } from './sweeps.ts'

/** Relayers within the test's own process, turned by hand, block by block. */

export interface TestRelayer extends Relayer {
  /** The invoices that were handed over to be derived again, in order. */
  readonly changed: string[]
}

export interface RelayerSetup {
  readonly key: Hex
  readonly rpcUrl?: string
  readonly workerId?: string
  readonly variables?: Record<string, string>
  readonly timing?: Partial<RelayerTiming>
  /** Keys in other places than the variables say. */
  readonly signers?: Partial<Signers>
  readonly kinds?: Kinds
  /** Derives the invoices again as a worker does, instead of only noting them. */
  readonly isAdvancing?: boolean
}

/** Short pauses, so that a test need not wait for what a chain would take seconds for. */
export const QUICK: Partial<RelayerTiming> = {
  flushMs: 0,
  retryMs: 0,
  rebroadcastMs: 200,
  bumpAfterMs: 60_000,
  takenNonceBlocks: 3n,
  quarantineMs: 0,
  balanceEveryMs: 100,
  restingBalanceMs: 100,
  revertPauseMs: 0,
}

export function openRelayer(database: Database, chain: HubChain, setup: RelayerSetup): TestRelayer {
  const { config: parsed, chain: active } = workerConfig(relayerVariables(chain, setup))
  const config = { ...parsed, signers: { ...parsed.signers, ...setup.signers } }
  const changed: string[] = []
  const client = openChain(active)
  const relayer = createRelayer({
    database: asWorker(database),
    client,
    // Whatever a node shows, so that the relayer is tried with it.
    heads: { newest: () => readHead(client.rpc) },
    config,
    workerId: setup.workerId ?? 'worker',
    kinds: setup.kinds,
    log: pino({ level: process.env.RELAYER_DEBUG ? 'debug' : 'silent' }),
    onSettlementChanged: async (sql, invoiceIds) => {
      changed.push(...invoiceIds)
      if (!setup.isAdvancing) return
      await advanceInvoices(sql, config, invoiceIds, new Date())
    },
    timing: { ...QUICK, ...setup.timing },
  })
  return {
    changed,
    turn: () => relayer.turn(),
    rests: () => relayer.rests(),
    release: () => relayer.release(),
    get pace() {
      return relayer.pace
    },
  }
}

export function relayerVariables(
  chain: HubChain,
  setup: Pick<RelayerSetup, 'key' | 'rpcUrl' | 'variables'>,
) {
  const url = setup.rpcUrl ?? chain.node.url
  const network = suffix(chain.networkId)
  return chain.variables({
    [`RELAYER_KEYS_${network}`]: setup.key,
    [`RPC_URL_${network}`]: url,
    ...setup.variables,
  })
}

/** Turns and mines in turn until every settlement is confirmed. Faults of the node are survived. */
export async function settleAll(
  database: Database,
  chain: HubChain,
  relayers: readonly Pick<Relayer, 'turn'>[],
  limitMs = 60_000,
): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await isAllConfirmed(database))) {
    if (performance.now() > end) throw new Error('the sweeps were not confirmed in time')
    await Promise.all(
      relayers.map((relayer) =>
        relayer.turn().catch((error: unknown) => {
          if (process.env.RELAYER_DEBUG) process.stderr.write(`${error}\n`)
        }),
      ),
    )
    await chain.mine()
  }
}

/** Turns once, and mines one block. */
export async function step(chain: HubChain, relayer: Relayer, times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    await relayer.turn()
    await chain.mine()
  }
}
