import { type Outflow, transferGas } from '../../chain/tokens/transferGas.ts'
import { dataGasPerByte } from '../../chain/transactions/arbitrum.ts'
import { leastIncludedTip, offer } from '../../chain/transactions/fees.ts'
import { max } from '../../core/base/integers.ts'
import { type Address, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { type ChainGas, raisedGas } from '../../core/chain/gas.ts'
import { readTipFloor } from '../../store/relayer/attempts.ts'
import type { RelayerContext, RelayerTurn, SendingTurn } from './context.ts'

/**
 * What the items of a batch are given, in gas: the chain's figures, raised when one of its tokens costs more
 * than they are made for. A token's transfer is estimated before money of it is sent, now and then. And what gas costs.
 */

/** How long an estimate is believed, in ms: a token's code changes seldom. */
const BELIEVED_MS = 10 * 60_000
/** How many outflows of a token are tried, when it refuses some: a blacklisted holder proves nothing. */
const TRIED = 3

export interface Figures {
  readonly gas: ChainGas
  /** The tokens for which the chain's figures had to be raised. */
  readonly dear: ReadonlySet<Address>
}

/** The figures for a batch with this money. */
export async function figuresFor(
  context: RelayerContext,
  outflows: readonly Outflow[],
): Promise<Figures> {
  const { gas } = context.client.chain
  const ofTokens = Map.groupBy(
    outflows.filter(({ token }) => token !== ZERO_ADDRESS),
    ({ token }) => token,
  )
  const costs = await Promise.all(
    [...ofTokens].map(async ([token, own]) => ({ token, cost: await costOf(context, token, own) })),
  )
  const most = costs.reduce((sofar, { cost }) => max(sofar, cost), 0n)
  const dear = costs.filter(({ cost }) => raisedGas(gas, cost) !== gas)
  return { gas: raisedGas(gas, most), dear: new Set(dear.map(({ token }) => token)) }
}

/** What a transfer of the token costs; 0 when it refuses all that was tried. */
async function costOf(
  { client, memory, log }: RelayerContext,
  token: Address,
  outflows: readonly Outflow[],
): Promise<bigint> {
  const now = performance.now()
  const known = memory.transfers.get(token)
  if (known !== undefined && now - known.at < BELIEVED_MS) return known.gas
  for (const outflow of outflows.slice(0, TRIED)) {
    const gas = await transferGas(client.rpc, outflow)
    if (gas === null) continue
    memory.transfers.set(token, { gas, at: now })
    if (gas > client.chain.gas.transfer) log.warn({ token, gas }, 'a token is dear to transfer')
    return gas
  }
  return known?.gas ?? 0n
}

/** The turn at the prices of its head, which are found once for each head, and only by who needs them. */
export async function priced<T extends RelayerTurn>(turn: T): Promise<T & SendingTurn> {
  const { memory, client, head } = turn
  if (memory.prices?.head !== head.hash) {
    const [tip, perByte] = await Promise.all([
      tipOf(turn),
      dataGasPerByte(client.rpc, head.baseFeePerGas),
    ])
    const fees = offer(head.baseFeePerGas, tip, client.chain.maxFeePerGas)
    memory.prices = { head: head.hash, fees, dataGasPerByte: perByte }
  }
  const { fees, dataGasPerByte: perByte } = memory.prices
  return { ...turn, fees, dataGasPerByte: perByte }
}

/**
 * The tip to offer, in wei per gas, as it was a moment ago: it changes slowly, and the base fee comes with each
 * head. It is what the node suggests, and no less than what the operator or the registry sets, what blocks have
 * included of late, and what a node has named when it refused less.
 */
async function tipOf(turn: RelayerTurn): Promise<bigint> {
  const { memory, client, limits, database, networkId } = turn
  const now = performance.now()
  if (memory.tip === null || now - memory.tip.at > limits.tipKeptMs) {
    const [suggested, included, floor] = await Promise.all([
      client.rpc.estimateMaxPriorityFeePerGas(),
      leastIncludedTip(client.rpc),
      readTipFloor(database, networkId),
    ])
    const least = max(client.chain.minTip, floor ?? 0n)
    memory.tip = { perGas: max(max(suggested, included), least), at: now }
  }
  return memory.tip.perGas
}
