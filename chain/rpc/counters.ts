/**
 * remit_rpc_calls_total: the calls that this process has sent to nodes, each as often as it was sent. Providers
 * bill them. Label values are bounded.
 */

const METHODS: ReadonlySet<string> = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'eth_subscribe',
])

export type CallOutcome =
  | 'ok'
  /** The node knows no such block yet. */
  | 'unknown_block'
  /** Too many calls: sent again later. */
  | 'rate_limited'
  /** The node answered with another error, which may be what was to be found out. */
  | 'refused'
  /** A timeout, a broken connection, or a gateway's error. */
  | 'unanswered'
  /** What was sent for a header was none. It counts beside the answer, which came. */
  | 'malformed'

export interface CallCount {
  /** The networkId. */
  readonly chain: string
  readonly method: string
  readonly outcome: CallOutcome
  readonly count: number
}

const counts = new Map<string, { -readonly [K in keyof CallCount]: CallCount[K] }>()

export function countCall(chain: string, method: string, outcome: CallOutcome): void {
  const label = METHODS.has(method) ? method : 'other'
  const key = `${chain} ${label} ${outcome}`
  const known = counts.get(key)
  if (known === undefined) counts.set(key, { chain, method: label, outcome, count: 1 })
  else known.count += 1
}

/** What was counted since the process began. */
export function rpcCallCounts(): CallCount[] {
  return [...counts.values()].map((entry) => ({ ...entry }))
}
