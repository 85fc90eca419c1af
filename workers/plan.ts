import { parseArgs } from 'node:util'
import type { ActiveChain } from '../core/config/chains.ts'
import { type NotifierConfig, parseNotifierConfig } from '../core/config/processes.ts'
import type { Variables } from '../core/config/reader.ts'
import { parseWorkerConfig, type WorkerConfig } from '../core/config/worker.ts'

/** What a process is to do, by its arguments and variables. */

const HELP = `bun run worker [--chain ID] [--notifier]

Follows the chains, settles paid invoices, keeps the ledger in step, and delivers webhooks.
  --chain ID   only this chain, e.g. --chain base-sepolia (default: every chain with an RPC URL)
  --notifier   only the webhooks, which needs no signing key; with --chain, both
`

/** Connections for each actor, and once more where there are chains, unless configured otherwise. */
const CONNECTIONS_EACH = 4

export interface Arguments {
  readonly chain: string | undefined
  readonly isNotifier: boolean
}

/** What this process is to do. */
export interface Plan<ChainsConfig> {
  readonly notifier: NotifierConfig | null
  readonly chains: { readonly config: ChainsConfig; readonly active: readonly ActiveChain[] } | null
}

/** Ends the process where arguments or variables are wrong. */
export function planOf({ chain, isNotifier }: Arguments, variables: Variables): Plan<WorkerConfig> {
  const hasChains = chain !== undefined || !isNotifier
  const hasNotifier = chain === undefined || isNotifier
  const notifier = hasNotifier ? parseNotifierConfig(variables) : null
  const workers = hasChains ? parseWorkerConfig(variables) : null
  const problems = [notifier, workers].flatMap((one) =>
    one === null || one.ok ? [] : one.problems,
  )
  if (problems.length > 0) fail([...new Set(problems)])
  const config = workers?.ok === true ? workers.config : null
  const active = config?.chains.filter(({ networkId }) => networkId === (chain ?? networkId)) ?? []
  if (config !== null && active.length === 0) {
    fail([`--chain ${chain} is not switched on: set its RPC URL`])
  }
  return {
    notifier: notifier?.ok === true ? notifier.config : null,
    chains: config === null ? null : { config, active },
  }
}

/** The default number of connections of the pool. */
export function usualConnections({ chains, notifier }: Plan<unknown>): number {
  const ofChains = chains === null ? 0 : 1 + chains.active.length
  return CONNECTIONS_EACH * (ofChains + (notifier === null ? 0 : 1))
}

/** Ends the process where they are wrong, and where only help is requested. */
export function readArguments(): Arguments {
  try {
    const { values } = parseArgs({
      options: {
        chain: { type: 'string' },
        notifier: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit(0)
    }
    return { chain: values.chain, isNotifier: values.notifier }
  } catch (error) {
    fail([error instanceof Error ? error.message : String(error)])
  }
}

/** Ends the process with a sentence for each problem. */
export function fail(problems: readonly string[]): never {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(1)
}
