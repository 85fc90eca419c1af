/**
 * A JSON-RPC node of the synthetic chain, run as a separate process so that its work is not the
 * indexer's. It limits eth_getLogs as providers do. Arguments: the plan as JSON. It prints its port.
 */
import { numberToHex } from 'viem'
import { blockOf, type ChainPlan, logsOf, numberOf, TRANSFER } from './blocks.ts'

interface Limits {
  readonly chainId: number
  readonly widestRange: number
  readonly mostResults: number
}

interface Filter {
  readonly address?: string | readonly string[]
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly blockHash?: string
  readonly topics?: readonly (string | readonly string[] | null)[]
}

class Refusal extends Error {}

const plan: ChainPlan & Limits = JSON.parse(process.argv[2] ?? '')
const served = new Map<string, number>()
let refused = 0
let [firstLogsAt, logsSent] = [0, 0]

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  development: false,
  async fetch(request) {
    if (request.method === 'GET') {
      return Response.json({ served: Object.fromEntries(served), refused, firstLogsAt, logsSent })
    }
    const body = await request.json()
    const answers = (Array.isArray(body) ? body : [body]).map(answer)
    return new Response(Array.isArray(body) ? `[${answers.join(',')}]` : answers[0], {
      headers: { 'content-type': 'application/json' },
    })
  },
})
console.log(server.port)

function answer({
  id,
  method,
  params,
}: {
  id: number
  method: string
  params?: unknown[]
}): string {
  served.set(method, (served.get(method) ?? 0) + 1)
  try {
    return `{"jsonrpc":"2.0","id":${id},"result":${resultOf(method, params ?? [])}}`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refused += 1
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32005, message: error.message } })
  }
}

/** The result as JSON. */
function resultOf(method: string, [first, second]: unknown[]): string {
  switch (method) {
    case 'eth_chainId':
      return `"${numberToHex(plan.chainId)}"`
    case 'web3_clientVersion':
      return '"made-up"'
    case 'eth_blockNumber':
      return `"${numberToHex(plan.blocks)}"`
    case 'eth_getBlockByNumber':
      return block(numbered(String(first)), second === true)
    case 'eth_getBlockByHash':
      return block(numberOf(String(first)), second === true)
    case 'eth_getLogs':
      return logs(first ?? {})
    default:
      return JSON.stringify(null)
  }
}

function block(number: number, isWhole: boolean): string {
  if (!(number >= 0 && number <= plan.blocks)) return 'null'
  return JSON.stringify(blockOf(plan, number, isWhole))
}

function numbered(tag: string): number {
  if (tag === 'earliest') return 0
  return tag.startsWith('0x') ? Number(tag) : plan.blocks
}

function logs(filter: Filter): string {
  firstLogsAt ||= Date.now()
  const byHash = filter.blockHash === undefined ? undefined : numberOf(filter.blockHash)
  const from = byHash ?? numbered(filter.fromBlock ?? 'latest')
  const to = byHash ?? Math.min(plan.blocks, numbered(filter.toBlock ?? 'latest'))
  if (to - from + 1 > plan.widestRange) {
    throw new Refusal(`maximum block range: ${plan.widestRange}`)
  }
  const addresses = filter.address === undefined ? [plan.token] : [filter.address].flat()
  if (!addresses.some((address) => address.toLowerCase() === plan.token)) return '[]'
  const events = [filter.topics?.[0] ?? TRANSFER].flat()
  if (!events.includes(TRANSFER)) return '[]'
  if ((to - from + 1) * plan.logsPerBlock > plan.mostResults) {
    const fitting = from + Math.floor(plan.mostResults / plan.logsPerBlock) - 1
    const range = `[${numberToHex(from)}, ${numberToHex(fitting)}]`
    const most = `query returned more than ${plan.mostResults} results`
    throw new Refusal(`${most}. Try with this block range ${range}.`)
  }
  const found: string[] = []
  for (let number = from; number <= to; number += 1) found.push(...logsOf(plan, number))
  logsSent += found.length
  return `[${found.join(',')}]`
}
