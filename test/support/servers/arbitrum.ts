import type { Anvil } from '../../../dev/servers/anvil.ts'

/** Stand-ins for Arbitrum's system contracts, which a local chain doesn't have. */

const SYSTEM = '0x0000000000000000000000000000000000000064'
const GAS_INFO = '0x000000000000000000000000000000000000006c'
const NODE_INTERFACE = '0x00000000000000000000000000000000000000c8'
/** NUMBER, and the word is returned. */
const OWN_NUMBER = '0x4360005260206000f3'

export interface ArbitrumTerms {
  /** What nodes call the block; the local chain's own number by default. */
  readonly blockNumber?: number
  /** A unit of data, in wei. */
  readonly dataPrice?: number
  /** What of an estimate is for data, in gas. */
  readonly estimatedForData?: number
}

export async function placeArbitrum(
  { rpc }: Pick<Anvil, 'rpc'>,
  { blockNumber, dataPrice = 1_000_000_000, estimatedForData = 0 }: ArbitrumTerms = {},
): Promise<void> {
  const number = blockNumber === undefined ? OWN_NUMBER : answering(blockNumber)
  await rpc('anvil_setCode', [SYSTEM, number])
  await rpc('anvil_setCode', [GAS_INFO, answering(dataPrice)])
  await rpc('anvil_setCode', [NODE_INTERFACE, answering(estimatedForData, 3)])
}

/** Code that answers this number, and zeros up to so many words. */
function answering(value: number, words = 1): `0x${string}` {
  const length = (words * 32).toString(16).padStart(2, '0')
  return `0x67${value.toString(16).padStart(16, '0')}60005260${length}6000f3`
}
