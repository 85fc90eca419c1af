import { type TokenDecimals, tokenDecimals } from '../base/money.ts'
import { type Address, ZERO_ADDRESS } from '../chain/evm.ts'
import { type Chain, tokenAt } from '../chain/registry.ts'
import type { ReportedTransaction } from '../invoice/report.ts'

/** A merchant's money in double entry: each movement takes as much from some accounts as it gives to others. */

/**
 * Where money is, where it came from, and what became of it. `deposits` and `forwarder` hold what is not with
 * the merchant yet; the rest is as bookkeepers have it, from the merchant's side.
 */
export type Account =
  | 'deposits'
  | 'forwarder'
  | 'treasury'
  | 'sales'
  | 'late_payments'
  | 'other_deposits'
  | 'x402_sales'
  | 'own_addresses'
  | 'fees'
  | 'fees_owed'
  | 'refunds'

export interface Posting {
  readonly account: Account
  /** In base units: above zero what is gained, below zero what is given. */
  readonly amount: bigint
}

/** All postings of an entry are in one commodity, and their sum is zero. */
export interface Entry {
  /** By UTC, of the confirmation. */
  readonly at: Date
  readonly type: ReportedTransaction['type']
  readonly id: string
  /** The invoice's reference; null for what belongs to none. */
  readonly reference: string | null
  readonly externalRef: string | null
  readonly networkId: string
  readonly token: Address
  readonly commodity: string
  readonly decimals: TokenDecimals
  readonly txHash: string | null
  readonly postings: readonly Posting[]
}

/** A token of unknown decimals is booked in its smallest unit. */
const INDIVISIBLE = tokenDecimals(0)

/** The entry of a transaction; null for what is not confirmed, which may still change. */
export function entryOf(row: ReportedTransaction, chains: readonly Chain[]): Entry | null {
  if (row.confirmedAt === null || row.status === 'failed' || row.status === 'reverted') return null
  const token = tokenAt(row, chains)
  return {
    at: row.confirmedAt,
    type: row.type,
    id: row.id,
    reference: row.invoiceRef,
    externalRef: row.externalRef,
    networkId: row.networkId,
    token: row.token,
    commodity: commodityOf(row.token, token?.symbol),
    decimals: token?.decimals ?? INDIVISIBLE,
    txHash: row.txHash,
    postings: postingsOf(row).filter(({ amount }) => amount !== 0n),
  }
}

function postingsOf({ type, amount, fee, owed }: ReportedTransaction): Posting[] {
  const move = (from: Account, to: Account): Posting[] => [
    { account: to, amount },
    { account: from, amount: -amount },
  ]
  // A fee that stays behind is spent, and owed until it is charged.
  const payOut = (from: Account, remitted: bigint, charged: bigint): Posting[] => [
    { account: 'treasury', amount: remitted },
    { account: 'fees', amount: charged + owed },
    { account: 'fees_owed', amount: -owed },
    { account: from, amount: -remitted - charged },
  ]
  switch (type) {
    case 'payment':
      return move('sales', 'deposits')
    case 'late_payment':
      return move('late_payments', 'deposits')
    case 'other_deposit':
      return move('other_deposits', 'deposits')
    case 'settlement':
      return payOut('deposits', amount - fee, fee - owed)
    case 'refund':
      return move('deposits', 'refunds')
    case 'external_refund':
      return move('treasury', 'refunds')
    case 'x402_payment':
      return move('x402_sales', 'forwarder')
    case 'x402_direct':
      return [
        ...move('x402_sales', 'own_addresses'),
        { account: 'fees', amount: owed },
        { account: 'fees_owed', amount: -owed },
      ]
    case 'x402_refund':
      return move('forwarder', 'refunds')
    case 'x402_payout':
      return payOut('forwarder', amount - fee, fee)
  }
}

/** Letters, digits and dashes: what double-entry programs take for a commodity. */
function commodityOf(token: Address, symbol: string | undefined): string {
  const name = symbol?.toUpperCase().replaceAll(/[^A-Z0-9]/g, '-')
  if (name !== undefined && /^[A-Z][A-Z0-9-]{0,22}[A-Z0-9]$/.test(name)) return name
  if (token === ZERO_ADDRESS) return 'COIN'
  return `T${token.slice(2, 22).toUpperCase()}`
}
