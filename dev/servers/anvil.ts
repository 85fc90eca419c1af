/**
 * Local chains. A chain with a state file is durable: its process mines every
 * block itself and stores it before anything else happens on the chain, so that kill -9 of
 * everything loses no block with a transaction. Other chains are in memory and end with their
 * process.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Hex } from 'viem'
import { type Running, StackError, stopOnParentDeath, stopProcess } from '../processes/child.ts'
import { readOrphan, removePidFile, stopOrphan, writePidFile } from '../processes/pidFiles.ts'
import { openChainFiles } from './chainFiles.ts'
import { type DurableMining, mineDurably } from './mining.ts'
import { claimPort } from './ports.ts'
import { callRpc, hexField, type Rpc } from './rpc.ts'
import { startServer } from './start.ts'
import { repairState, saveState } from './stateFile.ts'

export type AnvilOptions = {
  chainId: number
  /** 0 means any free port. */
  port: number
  /** Milliseconds between blocks, or a block per transaction, or only on request. */
  mining: number | 'automine' | 'manual'
  /** Makes the chain durable; needs a block time. */
  stateFile?: string
  /** The file for anvil's output; discarded by default. */
  log?: string
  /** The environment variable in the message about a busy port. */
  portVariable?: string
  /** Maximum number of historical states in memory. */
  pruneHistory?: number
  /** Maximum number of blocks with transactions and receipts in memory; unlimited by default. */
  keepTransactions?: number
  /** Gas limit of a block; 30,000,000 by default. */
  gasLimit?: bigint
  /** The time of block 0, in Unix seconds; now by default. If set, block times increase by a second. */
  genesisTime?: number
  /** Accounts that receive 10,000 native coins at the start (of a new chain). */
  funded?: readonly Hex[]
  /** The number of anvil's well-known unlocked accounts; none by default on durable chains. */
  accounts?: number
  /** Called with messages about a chain left behind by a killed launcher. */
  say?: (sentence: string) => void
}

export type Anvil = Running & {
  chainId: number
  port: number
  /** HTTP endpoint; with ws:// it serves WebSockets. */
  url: string
  wsUrl: string
  /** Hash of block 0, the same over restarts of a durable chain. */
  genesis: Hex
  /** A JSON-RPC call; throws if the node returns an error. */
  rpc: Rpc
  /** Mines one block now (and stores it on a durable chain). */
  mine(): Promise<void>
}

/**
 * Starts a chain, or continues the stored one.
 * @throws StackError if the port is busy or the node does not start.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { chainId, stateFile } = options
  if (stateFile !== undefined) await rescueOrphan(stateFile, options.say ?? (() => {}))
  const isNew = stateFile === undefined || !existsSync(stateFile)
  if (stateFile !== undefined && !isNew) await repairState(stateFile)
  const port = await claimPort(options.port, `the local chain ${chainId}`, options.portVariable)
  const url = `http://127.0.0.1:${port}`
  const rpc: Rpc = (method, params) => callRpc(url, method, params)
  let release = () => {}
  const running = await startServer({
    name: `The local chain ${chainId}`,
    command: anvilBinary(),
    args: flags(options, port, isNew),
    log: options.log,
    isUp: () => isUp(rpc),
    withinMs: 30_000,
    signal: 'SIGTERM',
    onSpawn: (pid) => {
      if (stateFile === undefined) release = stopOnParentDeath(pid, 'SIGTERM')
      else writePidFile(pidFileOf(stateFile), pid, url)
    },
  }).catch((error: unknown) => {
    release()
    throw error
  })
  const { genesis, durable } = await prepare(options, rpc, isNew, running.exited).catch(
    async (error: unknown) => {
      await stopProcess(running.pid)
      release()
      throw error
    },
  )
  return {
    chainId,
    port,
    url,
    wsUrl: `ws://127.0.0.1:${port}`,
    genesis,
    pid: running.pid,
    exited: running.exited,
    rpc,
    mine: durable?.mine ?? (async () => void (await rpc('evm_mine'))),
    stop: async () => {
      await durable?.stop()
      await stopProcess(running.pid)
      release()
      if (stateFile !== undefined) removePidFile(pidFileOf(stateFile))
    },
  }
}

/**
 * The contract of EIP-2935, which each block writes its parent's hash into. With it even an empty block changes the
 * state, and the whole chain would be stored again at each.
 */
const BLOCK_HISTORY = '0x0000f90827f1c53a10cb7a02335b175320002935'

/** Prepares a node for its first use. */
async function prepare(
  { stateFile, mining, funded = [], genesisTime }: AnvilOptions,
  rpc: Rpc,
  isNew: boolean,
  ended: Promise<unknown>,
): Promise<{ genesis: Hex; durable: DurableMining | undefined }> {
  const genesis = hexField(await rpc('eth_getBlockByNumber', ['0x0', false]), 'hash')
  if (isNew) {
    for (const address of funded) {
      await rpc('anvil_setBalance', [address, '0x21e19e0c9bab2400000'])
    }
  }
  if (genesisTime !== undefined) await rpc('anvil_setBlockTimestampInterval', [1])
  if (stateFile === undefined) return { genesis, durable: undefined }
  if (typeof mining !== 'number') throw new StackError('A durable chain needs a block time.')
  const files = await openChainFiles(rpc, stateFile, isNew)
  // After the replay, which makes the blocks as they were.
  const history = await rpc('eth_getCode', [BLOCK_HISTORY, 'latest'])
  if (history !== '0x') await rpc('anvil_setCode', [BLOCK_HISTORY, '0x'])
  await resumeClock(rpc)
  return { genesis, durable: mineDurably(rpc, { files, blockTimeMs: mining, ended }) }
}

function flags(options: AnvilOptions, port: number, isNew: boolean): string[] {
  const { chainId, stateFile, mining, pruneHistory, keepTransactions } = options
  const args = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)]
  args.push('--gas-limit', String(options.gasLimit ?? 30_000_000n))
  args.push('--accounts', String(options.accounts ?? (stateFile === undefined ? 10 : 0)))
  if (pruneHistory !== undefined) args.push('--prune-history', String(pruneHistory))
  if (keepTransactions !== undefined) {
    args.push('--transaction-block-keeper', String(keepTransactions))
  }
  if (stateFile !== undefined || mining === 'manual') args.push('--no-mining')
  else if (mining !== 'automine') args.push('--block-time', String(mining / 1000))
  // A stored chain has its own genesis, and anvil would keep the offset for every later block.
  if (options.genesisTime !== undefined) args.push('--timestamp', String(options.genesisTime))
  // Never --preserve-historical-states: such dumps outgrow their head.
  if (stateFile !== undefined && !isNew) args.push('--load-state', resolve(stateFile))
  return args
}

/** After a replay, the node's clock is at the last block's time: sets it to the present. */
async function resumeClock(rpc: Rpc): Promise<void> {
  const head = Number(hexField(await rpc('eth_getBlockByNumber', ['latest', false]), 'timestamp'))
  await rpc('evm_setTime', [Math.max(head, Math.floor(Date.now() / 1000))])
}

/**
 * A node that outlived its launcher may hold a block that was mined but not yet stored: it is
 * queried for its state again before it is stopped.
 */
async function rescueOrphan(stateFile: string, say: (sentence: string) => void): Promise<void> {
  mkdirSync(dirname(resolve(stateFile)), { recursive: true })
  const pidFile = pidFileOf(stateFile)
  const orphan = readOrphan(pidFile)
  if (orphan === undefined) return
  const url = orphan.note
  if (existsSync(stateFile) && url !== '') {
    try {
      await saveState((method, params) => callRpc(url, method, params), stateFile)
    } catch (error) {
      // The stored state is complete up to the last block that its launcher wrote.
      say(`The chain left at ${url} did not return its last block: ${String(error)}`)
    }
  }
  await stopOrphan(pidFile, 'SIGTERM')
}

const pidFileOf = (stateFile: string) => `${resolve(stateFile)}.pid`

async function isUp(rpc: Rpc): Promise<boolean> {
  try {
    return typeof (await rpc('eth_chainId')) === 'string'
  } catch {
    // It doesn't listen yet; the caller retries.
    return false
  }
}

/** Resolved from the owning package, because installers place platform packages differently. */
function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const platform = `@foundry-rs/anvil-${process.platform}-${arch}`
  try {
    const owner = dirname(Bun.resolveSync('@foundry-rs/anvil/package.json', import.meta.dir))
    return join(dirname(Bun.resolveSync(`${platform}/package.json`, owner)), 'bin/anvil')
  } catch (cause) {
    throw new StackError(`There is no ${platform} here, so no local chain can be started.`, {
      cause,
    })
  }
}
