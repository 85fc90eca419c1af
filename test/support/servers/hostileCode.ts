import { size, toEventSelector } from 'viem'
import type { Address, Hex } from '../../../core/chain/evm.ts'

/** Code of contracts that make transactions large, for `anvil_setCode`. */

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/**
 * Moves one base unit of the token to each address of its input, which are words one after the other, and
 * then logs `logs` times, at least once, nothing at all: 407 gas and some 360 bytes of a receipt for each.
 */
export function flooder(token: Address, logs: number): Hex {
  const payments = [
    '63a9059cbb60e01b600052', // memory[0..4] = selector of transfer(address,uint256)
    '6001602452', // memory[36..68] = 1
    '6000', // stack: position
    '5b', // 0x12, next:
    '80361115604757', // at the end of the input go to flood
    '8035600452', // memory[4..36] = the address
    `6000600060446000600073${token.slice(2)}5af150`, // call it, whatever comes of it
    '602001', // position += 32
    '601256', // go to next
  ].join('')
  const flood = `5b62${logs.toString(16).padStart(6, '0')}`
  const loop = '5b60006000a06001900380604c5700'
  return `0x${payments}${flood}${loop}`
}

/** The input of a flooder. */
export function receivers(addresses: readonly Address[]): Hex {
  return `0x${addresses.map((address) => address.slice(2).padStart(64, '0')).join('')}`
}

/** Uses all gas that it is given, in a loop. */
export const ENDLESS: Hex = '0x5b600056'

/** Reverts with this. */
export function reverter(data: Hex): Hex {
  const length = size(data).toString(16).padStart(6, '0')
  return `0x62${length}600e5f3962${length}5ffd${data.slice(2)}`
}

/** Logs so many times that it has transferred nothing from and to an address, as a token would. */
export function transferLogger(holder: Address, logs: number): Hex {
  const topics = `73${holder.slice(2)}73${holder.slice(2)}7f${TRANSFER.slice(2)}`
  return `0x62${logs.toString(16).padStart(6, '0')}5b${topics}60206000a36001900380600457`
}
