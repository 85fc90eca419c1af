import type { HubMovement } from '../../chain/hub/movements.ts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { ownAttempts, wasForgotten } from '../../store/books/audit.ts'
import { minedSweepsAfter, type SweepRecord, sweepsOf } from '../../store/books/reconciliation.ts'
import type { Comparison } from './comparison.ts'
import { unmatchedRecords } from './pages.ts'
import { sweepRecipients } from './sweepRecipients.ts'
import { contradictions } from './words.ts'

/** Compares sweep events with settlements. `matched` collects the ids of matching settlements. */
export async function matchSweeps(
  comparison: Comparison,
  events: readonly HubMovement[],
  matched: Set<string>,
): Promise<void> {
  const { database, client, totals, note } = comparison
  const { networkId } = client.chain
  const [records, own, recipients] = await Promise.all([
    sweepsOf(database, networkId, [...new Set(events.map((event) => event.source))]),
    ownAttempts(database, networkId, [...new Set(events.map((event) => event.txHash))]),
    sweepRecipients(comparison, events),
  ])
  const recordsOf = Map.groupBy(records, (record) => `${record.deposit} ${record.token}`)
  for (const event of events) {
    const sums = totals.get(event.token)
    const candidates = recordsOf.get(`${event.source} ${event.token}`) ?? []
    const record = candidates.find(
      (r) => isMined(r) && r.txHash === event.txHash && !matched.has(r.id),
    )
    if (record) {
      matched.add(record.id)
      compareOne(comparison, record, event, recipients.get(event) ?? null)
    } else if (candidates.length === 0 && (await isForgotten(comparison, event))) {
      note(
        `${event.txHash} on ${networkId} swept ${event.source} for an invoice that the ledger has lost`,
      )
      continue
    } else reportUnbooked(comparison, candidates, event)
    if (sums) sums.feesOnChain += event.fee
    if (!own.has(event.txHash)) {
      note(`${event.txHash} on ${networkId} swept ${event.source} and was not sent by our relayers`)
    }
  }
}

/** Sent by our relayer, which was reactivated since: the invoice was lost. */
async function isForgotten(
  { database, client }: Comparison,
  { txHash }: HubMovement,
): Promise<boolean> {
  const { from, nonce } = await client.rpc.getTransaction({ hash: txHash })
  return wasForgotten(database, client.chain.networkId, lowerCaseAddress(from), BigInt(nonce))
}

function isMined({ status }: SweepRecord): boolean {
  return status === 'mined' || status === 'confirmed'
}

/** Every field of a settlement that differs from its event. */
function compareOne(
  { differ }: Comparison,
  record: SweepRecord,
  event: HubMovement,
  recipient: Address | null,
): void {
  const words = contradictions([
    ['the recipient received', record.amount - record.fee, event.amount],
    ['the collector received', record.fee - record.feeOwed, event.fee],
    ['the recipient is', record.recipient, recipient],
    ['the block is', record.blockNumber, event.blockNumber],
    ['its hash is', record.blockHash, event.blockHash],
  ])
  if (words.length === 0) return
  const subject = { ...subjectOf(event, record), ledger: record.amount - record.feeOwed }
  const message = `round ${record.round} of invoice ${record.invoiceId}: ${words.join('; ')}`
  differ('sweep_differs', subject, message)
}

/** Reports a sweep without a mined settlement, with the ledger's record. */
function reportUnbooked(
  { differ }: Comparison,
  candidates: readonly SweepRecord[],
  event: HubMovement,
): void {
  const gross = event.amount + event.fee
  const same = candidates.filter((record) => record.amount - record.feeOwed === gross)
  const record =
    same.find(({ status }) => status === 'open') ?? same.find(({ status }) => status === 'failed')
  const subject = subjectOf(event, record)
  const what = `${event.txHash} swept ${gross} base units from ${event.source}`
  if (!record) differ('sweep_without_settlement', subject, `${what}; the ledger has none`)
  else if (record.status === 'open') {
    differ('sweep_not_booked', subject, `${what}; it is open in the ledger`)
  } else {
    const message = `${what}; this sweep has failed in the ledger`
    differ('failed_sweep_moved_money', subject, message)
  }
}

function subjectOf(event: HubMovement, record?: SweepRecord) {
  return {
    address: event.source,
    token: event.token,
    txHash: event.txHash,
    ...(record && { invoiceId: record.invoiceId, settlementId: record.id }),
    ledger: 0n,
    chain: event.amount + event.fee,
  }
}

/** Settlements that are mined in the ledger but have no event of the hub. */
export async function reportUnmatchedSweeps(
  { database, client, block, differ }: Comparison,
  matched: ReadonlySet<string>,
): Promise<void> {
  const unmatched = unmatchedRecords(matched, (after, limit) =>
    minedSweepsAfter(database, client.chain.networkId, block, after, limit),
  )
  for await (const { id, invoiceId, deposit, token, txHash, ...record } of unmatched) {
    differ(
      'settlement_without_sweep',
      {
        invoiceId,
        settlementId: id,
        address: deposit,
        token,
        txHash: txHash ?? undefined,
        ledger: record.amount - record.feeOwed,
        chain: 0n,
      },
      `round ${record.round} of invoice ${invoiceId} is ${record.status} in the ledger, but ${txHash ?? 'no transaction'} swept nothing from ${deposit}`,
    )
  }
}
