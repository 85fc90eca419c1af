import { size } from 'viem'
import { max } from '../../core/base/integers.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { WalletFactory } from '../../core/chain/walletFactory.ts'
import { forwarderAddress } from '../../core/hub/deposit.ts'
import type { Transaction } from '../../store/database/database.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'
import { readSettles, type SettleRow } from '../../store/x402/work.ts'
import { idsOf } from '../relayer/kind.ts'
import { factoryProblem } from './deployments.ts'
import { mayShare } from './permits.ts'

/** Which of the payments that wait go out together. */

/** Chain time that must be left before an authorization expires, for its block to be made, in s. */
const TIME_LEFT = 2n

/** How far the clock of a chain may be behind ours, in s: a payment that comes too early costs gas. */
const CLOCK_SKEW = 1n
/** How long payments wait that the next block can't carry yet, in s. */
export const UNTIL_VALID_S = 1

/** The most bytes of payments in a call: nodes refuse transactions above 128 KiB. */
const CALL_BYTES_MAX = 100_000
/** More than a payment takes besides its signature. */
const PAYMENT_BYTES = 512

interface ChoiceTerms {
  /** Of the newest block, in Unix seconds. */
  readonly time: bigint
  /** The clock's, in Unix seconds: on a chain that was idle the next block has it. */
  readonly now: bigint
  readonly factories: readonly WalletFactory[]
  /** Whether a transaction has room for so many payments of the first one's kind, to so many payees. */
  fits(first: SettleRow, payments: number, payees: number): boolean
}

/**
 * The payments of one token and hub, in the order of merchants, that still have time enough. Wallets'
 * signatures can be long: those that would make the call too large wait for the next one, as do those
 * that would need more gas than there is.
 */
export async function chosen(
  sql: Transaction,
  items: readonly WorkItem[],
  { time, now, factories, fits }: ChoiceTerms,
) {
  const rows = new Map((await readSettles(sql, idsOf(items))).map((row) => [row.itemId, row]))
  const batch: SettleRow[] = []
  const payees = new Set<Address>()
  const isPayee = payeeCheck()
  let bytes = 0
  const late: bigint[] = []
  const early: bigint[] = []
  const unusable: { item: WorkItem; reason: string }[] = []
  for (const item of items) {
    const row = rows.get(item.id)
    const [first = row] = batch
    const problem = row ? factoryProblem(row.deployment, factories) : null
    if (row?.status !== 'pending') {
      unusable.push({ item, reason: `its payment is ${row?.status ?? 'missing'}, not pending` })
    } else if (!row.isDirect && !isPayee(row)) {
      unusable.push({ item, reason: `its payTo is neither its merchant's forwarder nor its own` })
    } else if (problem !== null) unusable.push({ item, reason: problem })
    else if (row.authorization.validBefore <= time + TIME_LEFT) late.push(item.id)
    // The next block may still be of the newest one's second, and the chain's clock behind ours.
    else if (row.authorization.validAfter >= max(time, now - CLOCK_SKEW)) early.push(item.id)
    else if (
      first !== undefined &&
      mayShare(first, row) &&
      bytes + bytesOf(row) <= CALL_BYTES_MAX &&
      fits(first, batch.length + 1, payees.size + (payees.has(row.authorization.to) ? 0 : 1))
    ) {
      batch.push(row)
      payees.add(row.authorization.to)
      bytes += bytesOf(row)
    }
  }
  // The hub looks up a merchant's forwarder once for all payments that follow each other.
  batch.sort((a, b) => a.merchantId.localeCompare(b.merchantId))
  return { batch, payees: payees.size, late, early, unusable }
}

/** Whether a payment goes to its merchant's forwarder, whose address is derived once for each merchant. */
function payeeCheck(): (row: SettleRow) => boolean {
  const known = new Map<string, Address>()
  return ({ hub, merchantId, authorization }) => {
    const key = `${hub} ${merchantId}`
    const address = known.get(key) ?? forwarderAddress(hub, merchantId)
    known.set(key, address)
    return authorization.to === address
  }
}

function bytesOf({ signature }: SettleRow): number {
  return PAYMENT_BYTES + size(signature)
}
