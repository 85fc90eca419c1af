import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { hubAddress, hubInitCode } from '../../../chain/hub/deployment.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { type Chain, chainsOf, tokenOn } from '../../../core/chain/registry.ts'
import { perToken } from '../../../core/chain/tokens.ts'
import { type ActiveChain, suffix } from '../../../core/config/chains.ts'
import {
  type Spawned,
  spawnDetached,
  stopOnParentDeath,
  stopProcess,
  waitUntil,
} from '../../../dev/processes/child.ts'
import type { Anvil } from '../../../dev/servers/anvil.ts'
import { freePort } from '../../../dev/servers/ports.ts'
import { asHex, hexField } from '../../../dev/servers/rpc.ts'
import { bootstrapChain } from '../../../dev/stack/bootstrap.ts'
import { indexerHeads } from '../../../store/chain/transfers.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { migrate } from '../../../store/database/migrate.ts'
import { MACHINE } from '../clock.ts'
import { roleUrl } from '../servers/roles.ts'
import { createDatabase, startTestChain } from '../servers/run.ts'
import { insertDeposit } from './ledgerRows.ts'

/**
 * The indexer as production runs it, on real chains and a database of its own. Blocks come only when
 * a test mines them.
 */

const ROOT = join(import.meta.dirname, '../../..')
/** Anvil's first well-known account, which it signs for; the second one owns the contracts. */
export const FAUCET = lowerCaseAddress('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
const OWNER_KEY: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const OWNER = lowerCaseAddress(privateKeyToAddress(OWNER_KEY))
const DEPLOY_FORWARDER = parseAbi(['function deployForwarder(bytes16 merchantId)'])

export interface RigChain {
  readonly chain: Chain
  readonly node: Anvil
  readonly hub: Address
  readonly usdc: Address
  /** Puts a transfer into the pool and returns its hash; it is mined with the next block. */
  pay(to: Address, amount: bigint, token?: Address): Promise<Hex>
  /** Asks the hub for a merchant's forwarder, with the next block. */
  deployForwarder(merchantId: Hex): Promise<Hex>
}

/** Starts a chain with the hub and both tokens where the registry expects them. */
export async function startRigChain(networkId: string, port = 0): Promise<RigChain> {
  const chain = chainsOf('sandbox').find((known) => known.networkId === networkId)
  const usdc = chain === undefined ? undefined : tokenOn(chain, 'USDC')
  if (chain === undefined || usdc === undefined) throw new Error(`no chain ${networkId}`)
  const node = await startTestChain({ chainId: chain.chainId, port, mining: 'manual' })
  const roles = { configSigner: OWNER, refundSigner: OWNER, feeCollector: OWNER }
  const initCode = await hubInitCode(OWNER, 'sandbox')
  const hub = hubAddress(initCode)
  const cast = {
    ...roles,
    ownerKey: OWNER_KEY,
    relayers: [],
    faucet: FAUCET,
    hubInitCode: initCode,
    hub,
  }
  await bootstrapChain(chain, node, cast)
  const send = async (to: Address, data: Hex) => {
    const transaction = { from: FAUCET, to, data, gas: '0x7a120' }
    return asHex(await node.rpc('eth_sendTransaction', [transaction]))
  }
  return {
    chain,
    node,
    hub,
    usdc: usdc.address,
    pay: (to, amount, token = usdc.address) =>
      send(
        token,
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
      ),
    deployForwarder: (merchantId) =>
      send(hub, encodeFunctionData({ abi: DEPLOY_FORWARDER, args: [merchantId] })),
  }
}

/** The chain as it would be switched on with these URLs. */
export function activeAt(chain: Chain, rpcUrls: readonly string[]): ActiveChain {
  return {
    ...chain,
    rpcUrls,
    wsUrl: null,
    provider: {
      ...{ logRange: 10_000, logResults: 10_000, batch: 100, callsPerSecond: 0 },
      responseBytes: 67_108_864,
    },
    startBlock: 0,
    settlementConfirmations: chain.confirmations,
    rpcTimeoutMs: 5_000,
    headPolling: 'fast',
    areCallsBilled: false,
    x402Confirmations: 1,
    minSweep: perToken(() => baseUnits(0n)),
  }
}

/** A block's number and hash at the head. */
export async function headOf({ node }: RigChain): Promise<{ number: bigint; hash: Hex }> {
  const block = await node.rpc('eth_getBlockByNumber', ['latest', false])
  return { number: BigInt(hexField(block, 'number')), hash: hexField(block, 'hash') }
}

export interface RigDatabase {
  readonly url: string
  readonly sql: Database
  /** Watches an address (a random one by default), as an invoice's deposit, and returns it. */
  watch(address?: Address): Promise<Address>
  close(): Promise<void>
}

const MERCHANT = '00000000-0000-7000-8000-000000000001'

export async function openRigDatabase(): Promise<RigDatabase> {
  const { url, drop } = await createDatabase(prepare)
  const sql = openDatabase(url, { name: 'test', poolSize: 5 })
  await sql`insert into merchant (id, name) values (${MERCHANT}, 'Rig')`
  return {
    url,
    sql,
    watch: async (address) => (await insertDeposit(sql, address)).address,
    async close() {
      await sql.end({ timeout: 1 })
      await drop()
    },
  }
}

async function prepare(url: string): Promise<void> {
  const sql = openDatabase(url, { name: 'test-migrations', poolSize: 2 })
  await migrate(sql)
  await sql.end()
}

/** The hashes of the transactions whose transfers are in the index, in the order of the chain. */
export async function indexedOn(sql: Database, { chain }: RigChain): Promise<Hex[]> {
  const transfers = await transfersOn(sql, chain.chainId)
  return transfers.map((transfer) => transfer.txHash)
}

export interface IndexedTransfer {
  readonly blockHash: Hex
  readonly blockTime: Date
  readonly txHash: Hex
}

/** The transfers of a chain in the index, in the order of the chain; none before it exists. */
export async function transfersOn(
  sql: Database,
  chainId: number,
  fromBlock = 0n,
): Promise<IndexedTransfer[]> {
  try {
    return await sql<IndexedTransfer[]>`
      select *, to_timestamp(block_timestamp) as block_time from indexed.transfer
      where chain_id = ${chainId} and block_number >= ${fromBlock}
      order by block_number, log_index`
  } catch (error) {
    // An index that is built again has no views until it is ready.
    if (error instanceof Error && error.message.includes('"indexed.')) return []
    throw error
  }
}

/** Waits for a transaction's transfer to be in the index. @throws when it isn't there in time. */
export async function indexed(
  sql: Database,
  chain: RigChain,
  txHash: Hex,
  timeoutMs = 60_000,
): Promise<void> {
  const isThere = async () => (await indexedOn(sql, chain)).includes(txHash)
  if (!(await waitUntil(isThere, timeoutMs, 2))) {
    throw new Error(
      `${txHash} was not indexed on ${chain.chain.networkId} in ${timeoutMs} ms\n${lastWords()}`,
    )
  }
}

/** Waits until the index has reached the head of every chain. @throws when it hasn't in time. */
export async function caughtUp(
  sql: Database,
  chains: readonly RigChain[],
  timeoutMs = 60_000,
): Promise<void> {
  const isAtHead = async () => {
    const heads = await indexerHeads(sql)
    const wanted = await Promise.all(chains.map(headOf))
    return chains.every(({ chain }, i) => heads.get(chain.chainId) === wanted[i]?.number)
  }
  if (!(await waitUntil(isAtHead, timeoutMs))) {
    throw new Error(`the index did not reach the chains' heads in ${timeoutMs} ms\n${lastWords()}`)
  }
}

export interface RunningIndexer extends Spawned {
  readonly graphqlUrl: string
  /** The process id of the Ponder that was started last. */
  ponderPid(): number
  /** Everything it has said so far. */
  output(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

let lastStarted: RunningIndexer | undefined

/** What the indexer that was started last has said last, for the message of a failure. */
function lastWords(): string {
  return lastStarted?.output().split('\n').slice(-12).join('\n') ?? ''
}

/** Starts `bun indexer/main.ts`. Its chains announce blocks by WebSocket unless told otherwise. */
export async function startIndexer(
  url: string,
  chains: readonly RigChain[],
  more: Readonly<Record<string, string>> = {},
): Promise<RunningIndexer> {
  const port = more.GRAPHQL_PORT ?? String(await freePort())
  const env: Record<string, string> = {
    ...MACHINE,
    DATABASE_URL: url === '' ? '' : await roleUrl(url, 'indexer'),
    REDIS_URL: 'redis://127.0.0.1:1',
    HUB_ADDRESS: chains[0]?.hub ?? OWNER,
    FEE_COLLECTOR: OWNER,
    GRAPHQL_PORT: port,
  }
  for (const { chain, node } of chains) {
    env[`RPC_URL_${suffix(chain.networkId)}`] = node.url
    env[`HEAD_POLLING_${suffix(chain.networkId)}`] = 'fast'
    env[`WS_URL_${suffix(chain.networkId)}`] = node.wsUrl
  }
  const { child, running } = spawnDetached({
    command: process.execPath,
    args: [join(ROOT, 'indexer/main.ts')],
    cwd: ROOT,
    env: { ...env, ...more },
    output: 'pipe',
  })
  const release = stopOnParentDeath(running.pid, 'SIGINT')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  lastStarted = {
    ...running,
    graphqlUrl: `http://127.0.0.1:${port}/graphql`,
    output: () => said,
    ponderPid: () =>
      Number(
        said
          .match(/"pid":(\d+)[^\n]*"started Ponder"/g)
          ?.at(-1)
          ?.match(/\d+/),
      ),
    async stop(signal = 'SIGINT') {
      await stopProcess(running.pid, signal, 15_000)
      release()
    },
  }
  return lastStarted
}
