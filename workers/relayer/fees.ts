import { suggestFees } from '../../chain/fees.ts'
import type { RelayerTurn, SendingTurn } from './context.ts'

/** The turn at the fees of its head. They are asked for once for each head, and only by who needs them. */
export async function priced<T extends RelayerTurn>(turn: T): Promise<T & SendingTurn> {
  const { memory, client, head } = turn
  if (memory.fees?.head !== head.hash) {
    const fees = await suggestFees(client.rpc, head.baseFeePerGas)
    memory.fees = { head: head.hash, fees }
  }
  return { ...turn, fees: memory.fees.fees }
}
