import { dataGasOf } from '../../chain/transactions/arbitrum.ts'
import type { BatchGas, ChainGas } from '../../core/chain/gas.ts'
import type { Transaction } from '../../store/database/database.ts'
import { insertAttempt, type NewAttempt } from '../../store/relayer/attempts.ts'
import { waitForHub } from '../../store/relayer/hubWaits.ts'
import { type Lease, lockLeasedKey, takeNonce } from '../../store/relayer/keys.ts'
import { insertTransaction } from '../../store/relayer/transactions.ts'
import { assignItems, lockDueItems, type WorkItem } from '../../store/relayer/workItems.ts'
import { faultOf } from '../turns/isolation.ts'
import type { SendingTurn } from './context.ts'
import { figuresFor } from './gas.ts'
import { type Examined, idsOf, kindOf } from './kind.ts'
import { signAttempt, type Unsigned } from './signing.ts'
import { itemName, quarantinedItems } from './stages.ts'
import { transactSigned } from './transact.ts'
import { reviewItems } from './transition.ts'

interface Assigned extends Unsigned, NewAttempt {
  readonly txId: bigint
  readonly items: readonly bigint[]
}

/** How much may go into one transaction. */
export interface Room {
  readonly items: number
  readonly gas: bigint
}

/** How many items of a batch fit. */
export function batchSize({ base, perItem }: BatchGas, room: Room): number {
  const gas = room.gas - base
  return gas < perItem ? 0 : Math.min(Number(gas / perItem), room.items)
}

/**
 * Binds waiting items to the key's next account nonce, in one database transaction: the lease and
 * its fence are checked under a lock, items are picked, the call is signed and stored. Nothing is
 * sent. Null when nothing waits, when the lease is no longer ours, or when a lock was not to be had.
 */
async function assign(
  turn: SendingTurn,
  lease: Lease,
  kindName: string,
  room: Room,
  own: OwnItems,
): Promise<Assigned | null> {
  const account = turn.accounts.get(lease.address)
  if (account === undefined) throw new Error(`${lease.address} is leased without its key`)
  const kind = kindOf(turn, kindName)
  const { examined, gas, isTaken, size } = await lookAt(turn, kindName, room, own)
  if (size === 0) return null
  const assigned = await transactSigned(turn, async (sql, sign) => {
    const [key, due] = await Promise.all([
      lockLeasedKey(sql, lease),
      lockDue(turn, sql, kindName, size, own),
    ])
    if (key?.status !== 'active' || due.length === 0) return null
    const taken = own.keep(fitting(own.of(due).filter(isTaken)))
    const call = await kind.prepare({ ...turn, gas, room: room.gas, sign }, sql, taken, examined)
    // Rows that contradict each other are a fault of ours.
    await reviewItems(turn, sql, call.unusable)
    const { items, waiting = [] } = call
    await waitForHub(sql, waiting)
    for (const { itemId, wait, reason } of waiting) {
      // Only the operator can give refunds more room, or approve them.
      if (wait === 'refund_limit') turn.alarms.raise('refund_waits', itemName(itemId), reason)
    }
    if (items.length === 0) return null
    const unsigned: Unsigned = {
      chainId: turn.client.chain.chainId,
      accountNonce: key.nextNonce,
      target: call.target,
      calldata: call.calldata,
      gasLimit: call.gasLimit + dataGasOf(turn.dataGasPerByte, call.calldata),
    }
    const signed = await signAttempt(sign, account, unsigned, turn.fees)
    const { networkId, address } = lease
    const txId = await insertTransaction(sql, {
      ...unsigned,
      ...{ networkId, address, kind: kindName, itemCount: items.length },
    })
    await Promise.all([
      insertAttempt(sql, { id: txId, networkId }, 1, signed),
      assignItems(sql, idsOf(items), txId),
      takeNonce(sql, lease, key.nextNonce),
    ])
    await turn.step('before_assign_commit')
    return { ...unsigned, ...signed, txId, items: idsOf(items) }
  }).finally(() => own.release())
  if (assigned === null) return null
  await turn.guard?.raise(lease.address, assigned.accountNonce + 1n)
  for (const id of assigned.items) turn.work.forget('assign', itemName(id))
  await turn.step('assigned')
  return assigned
}

/**
 * The items of one assignment: of all that are due, or of some that are tried alone. While they are signed for they are
 * not locked: this process binds them to no other transaction meanwhile, and once they are signed for no more are added.
 */
class OwnItems {
  /** All that it has come to. */
  readonly seen = new Set<bigint>()
  private ids: ReadonlySet<bigint> | null = null

  constructor(
    private readonly preparing: Set<bigint>,
    private readonly only: ReadonlySet<bigint> | null = null,
  ) {}

  /** The items that other assignments of this process are about. */
  others(): bigint[] {
    return [...this.preparing].filter((id) => !this.ids?.has(id))
  }

  /** Those of the due items that it is about. */
  of(due: readonly WorkItem[]): WorkItem[] {
    const chosen = due.filter(({ id }) => this.only?.has(id) ?? true)
    for (const { id } of chosen) this.seen.add(id)
    return chosen
  }

  /** Takes these, or those of them that were taken before. */
  keep(items: readonly WorkItem[]): WorkItem[] {
    const { ids } = this
    if (ids !== null) return items.filter(({ id }) => ids.has(id))
    this.ids = new Set(idsOf(items))
    for (const id of this.ids) this.preparing.add(id)
    return [...items]
  }

  release(): void {
    for (const id of this.ids ?? []) this.preparing.delete(id)
  }
}

/** What examining the due items has shown, before any of them is assigned. */
interface Look {
  readonly examined: ReadonlyMap<bigint, Examined>
  /** The figures for them, by what their tokens cost. */
  readonly gas: ChainGas
  /** How many of them fit into one transaction by these figures. */
  readonly size: number
  isTaken(item: WorkItem): boolean
}

/** Examines the items that are due, outside of any transaction: a node may take long to answer. */
async function lookAt(
  turn: SendingTurn,
  kindName: string,
  room: Room,
  own: OwnItems,
): Promise<Look> {
  const kind = kindOf(turn, kindName)
  const figures = turn.client.chain.gas
  const most = batchSize(kind.gas(figures), room)
  if (kind.examine === undefined && kind.outflows === undefined) {
    return { examined: new Map(), gas: figures, size: most, isTaken: () => true }
  }
  const quarantine = (id: bigint, why: string) =>
    turn.work.put('assign', itemName(id), new Error(why))
  const due = own.of(await turn.database.begin((sql) => lockDue(turn, sql, kindName, most, own)))
  const examined = await kind.examine?.(turn, due)
  for (const { id } of examined === undefined ? [] : due) {
    const found = examined?.get(id)
    const why = found === undefined ? 'the chain does not show yet what it is about' : found.held
    if (why !== undefined) quarantine(id, why)
  }
  const outflows = (await kind.outflows?.(turn.database, due)) ?? []
  const { gas, dear } = await figuresFor(turn, outflows)
  const size = batchSize(kind.gas(gas), room)
  for (const { itemId, token } of size === 0 ? outflows : []) {
    const why = 'its token costs more gas than the key can pay for, or nodes let through'
    if (dear.has(token)) quarantine(itemId, why)
  }
  const seen = new Set(idsOf(due))
  return { examined: examined ?? new Map(), gas, size, isTaken: ({ id }) => seen.has(id) }
}

/** Locks items of a kind that may go out together, without quarantined ones and those in preparation. */
function lockDue(
  turn: SendingTurn,
  sql: Transaction,
  kindName: string,
  limit: number,
  own: OwnItems,
): Promise<WorkItem[]> {
  const { lockDue: ofKind } = kindOf(turn, kindName)
  const without = [...quarantinedItems(turn.work, 'assign'), ...own.others()]
  if (ofKind !== undefined) return ofKind(sql, turn.networkId, limit, without)
  return lockDueItems(sql, turn.networkId, kindName, limit, without)
}

/**
 * Binds waiting items as `assign` does. When that fails by the fault of some of them, halves of them are tried,
 * down to the single item, which is quarantined. The first that can be bound go out, and the others after them.
 */
export async function assignBatch(
  turn: SendingTurn,
  lease: Lease,
  kindName: string,
  room: Room,
): Promise<Assigned | null> {
  const all = new OwnItems(turn.memory.preparing)
  try {
    return await assign(turn, lease, kindName, room, all)
  } catch (error) {
    const fault = await faultOf(error, turn.probe)
    if (fault === 'everyone') throw error
    if (fault === 'passing' && !turn.work.quarantine.lose(`assign ${kindName}`, error)) return null
    const ids = [...all.seen]
    if (ids.length === 0) turn.work.put('assign', kindName, error)
    return turn.work.firstOfHalves('assign', ids, itemName, error, (some) => {
      const own = new OwnItems(turn.memory.preparing, new Set(some))
      return assign(turn, lease, kindName, room, own)
    })
  }
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
