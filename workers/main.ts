import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import pino, { type Logger } from 'pino'
import { type ActiveChain, parseWorkerConfig, type WorkerConfig } from '../core/config.ts'
import { openDatabase } from '../store/database.ts'
import { createLeadership } from '../store/leadership.ts'
import { openMailbox } from '../store/mailbox.ts'
import { listenForTransfers } from '../store/transfers.ts'
import { readVariables, VariableError } from '../store/variables.ts'
import { type ChainActor, startChainActor } from './chainActor.ts'
import { hubProblems } from './hubCheck.ts'

/**
 * `bun run worker [--chain ID]`: the chain actors, one for each chain that is switched on, or for one
 * chain only. Any number of these processes may run; those on the same chain share its work.
 */

const HELP = `bun run worker [--chain ID]

Follows the chains, settles paid invoices and keeps the ledger in step.
  --chain ID   only this chain, e.g. --chain base-sepolia (default: every chain with an RPC URL)
`

async function main(): Promise<void> {
  const only = chainArgument()
  const parsed = parseWorkerConfig(await readVariables(process.env))
  if (!parsed.ok) fail(parsed.problems)
  const { config } = parsed
  const chains = config.chains.filter((chain) => only === undefined || chain.networkId === only)
  if (chains.length === 0) fail([`--chain ${only} is not switched on: set its RPC URL`])
  const log = pino({ level: config.logLevel, base: { process: 'worker' } })
  const problems = await hubProblems(config, chains, log)
  if (problems.length > 0) fail(problems)
  run(config, chains, log)
}

function run(config: WorkerConfig, chains: readonly ActiveChain[], log: Logger): void {
  const workerId = `${hostname()}-${process.pid}-${crypto.randomUUID().slice(0, 8)}`
  const database = openDatabase(config.databaseUrl, { name: 'remit-worker', poolSize: 20 })
  const mailbox = openMailbox({
    redisUrl: config.redisUrl,
    prefix: config.redisPrefix,
    onError: quietly(log),
  })
  const actors = new Map<number, ChainActor>()
  let isStopping = false

  async function stop(code: number): Promise<void> {
    if (isStopping) return
    isStopping = true
    const ended = Promise.all([...actors.values()].map((actor) => actor.stop()))
    await Promise.race([ended, Bun.sleep(10_000)])
    await mailbox.close()
    await database.end({ timeout: 2 })
    process.exit(code)
  }

  for (const chain of chains) {
    const actor = startChainActor({
      config,
      chain,
      database,
      leadership: createLeadership(config.databaseUrl, chain.chainId),
      workerId,
      log,
      ringOthers: () => {
        mailbox.send(chain.chainId, { type: 'work_waiting' }).catch((error: unknown) => {
          log.debug({ err: error }, 'the mailbox is away; the others look at their next tick')
        })
      },
      onFatal: (error) => {
        log.fatal({ err: error, networkId: chain.networkId }, 'the chain actor gives up')
        stop(1).catch(() => process.exit(1))
      },
    })
    actors.set(chain.chainId, actor)
    mailbox.receive(chain.chainId, (message) => actor.handle(message))
  }
  listenForTransfers(database, [...actors.keys()], (chainId) => actors.get(chainId)?.wake(), log)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop(0).catch(() => process.exit(1))
    })
  }
  log.info({ workerId, chains: chains.map((chain) => chain.networkId) }, 'worker started')
}

/** A Redis that is away says so many times a second; once a minute is enough. */
function quietly(log: Logger): (error: Error) => void {
  let last = 0
  return (error) => {
    if (Date.now() - last < 60_000) return
    last = Date.now()
    log.warn({ err: error }, 'the mailbox is unreachable; actors go on by their ticks')
  }
}

function chainArgument(): string | undefined {
  try {
    const { values } = parseArgs({
      options: { chain: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit(0)
    }
    return values.chain
  } catch (error) {
    fail([error instanceof Error ? error.message : String(error)])
  }
}

function fail(problems: readonly string[]): never {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(1)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof VariableError)) throw error
  fail([error.message])
}
