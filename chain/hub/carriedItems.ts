import { decodeFunctionData, parseAbi } from 'viem'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import { HUB_ABI } from './contract.ts'

/** What a stored call would do, read back from its bytes. */

const TOKEN_CALLS = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
const CALLS = [...HUB_ABI, ...TOKEN_CALLS] as const

export interface EncodedAuthorization {
  readonly token: Address
  readonly payer: Address
  readonly nonce: Hex
}

/** The authorizations in a call to the hub, or in one to the token itself. */
export function authorizationsIn(target: Address, calldata: Hex): EncodedAuthorization[] {
  const { functionName, args } = decodeFunctionData({ abi: CALLS, data: calldata })
  switch (functionName) {
    case 'settle':
    case 'settleWallets':
      return args[1].map(({ from, nonce }) => authorization(args[0], from, nonce))
    case 'transferWithAuthorization':
      return [authorization(target, args[0], args[5])]
    default:
      return []
  }
}

function authorization(token: Address, payer: Address, nonce: Hex): EncodedAuthorization {
  return {
    token: lowerCaseAddress(token),
    payer: lowerCaseAddress(payer),
    nonce: hashFrom(nonce.toLowerCase()),
  }
}
