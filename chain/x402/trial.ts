import type { PublicClient } from 'viem'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { MAX_FEE_PER_GAS } from '../../core/chain/gas.ts'
import { callAt } from '../rpc/callAt.ts'
import { rpcErrorIn } from '../rpc/faults.ts'
import type { View } from '../rpc/view.ts'
import type { Fees } from '../transactions/fees.ts'

/**
 * In whose name and at what price transfers are tried. A payer's code sees tx.origin, tx.gasprice and
 * block.basefee, and would know a trial by a sender and a price that no transaction of ours has.
 */
export interface TrialSender {
  /** A relayer of the chain. */
  readonly from: Address
  /** The tip of our transactions, in wei per gas; the base fee is the block's own. */
  readonly tip: bigint
}

/** The sender whose transactions offer these fees. */
export function trialSender(from: Address, { maxPriorityFeePerGas }: Fees): TrialSender {
  return { from, tip: maxPriorityFeePerGas }
}

/** At which block the facts are read, and in whose name transfers are tried. */
export interface FactsOptions {
  /** Without it, the node's newest block. */
  readonly view?: View
  /** Without it, the zero address, which pays nothing for gas. */
  readonly sender?: TrialSender | null
  /** What the block's time is taken for, in Unix seconds; nodes that can't are called without. */
  readonly time?: bigint
}

/** Given to the sender for the call alone: nodes want it to be able to pay for all its gas. */
const BALANCE: Hex = '0xffffffffffffffffffffffffffffffff'
/** How long a node without state overrides is called without them, in ms. */
const RETRY_AFTER_MS = 10 * 60_000

/** When clients were last found to refuse a price with an overridden balance. */
const refusedAt = new WeakMap<PublicClient, number>()

/**
 * The answer to init code that is run as a transaction of the sender, after the view's block. A
 * node that refuses a price, or a balance for this call alone, is called without both, because a
 * distinguishable trial is better than none.
 */
export async function callAs(
  client: PublicClient,
  data: Hex,
  { view, sender = null, time }: FactsOptions,
): Promise<Hex> {
  const send = (from?: Address) =>
    callAt(client, from === undefined ? { data } : { data, from }, { view, time })
  if (sender === null) return send()
  const { from } = sender
  if (performance.now() - (refusedAt.get(client) ?? Number.NEGATIVE_INFINITY) < RETRY_AFTER_MS) {
    return send(from)
  }
  try {
    const overrides = { [from]: { balance: BALANCE } }
    return await callAt(client, { data, from, ...priceOf(sender) }, { view, time, overrides })
  } catch (error) {
    if (rpcErrorIn(error) === null) throw error
    const answer = await send(from)
    refusedAt.set(client, performance.now())
    return answer
  }
}

function priceOf({ tip }: TrialSender) {
  return {
    maxFeePerGas: quantity(MAX_FEE_PER_GAS),
    maxPriorityFeePerGas: quantity(tip < MAX_FEE_PER_GAS ? tip : MAX_FEE_PER_GAS),
  }
}

function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`
}
