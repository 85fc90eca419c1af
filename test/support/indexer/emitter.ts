import { type Abi, encodeAbiParameters, encodeEventTopics, getAbiItem } from 'viem'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { asHex } from '../../../dev/servers/rpc.ts'
import { FAUCET, type RigChain } from './rig.ts'

/**
 * Logs of any contract, without what it takes to bring it there: its code is replaced for a moment by one that
 * logs what it is called with.
 */

export interface Told {
  readonly contract: Address
  readonly abi: Abi
  readonly eventName: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Has each event logged in a block of its own; returns the transactions. */
export async function tell({ node }: RigChain, events: readonly Told[]): Promise<Hex[]> {
  const hashes: Hex[] = []
  for (const { contract, abi, eventName, args } of events) {
    const topics = encodeEventTopics({ abi, eventName, args }).flatMap((topic) => topic ?? [])
    const item = getAbiItem({ abi, name: eventName })
    if (item?.type !== 'event') throw new Error(`no event ${eventName}`)
    const plain = item.inputs.filter(({ indexed }) => indexed !== true)
    const data = encodeAbiParameters(
      plain,
      plain.map(({ name = '' }) => args[name]),
    )
    const code = await node.rpc('eth_getCode', [contract, 'latest'])
    await node.rpc('anvil_setCode', [contract, emitterOf(topics.length)])
    const input = `0x${[...topics, data].map((part) => String(part).slice(2)).join('')}`
    const transaction = { from: FAUCET, to: contract, data: input, gas: '0x30d40' }
    hashes.push(asHex(await node.rpc('eth_sendTransaction', [transaction])))
    await node.mine()
    await node.rpc('anvil_setCode', [contract, code])
    // A reorganisation goes back to what a block has left behind.
    await node.mine()
  }
  return hashes
}

/** Logs its input: so many topics of 32 bytes, and the rest as data. */
function emitterOf(topics: number): Hex {
  const byte = (value: number) => value.toString(16).padStart(2, '0')
  const head = byte(32 * topics)
  const loads = Array.from({ length: topics }, (_, i) => `60${byte(32 * (topics - 1 - i))}35`)
  const log = `${byte(0x80 + topics)}6000${byte(0xa0 + topics)}00`
  return `0x60${head}36038060${head}600037${loads.join('')}${log}`
}
