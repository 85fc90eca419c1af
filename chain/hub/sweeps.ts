import { encodeFunctionData, type PublicClient } from 'viem'
import type { BaseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { ChainGas } from '../../core/chain/gas.ts'
import type { DepositTerms } from '../../core/hub/deposit.ts'
import { type LogPlace, placeOf } from '../transactions/logs.ts'
import { HUB_ABI } from './abi.ts'
import { depositStruct } from './contract.ts'

/** One deposit's sweep: `amount` leaves it, `fee` of that to the collector. In base units. */
export interface SweepCall extends DepositTerms {
  readonly token: Address
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  /** What must be in the deposit afterwards, in base units; 0 has the hub skip the check. */
  readonly leave: bigint
  /** The registry version that the hub must have; 0 with a recipient of the invoice's own. */
  readonly version: number
  /** Whether this sweep creates the deposit's contract; a wrong answer makes it fail. */
  readonly deploys: boolean
}

export function encodeSweep(sweeps: readonly SweepCall[], gas: ChainGas): Hex {
  const items = sweeps.map((sweep) => ({
    ...depositStruct(sweep),
    token: sweep.token,
    amount: sweep.amount,
    fee: sweep.fee,
    leave: sweep.leave,
    version: sweep.version,
    deploys: sweep.deploys,
  }))
  return encodeFunctionData({ abi: HUB_ABI, functionName: 'sweep', args: [items, gas.sweep] })
}

/** Amounts in base units. */
export interface SweptEvent extends LogPlace {
  readonly remitted: bigint
  readonly fee: bigint
}

/** Every sweep of one token out of one deposit within the blocks, from any sender. */
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
    args: { deposit: from.deposit },
    fromBlock,
    toBlock,
    strict: true,
  })
  const own = logs.filter((log) => lowerCaseAddress(log.args.token) === from.token)
  return own.map((log) => ({
    ...placeOf(log),
    remitted: log.args.remitted,
    fee: log.args.fee,
  }))
}
