import { headerAt } from '../../chain/blocks/blocks.ts'
import type { DistributedEvent } from '../../chain/x402/distributions.ts'
import { sum } from '../../core/base/money.ts'
import { shareDistributionFee } from '../../core/x402/feeShares.ts'
import { type BookedPayout, payoutsAfter } from '../../store/books/payouts.ts'
import type { ForwarderAccount, ForwarderComparison } from './forwarderAccounts.ts'
import { unmatchedRecords } from './pages.ts'
import { amountText, contradictions } from './words.ts'

/** Compares a payout of the hub with the ledger; `account` is the state right before it. */
export async function applyPayout(
  comparison: ForwarderComparison,
  account: ForwarderAccount,
  event: DistributedEvent,
  record: BookedPayout | undefined,
): Promise<void> {
  const collected = accountForOutflow(account, event)
  // A collector that receives anything also receives the fees held for it.
  const ownFee = event.fee > 0n ? event.fee - account.feesHeld : event.feeHeld
  account.feesHeld = event.fee > 0n ? 0n : account.feesHeld + event.feeHeld
  if (record) {
    comparison.matched.add(record.id)
    comparePayout(comparison, account, event, record, ownFee)
    account.unattributed = 0n
    account.unattributedFrom = null
    account.wasPaidOut = true
  } else if (await isBeforeLedger(comparison, account, event)) {
    // The ledger can't attribute what this payout left behind.
    account.unattributed = account.balance
    account.unattributedFrom = event.txHash
    account.feesHeld = 0n
    comparison.note(
      `${event.txHash} on ${comparison.client.chain.networkId} paid out the forwarder of merchant ${event.merchantId} before the ledger knew the forwarder`,
    )
    return
  } else reportUnbooked(comparison, account, event)
  const totals = comparison.sums.get(account.token.address)
  if (totals) totals.feesOnChain += collected
}

/**
 * Compares the token's outgoing transfers with the hub's event. Matching transfers are accounted for;
 * returns the collector's part, everything but the treasury's, in base units.
 */
function accountForOutflow(
  account: ForwarderAccount,
  { txHash, remitted, fee }: DistributedEvent,
): bigint {
  const total = sum(
    account.gone.filter((movement) => movement.txHash === txHash).map(({ amount }) => amount),
  )
  if (total !== remitted + fee) return 0n
  account.gone = account.gone.filter((movement) => movement.txHash !== txHash)
  return total - remitted
}

function comparePayout(
  comparison: ForwarderComparison,
  account: ForwarderAccount,
  event: DistributedEvent,
  record: BookedPayout,
  ownFee: bigint,
): void {
  const words = contradictions([
    ['the merchant is', record.merchantId, event.merchantId],
    ['the token is', record.token, event.token],
    ['the treasury is', record.treasury, event.treasury],
    ['the treasury received', record.remitted, event.remitted],
    ['the collector received', record.fee, event.fee],
    ['the fee held is', record.feeHeld, event.feeHeld],
    ['the block is', record.blockNumber, event.block],
    ['its hash is', record.blockHash, event.blockHash],
    ['the unattributed amount is', record.unattributed, account.unattributed],
  ])
  const attributed = sum(record.payments.map(({ amount }) => amount))
  const received = event.remitted + ownFee + record.refunded + (account.wasPaidOut ? 0n : 1n)
  const accounted = attributed + record.unattributed
  if (accounted !== received) {
    words.push(
      `its ${record.payments.length} payments and the rest add up to ${accounted}, the received amount is ${received}`,
    )
  }
  if (ownFee < 0n) words.push('the collector received less than was held for it')
  if (words.length === 0) {
    compareShares(comparison, account, record, ownFee)
    return
  }
  const ledger = record.remitted + record.fee
  const chain = event.remitted + event.fee
  comparison.differ(
    'payout_differs',
    { ...subjectOf(account, record), ledger, chain },
    `payout ${record.id} of ${amountText(event.remitted, account.token)} in ${event.txHash}: ${words.join('; ')}`,
  )
}

/** Recalculates every payment's share of the fee; with the unattributed part they add up to the fee. */
function compareShares(
  { differ }: ForwarderComparison,
  account: ForwarderAccount,
  record: BookedPayout,
  ownFee: bigint,
): void {
  const amounts = record.payments.map(({ amount, refunded }) => amount - refunded)
  const shares = shareDistributionFee(ownFee, amounts, record.unattributed)
  const at = record.payments.findIndex(({ fee }, i) => fee !== (shares[i] ?? 0n))
  const payment = record.payments[at]
  if (!payment) return
  const ledger = sum(record.payments.map(({ fee }) => fee ?? 0n))
  const chain = sum(shares)
  differ(
    'fee_shares_differ',
    { ...subjectOf(account, record), paymentId: payment.id, ledger, chain },
    `the fee of payout ${record.id} is ${ownFee} base units; the shares of its payments add up to ${ledger} instead of ${chain}; the share of payment ${payment.id} is ${payment.fee ?? 'not set'} instead of ${shares[at] ?? 0n}`,
  )
}

/** Payouts that third parties triggered before the ledger had a payment or the forwarder. */
async function isBeforeLedger(
  { client, firstBlock }: ForwarderComparison,
  { forwarder }: ForwarderAccount,
  { block }: DistributedEvent,
): Promise<boolean> {
  if (firstBlock === null || block < firstBlock) return true
  const header = await headerAt(client.rpc, block)
  // Block times are truncated to seconds: the forwarder may have been created within the same second.
  return header !== null && header.time.getTime() + 1_000 <= forwarder.createdAt.getTime()
}

function reportUnbooked(
  { differ }: ForwarderComparison,
  { forwarder, token }: ForwarderAccount,
  { merchantId, txHash, remitted, fee, treasury }: DistributedEvent,
): void {
  differ(
    'payout_not_booked',
    {
      merchantId,
      address: forwarder.address,
      token: token.address,
      txHash,
      ledger: 0n,
      chain: remitted + fee,
    },
    `${txHash} paid out the forwarder of merchant ${merchantId}: ${amountText(remitted, token)} to ${treasury}, ${amountText(fee, token)} to the collector; the ledger has not booked it`,
  )
}

/** Booked payouts without an event of the hub. */
export async function reportUnmatchedPayouts(comparison: ForwarderComparison): Promise<void> {
  const { database, client, block, matched, differ } = comparison
  const unmatched = unmatchedRecords(matched, (after, limit) =>
    payoutsAfter(database, client.chain.networkId, block, after, limit),
  )
  for await (const { id, merchantId, token, txHash, treasury, remitted, fee } of unmatched) {
    differ(
      'payout_without_event',
      { merchantId, token, txHash, ledger: remitted + fee, chain: 0n },
      `payout ${id} to ${treasury} is booked, but ${txHash} has no payout for merchant ${merchantId}`,
    )
  }
}

function subjectOf({ forwarder, token }: ForwarderAccount, { merchantId, txHash }: BookedPayout) {
  return { merchantId, address: forwarder.address, token: token.address, txHash }
}
