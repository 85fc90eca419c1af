/**
 * A relayer in a process of its own, which tests end by SIGKILL. The first argument is JSON; with
 * `killAt` the process kills itself the first time it reaches that step.
 */
import pino from 'pino'
import { openChain } from '../../../chain/rpc/client.ts'
import type { Variables } from '../../../core/config/reader.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { openHeadReader } from '../../../workers/blocks/headReader.ts'
import type { RelayerStep, RelayerTiming } from '../../../workers/relayer/context.ts'
import { createRelayer } from '../../../workers/relayer/turn.ts'
import { openWorkerConfig } from '../servers/chain.ts'

export interface RelayerArguments {
  readonly databaseUrl: string
  readonly variables: Variables
  readonly workerId: string
  readonly killAt?: RelayerStep
  readonly timing?: Partial<Omit<RelayerTiming, 'takenNonceBlocks'>>
}

/** Every line of the relayer where a crash could do harm. */
export const CRASHES: readonly (readonly [step: RelayerStep, when: string])[] = [
  ['leased', 'while it holds a lease and has done nothing'],
  ['before_assign_commit', 'before it commits a transaction'],
  ['assigned', 'between committing a transaction and sending it'],
  ['broadcast_sent', 'while it sends a transaction'],
  ['receipt_seen', 'after it saw a transaction mined, before it recorded that'],
  ['resolving', 'while it records what a transaction did'],
  ['resolved', 'right after it recorded what a transaction did'],
  ['confirming', 'while it confirms a transaction'],
]

/** Starts one; it ends by itself when the test's process does. */
export function spawnRelayer(options: RelayerArguments) {
  return Bun.spawn([process.execPath, import.meta.path, JSON.stringify(options)], {
    // With what the test has added since it began.
    env: process.env,
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'inherit',
  })
}

/** One in this process, for where nothing has to die. */
export function startRelayer(options: RelayerArguments): { stop(): Promise<void> } {
  let isOver = false
  const over = work(options, () => isOver)
  return {
    stop() {
      isOver = true
      return over
    },
  }
}

async function work(options: RelayerArguments, isOver: () => boolean): Promise<void> {
  const { config, chain } = await openWorkerConfig(options.variables)
  const database = openDatabase(options.databaseUrl, { name: options.workerId, poolSize: 5 })
  const client = openChain(chain)
  const relayer = createRelayer({
    database,
    client,
    heads: openHeadReader(database, client),
    config,
    workerId: options.workerId,
    log: pino({ level: 'silent' }),
    onSettlementChanged: async () => {},
    timing: options.timing ?? {},
    onStep: (step) => {
      if (step === options.killAt) process.kill(process.pid, 'SIGKILL')
    },
  })
  while (!isOver()) {
    try {
      await relayer.turn()
    } catch (error) {
      // A fault of the node passes; the next turn tries again, as the chain actor does.
      process.stderr.write(process.env.RELAYER_DEBUG ? `${error}\n` : '')
    }
    // A block of a test takes as long.
    await Bun.sleep(100)
  }
  await relayer.release()
  await database.end()
}

if (import.meta.main) {
  process.stdin.on('end', () => process.exit(0)).resume()
  await work(JSON.parse(process.argv[2] ?? '{}'), () => false)
}
