import { toEventSelector } from 'viem'
import { numberIn, type SimulatedChain, textIn } from '../chain.ts'

/** What the chain says: who paid whom, when, and which authorizations were carried out. */

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const USED = toEventSelector('AuthorizationUsed(address,bytes32)')

export interface Transfer {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly hash: string
  readonly time: number
}

/** A block, by its number and hash. */
export interface Block {
  readonly number: number
  readonly hash: string
}

export interface Truth {
  readonly transfers: readonly Transfer[]
  /** How often each authorization was carried out, by payer and nonce. */
  readonly used: ReadonlyMap<string, readonly string[]>
  /** The blocks of transactions that moved tokens. */
  readonly blocks: ReadonlyMap<string, Block>
  balance(holder: string): Promise<bigint>
}

export async function truthOf(chain: SimulatedChain): Promise<Truth> {
  const { usdc } = chain.hub
  const filter = { fromBlock: '0x0', toBlock: 'latest', address: usdc.address }
  const { result } = await chain.ask({ method: 'eth_getLogs', params: [filter] })
  const transfers: Transfer[] = []
  const used = new Map<string, string[]>()
  const times = new Map<number, number>()
  const blocks = new Map<string, Block>()
  for (const log of Array.isArray(result) ? result : []) {
    const { topics }: { topics: unknown } = Object(log)
    const [kind, first = '', second = ''] = (Array.isArray(topics) ? topics : []).map(String)
    const hash = textIn(log, 'transactionHash')
    blocks.set(hash, { number: numberIn(log, 'blockNumber'), hash: textIn(log, 'blockHash') })
    if (kind === USED) {
      const name = nameOf(addressIn(first), second)
      used.set(name, [...(used.get(name) ?? []), hash])
    }
    if (kind !== TRANSFER) continue
    const number = numberIn(log, 'blockNumber')
    const time = times.get(number) ?? (await timeOf(chain, number))
    times.set(number, time)
    const amount = BigInt(textIn(log, 'data'))
    transfers.push({ from: addressIn(first), to: addressIn(second), amount, hash, time })
  }
  return {
    transfers,
    used,
    blocks,
    balance: async (holder) => {
      const data = `0x70a08231${holder.slice(2).padStart(64, '0')}`
      const params = [{ to: usdc.address, data }, 'latest']
      return BigInt(String((await chain.ask({ method: 'eth_call', params })).result))
    },
  }
}

async function timeOf(chain: SimulatedChain, number: number): Promise<number> {
  const params = [`0x${number.toString(16)}`, false]
  return numberIn((await chain.ask({ method: 'eth_getBlockByNumber', params })).result, 'timestamp')
}

function addressIn(topic: string): string {
  return `0x${topic.slice(-40)}`
}

export function nameOf(payer: string, nonce: string): string {
  return `${payer.toLowerCase()} ${nonce.toLowerCase()}`
}
