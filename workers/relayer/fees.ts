import { dataGasPerByte } from '../../chain/transactions/arbitrum.ts'
import { leastIncludedTip, offer } from '../../chain/transactions/fees.ts'
import { max } from '../../core/base/integers.ts'
import { readTipFloor } from '../../store/relayer/tipFloors.ts'
import type { RelayerTurn, SendingTurn } from './context.ts'

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
