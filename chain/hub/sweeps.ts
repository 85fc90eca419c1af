import { encodeFunctionData, type PublicClient } from 'viem'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { DepositTerms } from '../../core/invoice/deposit.ts'
import type { BaseUnits } from '../../core/money.ts'
import { type LogPlace, placeOf } from '../logs.ts'
import { depositStruct, HUB_ABI } from './contract.ts'

/** One deposit's sweep: `amount` leaves it, `fee` of that to the collector. In base units. */
export interface SweepCall extends DepositTerms {
  readonly token: Address
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  /** The registry version that the hub must have; 0 with a recipient of the invoice's own. */
  readonly version: number
}

export function encodeSweep(sweeps: readonly SweepCall[]): Hex {
  const items = sweeps.map((sweep) => ({
    ...depositStruct(sweep),
    token: sweep.token,
    amount: sweep.amount,
    fee: sweep.fee,
    version: sweep.version,
  }))
  return encodeFunctionData({ abi: HUB_ABI, functionName: 'sweep', args: [items] })
}

/** Amounts in base units. */
export interface SweptEvent extends LogPlace {
  readonly recipient: Address
  readonly remitted: bigint
  readonly fee: bigint
}

/** Every sweep of one token out of one deposit within the blocks, whoever sent it. */
export async function sweptEvents(
  client: PublicClient,
  hub: Address,
  from: { readonly deposit: Address; readonly token: Address },
  fromBlock: bigint,
  toBlock: bigint,
): Promise<SweptEvent[]> {
  const logs = await client.getContractEvents({
    address: hub,
    abi: HUB_ABI,
    eventName: 'Swept',
    args: { deposit: from.deposit, token: from.token },
    fromBlock,
    toBlock,
    strict: true,
  })
  return logs.map((log) => ({
    ...placeOf(log),
    recipient: lowerCaseAddress(log.args.recipient),
    remitted: log.args.remitted,
    fee: log.args.fee,
  }))
}
