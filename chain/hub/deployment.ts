import {
  BaseError,
  concatHex,
  createWalletClient,
  custom,
  encodeAbiParameters,
  getContractAddress,
  type PublicClient,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { Environment } from '../../core/chain/table.ts'
import { findReceipt } from '../transactions/receipts.ts'
import { HUB_ABI } from './abi.ts'
import { committedInitCode } from './artifact.ts'

/** Putting a hub on a chain, and sending transactions one by one. */

/** The deterministic deployment proxy, which has the same address on every chain. */
export const DEPLOYMENT_PROXY = lowerCaseAddress('0x4e59b44847b379578588920ca78fbf26c0b4956c')
const SALT: Hex = `0x${'0'.repeat(64)}`

/** A transaction to be reviewed before it is signed, here or in a wallet. */
export interface UnsignedCall {
  readonly to: Address
  readonly data: Hex
}

/**
 * The committed init code with its constructor's arguments: the same bytes on every chain. Signers are
 * no arguments: they are appointed on each chain, so that a replaced key doesn't come back on the next one.
 */
export async function hubInitCode(owner: Address, environment: Environment): Promise<Hex> {
  const bytecode = await committedInitCode('RemitHub')
  const [hubConstructor] = HUB_ABI
  const args = [owner, stringToHex(environment, { size: 32 })] as const
  return concatHex([bytecode, encodeAbiParameters(hubConstructor.inputs, args)])
}

/** Where the proxy puts this init code, on every chain. EIP-1014 with salt 0. */
export function hubAddress(initCode: Hex): Address {
  const place = { from: DEPLOYMENT_PROXY, salt: SALT, bytecode: initCode } as const
  return lowerCaseAddress(getContractAddress({ opcode: 'CREATE2', ...place }))
}

export function deploymentCall(initCode: Hex): UnsignedCall {
  return { to: DEPLOYMENT_PROXY, data: concatHex([SALT, initCode]) }
}

/** How long a transaction may take to be mined before the wait is given up. */
const TIMEOUT_MS = 180_000

/**
 * Sends one transaction and waits until it is mined. Throws a BaseError when the node refuses it,
 * when it reverts, and when it isn't mined in time; the message then names its hash.
 */
export async function sendAndWait(
  client: PublicClient,
  key: Hex,
  call: UnsignedCall,
  timeoutMs = TIMEOUT_MS,
): Promise<Hex> {
  const account = privateKeyToAccount(key)
  const wallet = createWalletClient({ account, chain: client.chain, transport: custom(client) })
  const hash = hashFrom(await wallet.sendTransaction({ ...call, account, chain: client.chain }))
  const end = Date.now() + timeoutMs
  while (Date.now() < end) {
    const receipt = await findReceipt(client, hash)
    if (receipt?.status === 'success') return hash
    if (receipt !== null) throw new BaseError(`transaction ${hash} reverted`)
    await Bun.sleep(200)
  }
  throw new BaseError(`transaction ${hash} was sent and is not mined yet; see later`)
}

/** What a transaction would cost this account at most, in wei; throws a BaseError if it would fail. */
export async function costOf(
  client: PublicClient,
  from: Address,
  call: UnsignedCall,
): Promise<bigint> {
  const [gas, fees] = await Promise.all([
    client.estimateGas({ account: from, ...call }),
    client.estimateFeesPerGas(),
  ])
  return gas * fees.maxFeePerGas
}
