import type { Hex } from '../../core/chain/evm.ts'

/** Minimal implementations of third-party contracts. */

/** The deterministic deployment proxy: salt and init code in, CREATE2. */
export const DEPLOYMENT_PROXY_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

/** keccak256("org.zeppelinos.proxy.implementation"), where Circle's proxy looks its code up. */
export const PROXY_SLOT: Hex = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'

const DELEGATE = [
  '36 3d 3d 37', // calldatacopy(0, 0, calldatasize)
  `3d 3d 36 3d 7f ${PROXY_SLOT.slice(2)} 54`, // sload(slot)
  '5a f4', // delegatecall(gas, code, 0, calldatasize, 0, 0)
  '3d 60 00 80 3e', // returndatacopy(0, 0, returndatasize)
]

/** The proxy of Circle's token on every chain. */
export const PROXY_CODE: Hex = assembled([
  ...DELEGATE,
  '60 38 57 3d 60 00 fd', // if it failed: revert(0, returndatasize)
  '5b 3d 60 00 f3', // return(0, returndatasize)
])

/** The same, with 350,000 more gas per transfer: 13,462 rounds of 26. */
export const COSTLY_PROXY_CODE: Hex = assembled([
  '60 00 35 60 e0 1c 63 a9 05 9c bb 14 60 12 57', // a transfer goes to 0x12,
  '60 20 56', // and anything else to 0x20
  '5b 61 34 96', // 0x12: as many rounds,
  '5b 60 01 90 03 80 60 16 57 50', // 0x16: counted down by one
  '5b', // 0x20
  ...DELEGATE,
  '60 59 57 3d 60 00 fd',
  '5b 3d 60 00 f3',
])

/** An ERC-1271 wallet that accepts every signature. */
export const WALLET_CODE: Hex = '0x631626ba7e60e01b60005260206000f3'

function assembled(pieces: readonly string[]): Hex {
  return `0x${pieces.join('').replaceAll(' ', '')}`
}
