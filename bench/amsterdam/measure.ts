import { encodeFunctionData, erc20Abi } from 'viem'
import { hubEvents } from '../../chain/hub/contract.ts'
import { explainRevert } from '../../chain/hub/errors.ts'
import {
  type ChainGas,
  distributionsGas,
  paymentsGas,
  raisedGas,
  USUAL_GAS,
} from '../../core/chain/gas.ts'
import { KINDS } from '../../workers/relayer/kinds.ts'
import type { Outcome, Rules } from './machine.ts'
import type { Operation } from './operation.ts'
import { addressOf, keyOf, RELAYER, Stage } from './stage.ts'

export interface Measured {
  readonly count: number
  /** The gas limit that the backend gives the transaction. */
  readonly limit: bigint
  /** Of the whole transaction. */
  readonly gas: bigint
  readonly stateGas: bigint
  /** Why an item failed; null if all succeeded. */
  readonly failure: string | null
}

/** Gas limits of an operation's items. */
export type Figures = (operation: Operation, rules: Rules) => Promise<ChainGas>

/** The backend's defaults: its table, raised by the observed cost of the token's transfers. */
export const defaultFigures: Figures = async (operation, rules) => {
  if (operation.isCostly !== true) return USUAL_GAS
  const stage = await Stage.open(rules)
  await stage.mint(stage.costly, addressOf('holder'), 1n)
  const args = [addressOf('newcomer'), 1n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const { machine, costly } = stage
  const { gas } = await machine.send(keyOf('holder'), costly, data, machine.plenty)
  return raisedGas(USUAL_GAS, gas)
}

/** Version 1 of the hub had these as constants. */
export const firstFigures: Figures = async () => ({
  ...USUAL_GAS,
  sweep: { item: 350_000n, fee: 100_000n, reserve: 5_000n },
  distribution: { item: 350_000n, fee: 100_000n, reserve: 5_000n },
  refund: 350_000n,
  authorization: 150_000n,
})

/** The maximum number of items per transaction, at most 100. */
export function largestBatch(operation: Operation, gas: ChainGas): number {
  let count = 1
  while (count < 100 && limitOf(operation, count + 1, gas) <= gas.largest) count++
  return operation.isSingle ? 1 : count
}

/** Runs an operation on its own chain, with the gas limits of these figures. */
export async function measure(
  operation: Operation,
  rules: Rules,
  count: number,
  gas: ChainGas,
): Promise<Measured> {
  const stage = await Stage.open(rules)
  const { call, paid, sender = RELAYER } = await operation.prepare(stage, count, gas)
  const before = await Promise.all(paid.map(({ token, to }) => stage.balance(token, to)))
  const limit = limitOf(operation, count, gas)
  const outcome = await stage.machine.send(keyOf(sender), call.to, call.data, limit)
  let failure = failureIn(stage, outcome)
  for (const [i, { token, to, amount }] of paid.entries()) {
    const received = (await stage.balance(token, to)) - (before[i] ?? 0n)
    if (received !== amount) failure ??= `${to} received ${received}, not ${amount}`
  }
  return { count, limit, gas: outcome.gas, stateGas: outcome.stateGas, failure }
}

/** As the relayer adds it up; its limit of payments counts one merchant and one distribution already. */
function limitOf({ kind, merchants }: Operation, count: number, gas: ChainGas): bigint {
  const { base, perItem } = typeof kind === 'function' ? kind(gas) : KINDS[kind].gas(gas)
  const more = (merchants?.(count) ?? 1) - 1
  const perMerchant = kind === 'x402' ? paymentsGas(gas).perMerchant : 0n
  return base + perItem * BigInt(count) + perMerchant * BigInt(more) + distributionsGas(gas, more)
}

function failureIn({ hub }: Stage, { ok, returned, logs }: Outcome): string | null {
  if (!ok) return `reverted: ${explainRevert(returned)}`
  for (const { eventName, args } of hubEvents(hub, logs)) {
    if (eventName.endsWith('Failed') && 'reason' in args) {
      return `${eventName}: ${explainRevert(args.reason)}`
    }
  }
  return null
}
