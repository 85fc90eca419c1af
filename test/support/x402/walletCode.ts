import type { Address, Hex } from '../../../core/chain/evm.ts'
import { integerWord } from '../../../core/chain/words.ts'
import type { HubChain } from '../servers/chain.ts'

/** Contract wallets (ERC-1271) in as few bytes as they need, to be put where a payer is. */

/** Says 0x1626ba7e, which means yes, to every signature. */
export const AGREEING_WALLET: Hex = `0x7f1626ba7e${'00'.repeat(28)}5f5260205ff3`
/** Says zero to every signature. */
export const REFUSING_WALLET: Hex = '0x60205ff3'
/** Burns all gas it is given. */
export const BURNING_WALLET: Hex = '0xfe'
/** Agrees once it has burnt all but 178,000 gas, in which a deposit is done, and another one, but no third. */
export const WASTEFUL_WALLET: Hex = `0x5b5a6202b750105f57${AGREEING_WALLET.slice(2)}`

/** Agrees if the signature, whose length is at byte 68 of the call, is 64 bytes long. */
export const COMPACT_WALLET: Hex = `0x6044356040147f1626ba7e${'00'.repeat(28)}025f5260205ff3`

/** Agrees where these instructions leave zero on the stack, and else burns all gas it is given. */
export function burnsUnlessZero(instructions: string): Hex {
  const end = (instructions.length + AGREEING_WALLET.length - 2) / 2 + 3
  const place = end.toString(16).padStart(2, '0')
  return `0x${instructions}60${place}57${AGREEING_WALLET.slice(2)}5bfe`
}

/**
 * Agrees in a trial, for which the sender is given more coin than there is, and burns all its gas in a
 * transaction: iszero(shr(100, balance(origin))).
 */
export const TREACHEROUS_WALLET = burnsUnlessZero('323160641c15')

/** The same if the account's first slot is set, and agrees always if it is not: one code, two kinds. */
export const TWO_FACED_WALLET = burnsUnlessZero('5f54323160641c1502')

/** Has an account's wallet of two faces show the worse one. */
export async function corrupt(chain: HubChain, address: Address): Promise<void> {
  const [slot, word] = [integerWord(0), integerWord(1)].map((digits) => `0x${digits}`)
  await chain.node.rpc('anvil_setStorageAt', [address, slot, word])
}

/** Replaces the code of an account. */
export async function placeCode(chain: HubChain, address: Address, code: Hex): Promise<void> {
  await chain.node.rpc('anvil_setCode', [address, code])
}

/** How many bytes of code this is. */
function codeSize(code: Hex): number {
  return (code.length - 2) / 2
}

/** Init code for code of less than 256 bytes: PUSH1 size, DUP1, PUSH1 9, PUSH0, CODECOPY, ... */
export function initCodeOf(code: Hex): Hex {
  return `0x60${codeSize(code).toString(16).padStart(2, '0')}8060095f395ff3${code.slice(2)}`
}
