import { type HubMovement, hubMovements } from '../../../chain/hub/movements.ts'
import { readInRanges } from '../../../chain/ranges.ts'
import { formatAmount } from '../../../core/money.ts'
import { ownAttempts } from '../../../store/books/audit.ts'
import {
  minedSweepsAfter,
  type SweepRecord,
  sweepsOf,
} from '../../../store/books/reconciliation.ts'
import type { Scene } from '../findings/comparison.ts'
import { contradictions } from '../findings/contradictions.ts'
import { unmatchedRecords } from '../findings/pages.ts'
import type { Difference } from '../findings/report.ts'
import { matchRefunds, reportUnmatchedRefunds } from './refunds.ts'

/**
 * Compares settlements and refunds with the hub's events, one by one and in both directions, and the
 * fees that the collector received with those that the ledger booked. Returns how many sweeps there were.
 */
export async function compareSweeps(scene: Scene): Promise<number> {
  const { client, hubs, block, findings } = scene
  const matched = new Set<string>()
  const matchedRefunds = new Set<string>()
  let count = 0
  const pieces = readInRanges(BigInt(client.chain.startBlock), block, (from, to) =>
    hubMovements(client.rpc, hubs, from, to),
  )
  for await (const movements of pieces) {
    const swept = movements.filter((movement) => movement.type === 'swept')
    count += swept.length
    if (movements.length > 0) await matchPiece(scene, movements, matched)
    const refunded = movements.filter((movement) => movement.type === 'refunded')
    if (refunded.length > 0) await matchRefunds(scene, refunded, matchedRefunds)
  }
  await reportUnmatched(scene, matched)
  await reportUnmatchedRefunds(scene, matchedRefunds)
  for (const totals of scene.totals.values()) {
    if (totals.fees === totals.feesOnChain) continue
    const show = (amount: bigint) => formatAmount(amount, totals.decimals)
    findings.differences.push({
      kind: 'fees_differ',
      networkId: totals.networkId,
      token: totals.token,
      ledger: totals.fees,
      chain: totals.feesOnChain,
      message: `sweeps brought the collector ${show(totals.feesOnChain)} ${totals.symbol}, the ledger says ${show(totals.fees)}`,
    })
  }
  return count
}

async function matchPiece(
  scene: Scene,
  movements: readonly HubMovement[],
  matched: Set<string>,
): Promise<void> {
  const { database, client, totals, findings } = scene
  const { networkId } = client.chain
  const swept = movements.filter((movement) => movement.type === 'swept')
  const [records, own] = await Promise.all([
    sweepsOf(database, networkId, [...new Set(swept.map((event) => event.source))]),
    ownAttempts(database, networkId, [...new Set(swept.map((event) => event.txHash))]),
  ])
  const recordsOf = Map.groupBy(records, (record) => `${record.deposit} ${record.token}`)
  for (const event of swept) {
    const sums = totals.get(event.token)
    if (sums) sums.feesOnChain += event.fee
    const candidates = recordsOf.get(`${event.source} ${event.token}`) ?? []
    const record = candidates.find(
      (r) => isMined(r) && r.txHash === event.txHash && !matched.has(r.id),
    )
    if (record) {
      matched.add(record.id)
      findings.differences.push(...compareOne(networkId, record, event))
    } else findings.differences.push(unbooked(networkId, candidates, event))
    if (!own.has(event.txHash)) {
      findings.notices.push(
        `${event.txHash} on ${networkId} swept ${event.source} and is not among the transactions of our relayers`,
      )
    }
  }
}

function isMined(record: SweepRecord): boolean {
  return record.status === 'mined' || record.status === 'confirmed'
}

/** Every field of a settlement that its event contradicts. */
function compareOne(networkId: string, record: SweepRecord, event: HubMovement): Difference[] {
  const words = contradictions([
    ['the recipient got', record.amount - record.fee, event.amount],
    ['the collector got', record.fee - record.feeOwed, event.fee],
    ['the recipient is', record.recipient, event.recipient],
    ['the block is', record.blockNumber, event.blockNumber],
    ['its hash is', record.blockHash, event.blockHash],
  ])
  if (words.length === 0) return []
  return [
    {
      ...about(networkId, event),
      kind: 'sweep_differs',
      invoiceId: record.invoiceId,
      settlementId: record.id,
      ledger: record.amount - record.feeOwed,
      chain: event.amount + event.fee,
      message: `round ${record.round} of invoice ${record.invoiceId}: ${words.join('; ')}`,
    },
  ]
}

/** A sweep that no mined settlement stands for, and what the ledger has instead. */
function unbooked(
  networkId: string,
  candidates: readonly SweepRecord[],
  event: HubMovement,
): Difference {
  const gross = event.amount + event.fee
  const same = candidates.filter((record) => record.amount - record.feeOwed === gross)
  const open = same.find((record) => record.status === 'open')
  const failed = same.find((record) => record.status === 'failed')
  const record = open ?? failed
  const base = {
    ...about(networkId, event),
    ledger: 0n,
    chain: gross,
    ...(record ? { invoiceId: record.invoiceId, settlementId: record.id } : {}),
  }
  const what = `${event.txHash} swept ${gross} base units out of ${event.source}`
  if (open) return { ...base, kind: 'sweep_not_booked', message: `${what}; the ledger still waits` }
  if (failed) {
    return {
      ...base,
      kind: 'failed_sweep_moved_money',
      message: `${what}; the ledger says that this sweep failed`,
    }
  }
  return { ...base, kind: 'sweep_without_settlement', message: `${what}; the ledger has none` }
}

function about(networkId: string, event: HubMovement) {
  return { networkId, address: event.source, token: event.token, txHash: event.txHash }
}

/** Settlements that say they were mined although the hub never said so. */
async function reportUnmatched(scene: Scene, matched: ReadonlySet<string>): Promise<void> {
  const { database, client, block, findings } = scene
  const { networkId } = client.chain
  const unmatched = unmatchedRecords(matched, (after, limit) =>
    minedSweepsAfter(database, networkId, block, after, limit),
  )
  for await (const record of unmatched) {
    findings.differences.push({
      kind: 'settlement_without_sweep',
      networkId,
      invoiceId: record.invoiceId,
      settlementId: record.id,
      address: record.deposit,
      token: record.token,
      ...(record.txHash ? { txHash: record.txHash } : {}),
      ledger: record.amount - record.feeOwed,
      chain: 0n,
      message: `round ${record.round} of invoice ${record.invoiceId} is ${record.status} in the ledger, but ${record.txHash ?? 'no transaction'} swept nothing out of ${record.deposit}`,
    })
  }
}
