import type { Log } from 'viem'
import { encodePermits } from '../../chain/x402/permitCalls.ts'
import { failedPermits, type PaidPermit, settledPermits } from '../../chain/x402/permitUse.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { type ChainGas, type PaymentsGas, permitPaymentsGas } from '../../core/chain/gas.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'
import type { SettlePermit, SettleRow } from '../../store/x402/work.ts'
import type { ItemOutcome } from '../relayer/kind.ts'
import { failed, succeeded, unmentioned } from '../relayer/outcomes.ts'

/** Payments by Permit2 in the work of a relayer: the call for a batch of one scheme, and what became of each. */

export function encodePermitBatch(batch: readonly SettleRow[], gas: ChainGas): Hex {
  const items = batch.map(({ token, authorization, amount, permit, signature, isWallet }) => {
    if (permit === null) throw new Error('a payment by EIP-3009 is in a batch of Permit2')
    const { nonce, approval } = permit
    return { token, authorization, amount, nonce, signature, isWallet, approval }
  })
  const [first] = batch
  if (first === undefined) throw new Error('a batch has no payment')
  return encodePermits(first.scheme, items, gas.permit)
}

/** What the payments of a batch need, which are all of the first one's kind. */
export function gasFor(
  payments: (figures: ChainGas) => PaymentsGas,
  gas: ChainGas,
  first: SettleRow,
): PaymentsGas {
  return first.permit ? permitPaymentsGas(gas) : payments(gas)
}

/**
 * Whether two payments may be in one call. Those by Permit2 name their tokens themselves; one whose wallet
 * is to be created first goes alone.
 */
export function mayShare(a: SettleRow, b: SettleRow): boolean {
  if (a.deployment !== null || b.deployment !== null) return a === b
  if (a.permit === null || b.permit === null) {
    return a.permit === b.permit && a.token === b.token && a.hub === b.hub
  }
  return a.scheme === b.scheme && a.permit.hub === b.permit.hub
}

/** A hub's events of payments by Permit2 in the receipt of a transaction of ours. */
export interface Permits {
  readonly paid: ReadonlyMap<string, PaidPermit>
  /** Why, in words. */
  readonly failed: ReadonlyMap<string, string>
}

export function permitsIn(hub: Address, logs: readonly Log[]): Permits {
  return {
    paid: new Map(settledPermits(hub, logs).map((one) => [keyOf(one.payer, one.nonce), one])),
    failed: new Map(
      failedPermits(hub, logs).map((one) => [keyOf(one.payer, one.nonce), one.error]),
    ),
  }
}

/** A payment is done by the hub's event, if the token's transfer before it is of the exact amount. */
export function permitOutcome(
  item: WorkItem,
  { authorization, amount, token }: SettleRow,
  { nonce }: SettlePermit,
  permits: Permits,
): ItemOutcome {
  const key = keyOf(authorization.from, nonce)
  const paid = permits.paid.get(key)
  const isExact = paid?.token === token && paid.to === authorization.to && paid.amount === amount
  if (paid !== undefined && isExact) return succeeded(item, paid.logIndex)
  const error = permits.failed.get(key)
  return error === undefined ? unmentioned(item, 'payment') : failed(item, error)
}

function keyOf(payer: Address, nonce: bigint): string {
  return `${payer} ${nonce}`
}
