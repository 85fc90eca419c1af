import { isoFrom } from '../../core/base/instant.ts'
import { formatAmount } from '../../core/base/money.ts'
import { formatCursor } from '../../core/base/page.ts'
import { type Address, checksumAddress } from '../../core/chain/evm.ts'
import { type Chain, tokenAt } from '../../core/chain/registry.ts'
import type { EndpointRevenueRow } from '../../store/books/endpointRevenue.ts'
import type { HubEventRow } from '../../store/books/hubEvents.ts'
import type { MovementPage, MovementRow } from '../../store/books/movements.ts'
import type { PayerRow } from '../../store/books/payers.ts'
import { MOST_ADDED_UP } from '../../store/books/readScope.ts'
import type { SettleTimeRow } from '../../store/books/settleTimes.ts'
import type { VolumeRow } from '../../store/books/volume.ts'

/** Rows in the form of the schema: amounts in base units and decimals, addresses with checksums. */

type Chains = readonly Chain[]
/** A token on a chain. */
type Place = { readonly networkId: string; readonly token: Address }

/** How amounts of a token are shown. */
function amounts(place: Place, chains: Chains) {
  const token = tokenAt(place, chains)
  return (units: bigint) => ({
    units: units.toString(),
    decimal: token ? formatAmount(units, token.decimals) : null,
  })
}

function tokenOf(place: Place, chains: Chains) {
  const symbol = tokenAt(place, chains)?.symbol ?? null
  return { address: checksumAddress(place.token), symbol }
}

/** A count: far below 2^53. */
function count(of: bigint): number {
  return Number(of)
}

export function presentVolume(row: VolumeRow, chains: Chains) {
  const amount = amounts(row, chains)
  const { merchantId, merchantName } = row
  return {
    day: row.day,
    merchant: merchantId === null ? null : { id: merchantId, name: merchantName ?? '' },
    chain: row.networkId,
    token: tokenOf(row, chains),
    payments: count(row.payments),
    received: amount(row.received),
    late: amount(row.late),
    settlements: count(row.settlements),
    remitted: amount(row.remitted),
    fees: amount(row.fees),
    refunds: count(row.refunds),
    refunded: amount(row.refunded),
    externalRefunds: count(row.externalRefunds),
    externallyRefunded: amount(row.externallyRefunded),
    x402Payments: count(row.x402Payments),
    x402Received: amount(row.x402Received),
    x402Direct: amount(row.x402Direct),
    x402Refunds: count(row.x402Refunds),
    x402Refunded: amount(row.x402Refunded),
    x402Payouts: count(row.x402Payouts),
    x402Remitted: amount(row.x402Remitted),
    x402Fees: amount(row.x402Fees),
    x402FeesOwed: amount(row.x402FeesOwed),
  }
}

export function presentEndpointRevenue(row: EndpointRevenueRow, chains: Chains) {
  const { day, merchantId, endpointId, url } = row
  return {
    ...{ day, merchantId, endpointId, url },
    chain: row.networkId,
    token: tokenOf(row, chains),
    payments: count(row.payments),
    revenue: amounts(row, chains)(row.revenue),
  }
}

export function presentTopPayers(rows: readonly PayerRow[], chains: Chains) {
  const added = rows[0]?.added ?? 0n
  const isComplete = added <= BigInt(MOST_ADDED_UP)
  return {
    payers: rows.map((row) => ({
      address: checksumAddress(row.payer),
      chain: row.networkId,
      token: tokenOf(row, chains),
      payments: count(row.payments),
      paid: amounts(row, chains)(row.paid),
    })),
    addedUp: isComplete ? count(added) : MOST_ADDED_UP,
    isComplete,
  }
}

export function presentSettleTime(row: SettleTimeRow) {
  const seconds = (ms: bigint) => Number(ms) / 1_000
  return {
    kind: row.kind,
    chain: row.networkId,
    settled: count(row.settled),
    median: seconds(row.medianMs),
    p95: seconds(row.p95Ms),
    slowest: seconds(row.slowestMs),
  }
}

export function presentMovements({ movements, next }: MovementPage, chains: Chains) {
  return {
    items: movements.map((row) => presentMovement(row, chains)),
    next: next && formatCursor(next),
  }
}

function presentMovement(row: MovementRow, chains: Chains) {
  const amount = amounts(row, chains)
  const { id, merchantId, invoiceId, status, txHash, method, eventBlock, eventAmount } = row
  const isOnChain = eventBlock !== null && eventAmount !== null
  return {
    ...{ id, merchantId, invoiceId, status, txHash, method },
    chain: row.networkId,
    token: tokenOf(row, chains),
    amount: amount(row.amount),
    fee: amount(row.fee),
    feeOwed: amount(row.feeOwed),
    receiver: checksumAddress(row.receiver),
    at: row.createdAt.toISOString(),
    confirmedAt: isoFrom(row.createdAt, row.confirmedAt),
    onChain: isOnChain ? { block: eventBlock.toString(), amount: amount(eventAmount) } : null,
  }
}

export function presentHubEvent(row: HubEventRow, chains: Chains) {
  const { networkId, token, txHash, logIndex, merchantId, ledgerId } = row
  const place = token === null ? null : { networkId, token }
  const address = (of: Address | null) => of && checksumAddress(of)
  const amount = (of: bigint | null) =>
    place === null || of === null ? null : amounts(place, chains)(of)
  return {
    ...{ txHash, logIndex, merchantId, ledgerId },
    kind: row.kind.toUpperCase(),
    chain: networkId,
    block: row.blockNumber.toString(),
    at: new Date(Number(row.blockTimestamp) * 1_000).toISOString(),
    account: address(row.account),
    token: place && tokenOf(place, chains),
    receiver: address(row.receiver),
    amount: amount(row.amount),
    fee: amount(row.fee),
  }
}
