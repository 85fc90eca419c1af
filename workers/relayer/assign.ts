import type { Hex } from '../../core/chain/evm.ts'
import { min } from '../../core/integers.ts'
import type { Transaction } from '../../store/database.ts'
import { insertAttempt } from '../../store/relayer/attempts.ts'
import { type Lease, lockLeasedKey, takeNonce } from '../../store/relayer/keys.ts'
import { insertTransaction } from '../../store/relayer/transactions.ts'
import {
  assignItems,
  endItems,
  lockDueItems,
  type WorkItem,
  type WorkKindName,
} from '../../store/relayer/workItems.ts'
import type { SendingTurn } from './context.ts'
import { type ItemFailure, idsOf } from './kinds/kind.ts'
import { kindOf } from './kinds/table.ts'
import { signAttempt, type Unsigned } from './signing.ts'
import { transact } from './transact.ts'

/** The most gas that a transaction may have: EIP-7825. */
const TX_GAS_MAX = 16_777_216n

export interface Assigned {
  readonly txId: bigint
  readonly accountNonce: bigint
  readonly hash: Hex
  readonly raw: Hex
  readonly gasLimit: bigint
  readonly items: number
}

/** How many items of a kind fit into one transaction of at most `gas`. */
export function batchLimit(kind: WorkKindName, batchMax: number, gas: bigint): number {
  const { base, perItem } = kindOf(kind).gas
  const room = min(gas, TX_GAS_MAX) - base
  return room < perItem ? 0 : Math.min(Number(room / perItem), batchMax)
}

/**
 * Binds waiting items to the key's next account nonce, in one database transaction: the lease and
 * its fence are checked under a lock, items are picked, the call is signed and stored. Nothing is
 * sent. Null when nothing waits, when the lease is no longer ours, or when a lock was not to be had.
 */
export async function assignBatch(
  turn: SendingTurn,
  lease: Lease,
  kindName: WorkKindName,
  limit: number,
): Promise<Assigned | null> {
  const account = turn.accounts.get(lease.address)
  if (account === undefined) throw new Error(`${lease.address} is leased without its key`)
  const kind = kindOf(kindName)
  const assigned = await transact(turn, async (sql) => {
    const [key, due] = await Promise.all([
      lockLeasedKey(sql, lease),
      lockDueItems(sql, lease.networkId, kindName, limit),
    ])
    if (key?.status !== 'active' || due.length === 0) return null
    const call = await kind.prepare(turn, sql, fitting(due))
    await reviewUnusable(turn, sql, call.unusable)
    const { items } = call
    if (items.length === 0) return null
    const unsigned: Unsigned = {
      chainId: turn.client.chain.chainId,
      accountNonce: key.nextNonce,
      target: call.target,
      calldata: call.calldata,
      gasLimit: kind.gas.base + kind.gas.perItem * BigInt(items.length),
    }
    const signed = await signAttempt(account, unsigned, turn.fees)
    const { networkId, address } = lease
    const txId = await insertTransaction(sql, { ...unsigned, networkId, address, kind: kindName })
    await Promise.all([
      insertAttempt(sql, { id: txId, networkId }, 1, signed),
      assignItems(sql, idsOf(items), txId),
      takeNonce(sql, lease, key.nextNonce),
    ])
    await turn.step('before_assign_commit')
    return { ...unsigned, txId, hash: signed.hash, raw: signed.raw, items: items.length }
  })
  if (assigned !== null) await turn.step('assigned')
  return assigned
}

/** As many items, in order, as every one of them allows in its transaction. */
function fitting(items: readonly WorkItem[]): WorkItem[] {
  const batch: WorkItem[] = []
  let limit = Number.MAX_SAFE_INTEGER
  for (const item of items) {
    const tighter = Math.min(item.batchLimit, limit)
    if (batch.length >= tighter) continue
    limit = tighter
    batch.push(item)
  }
  return batch
}

/** Rows that contradict each other are a fault of ours: a person looks, nothing is sent. */
async function reviewUnusable(
  { log }: SendingTurn,
  sql: Transaction,
  unusable: readonly ItemFailure[],
): Promise<void> {
  for (const { item, reason } of unusable) {
    log.error({ item: item.id, kind: item.kind, reason }, 'a work item needs a person')
    await endItems(sql, [item.id], 'review', reason)
  }
}
