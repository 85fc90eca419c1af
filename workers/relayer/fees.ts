import { dataGasPerByte } from '../../chain/arbitrum.ts'
import { offer } from '../../chain/transactions/fees.ts'
import type { RelayerTurn, SendingTurn } from './context.ts'

/** The turn at the prices of its head, which are found once for each head, and only by who needs them. */
export async function priced<T extends RelayerTurn>(turn: T): Promise<T & SendingTurn> {
  const { memory, client, head } = turn
  if (memory.prices?.head !== head.hash) {
    const [tip, perByte] = await Promise.all([
      tipOf(turn),
      dataGasPerByte(client.rpc, head.baseFeePerGas),
    ])
    const fees = offer(head.baseFeePerGas, tip)
    memory.prices = { head: head.hash, fees, dataGasPerByte: perByte }
  }
  const { fees, dataGasPerByte: perByte } = memory.prices
  return { ...turn, fees, dataGasPerByte: perByte }
}

/**
 * The tip that a node suggests, in wei per gas, or did a moment ago: it changes slowly, and the base fee comes
 * with each head.
 */
async function tipOf({ memory, client, limits }: RelayerTurn): Promise<bigint> {
  const now = performance.now()
  if (memory.tip === null || now - memory.tip.at > limits.tipKeptMs) {
    memory.tip = { perGas: await client.rpc.estimateMaxPriorityFeePerGas(), at: now }
  }
  return memory.tip.perGas
}
