import { encodeFunctionData, erc20Abi, numberToHex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { asHex } from '../../dev/servers/rpc.ts'
import { addressOf } from '../../dev/stack/keys.ts'
import type { PaymentRequirements } from '../x402/side.ts'
import type { CountedStack } from './stack.ts'

/** Actions of payers and merchants on a counted stack. */

/** The account that the local node signs for. */
export const FOREIGN = lowerCaseAddress('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')

/** 10,000 gwei. */
const MOST_FEE = '0x9184e72a000'

/** Sends the token from the account that the node signs for, at an account nonce or at the one that the node gives. */
export async function payFrom(
  { chain }: CountedStack,
  to: Address,
  amount: bigint,
  nonce?: number,
) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  // A node forgets what offers less than the base fee of the moment: payers beside floods offer enough.
  const own = nonce === undefined ? {} : { nonce: numberToHex(nonce), maxFeePerGas: MOST_FEE }
  const transaction = { from: FOREIGN, to: chain.usdc.address, data, gas: '0x186a0', ...own }
  return asHex(await chain.node.rpc('eth_sendTransaction', [transaction]))
}

export function newAddress(): Address {
  return lowerCaseAddress(addressOf(generatePrivateKey()))
}

/** Asks the API as the merchant. Throws when it refuses. */
export async function callApi<T>(stack: CountedStack, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${stack.port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Service-Key': stack.secretKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return answer.data
}

/** Payment requirements of a resource for one cent. */
export async function newEndpoint(stack: CountedStack): Promise<PaymentRequirements> {
  const { payment_requirements: requirements } = await callApi<{
    payment_requirements: PaymentRequirements
  }>(stack, '/v1/x402/endpoints', {
    endpointUrl: 'https://shop.example/weather',
    description: 'Weather',
    asset: 'USDC',
    network: `eip155:${stack.chain.node.chainId}`,
    amountUsd: 0.01,
  })
  return requirements
}
