import { type TracedItem, tracedItems } from '../../store/database/traces.ts'
import type { RelayerTurn } from './context.ts'

/** Spans of a transaction for a trace collector: only where there is one, and after the rows are committed. */

/** How the items came into their transaction, and that into a block. */
export function traceMined(turn: RelayerTurn, txId: bigint, hash: string): Promise<void> {
  return eachTraced(turn, txId, (item, about) => {
    const { queuedAt, sentAt, minedAt } = item
    if (minedAt === null) return
    turn.tracer?.record(item, { name: 'claim', start: queuedAt, end: sentAt, attributes: about })
    const attributes = { ...about, 'remit.tx_hash': hash }
    turn.tracer?.record(item, { name: 'relayer', start: sentAt, end: minedAt, attributes })
  })
}

/** How the transaction came to the chain's confirmations. */
export function traceConfirmed(turn: RelayerTurn, txId: bigint): Promise<void> {
  return eachTraced(turn, txId, (item, attributes) => {
    const { minedAt, confirmedAt } = item
    if (minedAt === null || confirmedAt === null) return
    turn.tracer?.record(item, { name: 'receipt', start: minedAt, end: confirmedAt, attributes })
  })
}

/** A failed trace stops nothing: money does not wait for it. */
async function eachTraced(
  { tracer, database, networkId, log }: RelayerTurn,
  txId: bigint,
  record: (item: TracedItem, about: Readonly<Record<string, string>>) => void,
): Promise<void> {
  if (tracer === undefined) return
  try {
    for (const item of await tracedItems(database, txId)) {
      const { objectId, kind } = item
      record(item, { 'remit.chain': networkId, 'remit.kind': kind, 'remit.object_id': objectId })
    }
  } catch (error) {
    log.debug({ err: error }, 'a transaction could not be traced')
  }
}
