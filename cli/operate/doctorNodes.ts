import type { PublicClient } from 'viem'
import { openChain } from '../../chain/rpc/client.ts'
import { post } from '../../chain/rpc/post.ts'
import { shortMessage } from '../../core/base/logging.ts'
import { type ActiveChain, suffix } from '../../core/config/chains.ts'
import { type Finding, Findings } from './finding.ts'

/** The nodes of a chain, each URL separately: responses, latency and limits. */

/** A URL further behind the best one, in blocks, is of little use. */
const LAGS_FROM_BLOCKS = 5n
const SLOW_MS = 1_000
const BATCH_TRIED = 3
const UNUSED_ACCOUNT = '0x0000000000000000000000000000000000000001'

interface Answer {
  readonly name: string
  readonly client: PublicClient
  readonly head: bigint
  readonly time: Date
}

export async function checkNodes(chain: ActiveChain): Promise<Finding[]> {
  const found = new Findings(chain.networkId)
  const answers = await Promise.all(chain.rpcUrls.map((url, i) => checkNode(found, chain, url, i)))
  const there = answers.filter((answer) => answer !== null)
  const best = there.toSorted((a, b) => Number(b.head - a.head))[0]
  if (best === undefined) return found.all
  compareHeads(found, chain, there, best)
  if (chain.rpcUrls.length === 1) {
    found.warning(
      'it has only one RPC URL',
      `add a URL of another provider to RPC_URL_${suffix(chain.networkId)}, separated by a comma`,
    )
  }
  return found.all
}

async function checkNode(
  found: Findings,
  chain: ActiveChain,
  url: string,
  place: number,
): Promise<Answer | null> {
  const name = URL.parse(url)?.host ?? `URL ${place + 1}`
  const variable = `RPC_URL_${suffix(chain.networkId)}`
  const client = openChain({ ...chain, rpcUrls: [url], wsUrl: null }).rpc
  try {
    const chainId = await client.getChainId()
    if (chainId !== chain.chainId) {
      found.problem(`${name} serves chain ${chainId}, not ${chain.chainId}`, `correct ${variable}`)
      return null
    }
    const start = performance.now()
    const block = await client.getBlock({ blockTag: 'latest' })
    const took = Math.round(performance.now() - start)
    const what = `${name} responds in ${took} ms, at block ${block.number}`
    if (took > SLOW_MS) found.warning(what, 'use a closer or less busy node')
    else found.good(what)
    await tryLogs(found, chain, client, name, block.number)
    await tryState(found, client, name, block.hash)
    await tryBatch(found, chain, url, name)
    return { name, client, head: block.number, time: new Date(Number(block.timestamp) * 1_000) }
  } catch (error) {
    found.problem(`${name} does not respond: ${shortMessage(error)}`, `check ${variable}`)
    return null
  }
}

/** Queries the widest range that the configuration allows. */
async function tryLogs(
  found: Findings,
  { provider, networkId, tokens }: ActiveChain,
  client: PublicClient,
  name: string,
  head: bigint,
): Promise<void> {
  const [token] = tokens
  if (token === undefined) return
  const from = head - BigInt(provider.logRange) + 1n
  try {
    // This account receives nothing, so the response is short.
    await client.getLogs({
      address: token.address,
      event: {
        type: 'event',
        name: 'Transfer',
        inputs: [
          { type: 'address', name: 'from', indexed: true },
          { type: 'address', name: 'to', indexed: true },
          { type: 'uint256', name: 'value' },
        ],
      },
      args: { from: UNUSED_ACCOUNT, to: UNUSED_ACCOUNT },
      fromBlock: from > 0n ? from : 0n,
      toBlock: head,
    })
    found.good(`${name} returns logs of ${provider.logRange} blocks at once`)
  } catch (error) {
    found.warning(
      `${name} refuses logs of ${provider.logRange} blocks: ${shortMessage(error)}`,
      `set RPC_MAX_LOG_RANGE_${suffix(networkId)} to the limit of its plan`,
    )
  }
}

/** State is read by block hash (EIP-1898). */
async function tryState(
  found: Findings,
  client: PublicClient,
  name: string,
  blockHash: `0x${string}`,
): Promise<void> {
  try {
    await client.getBalance({ address: UNUSED_ACCOUNT, blockHash })
  } catch (error) {
    found.problem(
      `${name} returns no state by block hash (EIP-1898): ${shortMessage(error)}`,
      'use another node: this one can’t verify payments',
    )
  }
}

async function tryBatch(
  found: Findings,
  { provider, networkId, rpcTimeoutMs }: ActiveChain,
  url: string,
  name: string,
): Promise<void> {
  if (provider.batch === 1) return
  const call = { jsonrpc: '2.0', method: 'eth_blockNumber', params: [] } as const
  const calls = Array.from({ length: BATCH_TRIED }, () => call)
  const { body } = await post(url, calls, {
    timeoutMs: rpcTimeoutMs,
    maxBytes: provider.responseBytes,
  })
  if (Array.isArray(body) && body.length === BATCH_TRIED) return
  found.warning(
    `${name} accepts no batches of calls`,
    `set RPC_MAX_BATCH_${suffix(networkId)} to 1, which avoids a refused request after each start`,
  )
}

function compareHeads(
  found: Findings,
  { blockTimeMs }: ActiveChain,
  answers: readonly Answer[],
  best: Answer,
): void {
  for (const { name, head } of answers) {
    const behind = best.head - head
    if (behind >= LAGS_FROM_BLOCKS) {
      found.warning(`${name} is ${behind} blocks behind ${best.name}`, 'use a node that keeps up')
    }
  }
  const age = Math.round((Date.now() - best.time.getTime()) / 1_000)
  const tolerated = Math.max(60, (10 * blockTimeMs) / 1_000)
  if (age > tolerated) {
    found.warning(
      `the newest block is ${age} s old`,
      'check the chain, its nodes, and the clock of this machine',
    )
  } else if (age < -10) {
    found.warning(
      `the newest block is ${-age} s in the future`,
      'correct the clock of this machine',
    )
  } else found.good(`the newest block is ${age} s old`)
}
