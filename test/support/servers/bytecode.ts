import { size } from 'viem'
import type { Address, Hex } from '../../../core/chain/evm.ts'

/** Small contracts, assembled by hand, for chains that let a test put code where it likes. */

/** bytes4 of isValidSignature: what a wallet says to a signature that it accepts. ERC-1271. */
const MAGIC = '1626ba7e'
const STOP = '00'
const FAIL = '5b5f5ffd' // JUMPDEST PUSH0 PUSH0 REVERT

/** Says yes to every signature: mstore(0, magic), return(0, 32). */
export const AGREEING_WALLET: Hex = `0x63${MAGIC}60e01b5f5260205ff3`
/** Burns all the gas it is given. */
export const BURNING_WALLET: Hex = '0xfe'
/** A wallet with one key: says yes to signatures of 65 bytes that recover to it. ERC-1271. */
export function keyWallet(key: Address): Hex {
  const digest = '6004355f52' // mstore(0, calldataload(4))
  const v = '60a4355f1a602052' // mstore(32, byte(0, calldataload(164)))
  const r = '606435604052' // mstore(64, calldataload(100))
  const s = '608435606052' // mstore(96, calldataload(132))
  const recover = '60205f60805f60015afa50' // staticcall(gas, 1, 0, 128, 0, 32), pop
  const isKey = `73${key.slice(2)}5f5114` // eq(key, mload(0))
  return `0x${digest}${v}${r}${s}${recover}${isKey}63${MAGIC}60e01b025f5260205ff3`
}

/** Makes these calls one after the other when it is called, and reverts when one of them fails. */
export function caller(calls: readonly { readonly to: Address; readonly data: Hex }[]): Hex {
  const blockBytes = 43
  const fail = calls.length * blockBytes + 1
  let offset = fail + FAIL.length / 2
  const blocks = calls.map(({ to, data }) => {
    const length = word16(size(data))
    const copy = `61${length}61${word16(offset)}5f39` // codecopy(0, offset, length)
    offset += size(data)
    const call = `5f5f61${length}5f5f73${to.slice(2)}5af1` // call(gas, to, 0, 0, length, 0, 0)
    return `${copy}${call}1561${word16(fail)}57` // if it failed, jump to the end
  })
  return `0x${blocks.join('')}${STOP}${FAIL}${calls.map(({ data }) => data.slice(2)).join('')}`
}

/** Each round costs 26 gas: JUMPDEST PUSH1 SWAP1 SUB DUP1 PUSH2 JUMPI. */
const ROUND_GAS = 26

/** The token at `implementation`, run in this one's storage, whose transfer() costs so much gas more. */
export function greedyToken(implementation: Address, gas: number): Hex {
  const rounds = Math.ceil(gas / ROUND_GAS)
  const isTransfer = '5f3560e01c63a9059cbb14' // eq(shr(224, calldataload(0)), selector)
  const rest = 31
  const burn = `62${rounds.toString(16).padStart(6, '0')}5b600190038061001457`
  const head = `${isTransfer}1561${word16(rest)}57${burn}50`
  const forward = `365f5f375f5f365f73${implementation.slice(2)}5af43d5f5f3e`
  const ok = rest + 1 + forward.length / 2 + 7
  return `0x${head}5b${forward}61${word16(ok)}573d5ffd5b3d5ff3`
}

function word16(value: number): string {
  return value.toString(16).padStart(4, '0')
}
