import { dataGasPerByte } from '../../chain/arbitrum.ts'
import { suggestFees } from '../../chain/fees.ts'
import type { RelayerTurn, SendingTurn } from './context.ts'

/** The turn at the prices of its head. They are asked for once for each head, and only by who needs them. */
export async function priced<T extends RelayerTurn>(turn: T): Promise<T & SendingTurn> {
  const { memory, client, head } = turn
  if (memory.prices?.head !== head.hash) {
    const [fees, perByte] = await Promise.all([
      suggestFees(client.rpc, head.baseFeePerGas),
      dataGasPerByte(client.rpc, head.baseFeePerGas),
    ])
    memory.prices = { head: head.hash, fees, dataGasPerByte: perByte }
  }
  const { fees, dataGasPerByte: perByte } = memory.prices
  return { ...turn, fees, dataGasPerByte: perByte }
}
