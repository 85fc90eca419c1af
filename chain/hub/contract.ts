import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  hexToString,
  type Log,
  type PublicClient,
  parseEventLogs,
} from 'viem'
import { type Address, lowerCaseAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import type { DepositTerms } from '../../core/hub/deposit.ts'
import { hasCode } from '../blocks/accounts.ts'
import { atView, type View } from '../rpc/view.ts'
import { HUB_ABI } from './abi.ts'

/** The setup of the hub on a chain, and its events in receipts. */

/** What the hub on a chain was set up with. */
export interface HubRoles {
  readonly owner: Address
  /** The zero address where no one is appointed. */
  readonly configSigner: Address
  readonly refundSigner: Address
  readonly guardian: Address
  readonly feeCollector: Address
  /** "sandbox" or "live". */
  readonly environment: string
}

/** What is at an address: nothing, a hub that this code can use, or some other contract. */
export type HubReading =
  | { readonly type: 'none' }
  | { readonly type: 'other' }
  | { readonly type: 'hub'; readonly roles: HubRoles }

/** Reads the hub's roles. Hubs of version 1 know no guardian: they are other contracts. */
export async function readHub(client: PublicClient, hub: Address): Promise<HubReading> {
  if (!(await hasCode(client, hub))) return { type: 'none' }
  const read = { address: hub, abi: HUB_ABI } as const
  try {
    const [owner, configSigner, refundSigner, guardian, feeCollector, environment] =
      await Promise.all([
        client.readContract({ ...read, functionName: 'owner' }),
        client.readContract({ ...read, functionName: 'configSigner' }),
        client.readContract({ ...read, functionName: 'refundSigner' }),
        client.readContract({ ...read, functionName: 'guardian' }),
        client.readContract({ ...read, functionName: 'feeCollector' }),
        client.readContract({ ...read, functionName: 'environment' }),
      ])
    const roles = {
      owner: lowerCaseAddress(owner),
      configSigner: lowerCaseAddress(configSigner),
      refundSigner: lowerCaseAddress(refundSigner),
      guardian: lowerCaseAddress(guardian),
      feeCollector: lowerCaseAddress(feeCollector),
      environment: hexToString(environment, { size: 32 }),
    }
    return { type: 'hub', roles }
  } catch (error) {
    if (isRevert(error)) return { type: 'other' }
    throw error
  }
}

/** True when a contract refused a call or doesn't know it; false for a fault of the node. */
export function isRevert(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk(
      (cause) =>
        cause instanceof ContractFunctionRevertedError ||
        cause instanceof ContractFunctionZeroDataError,
    ) !== null
  )
}

/** Whether the hub sweeps and distributes a token. False where there is no hub. */
export async function isListed(
  client: PublicClient,
  hub: Address,
  token: Address,
): Promise<boolean> {
  try {
    const args = [token] as const
    const read = { address: hub, abi: HUB_ABI, functionName: 'tokens', args } as const
    const [listed] = await client.readContract(read)
    return listed
  } catch (error) {
    if (isRevert(error)) return false
    throw error
  }
}

/** Whether the hub lets this account sweep after the view's block, by default the newest. */
export function isOperator(
  client: PublicClient,
  hub: Address,
  account: Address,
  view?: View,
): Promise<boolean> {
  return client.readContract({
    address: hub,
    abi: HUB_ABI,
    functionName: 'isOperator',
    args: [account],
    ...atView(view),
  })
}

/** The events of this hub among a receipt's logs. Logs of other contracts prove nothing. */
export function hubEvents(hub: Address, logs: readonly Log[]) {
  const own = logs.filter((log) => log.address.toLowerCase() === hub)
  // It hashes every event of the ABI on each call, even for no logs.
  return own.length === 0 ? [] : parseEventLogs({ abi: HUB_ABI, logs: own, strict: true })
}

/** What a deposit address commits to, as the hub's calls take it. */
export function depositStruct({ merchantId, invoiceId, recipient, feeCap }: DepositTerms) {
  return {
    merchantId: uuidToBytes16(merchantId),
    invoiceId: uuidToBytes16(invoiceId),
    recipient: recipient ?? ZERO_ADDRESS,
    maxFee: feeCap,
  }
}
