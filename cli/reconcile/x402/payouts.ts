import { headerAt } from '../../../chain/blocks.ts'
import type { DistributedEvent } from '../../../chain/hub/distributions.ts'
import { sum } from '../../../core/money.ts'
import { shareFee } from '../../../core/x402/split.ts'
import { type BookedPayout, payoutsAfter } from '../../../store/books/payouts.ts'
import { contradictions } from '../findings/contradictions.ts'
import { unmatchedRecords } from '../findings/pages.ts'
import type { Difference } from '../findings/report.ts'
import { type ForwarderAccount, type ForwarderView, shown } from './accounts.ts'

/** Compares one payout of the hub with the ledger; the account is as it was when it happened. */
export async function applyPayout(
  view: ForwarderView,
  account: ForwarderAccount,
  event: DistributedEvent,
  record: BookedPayout | undefined,
): Promise<void> {
  const collected = accountForOutflow(account, event)
  // A collector that gets anything gets what was held for it, too.
  const ownFee = event.fee > 0n ? event.fee - account.feesHeld : event.feeHeld
  account.feesHeld = event.fee > 0n ? 0n : account.feesHeld + event.feeHeld
  if (record) {
    view.matched.add(record.id)
    const found = differencesOf(view, account, event, record, ownFee)
    view.findings.differences.push(...found)
    account.loose = 0n
    account.looseFrom = null
    account.wasPaidOut = true
  } else if (await isBeforeLedger(view, account, event)) {
    // For the ledger, what this payout left behind has come from nowhere.
    account.loose = account.balance
    account.looseFrom = event.txHash
    account.feesHeld = 0n
    view.findings.notices.push(
      `${event.txHash} on ${view.client.chain.networkId} paid out the forwarder of merchant ${event.merchantId} before the ledger knew it`,
    )
    return
  } else reportUnbooked(view, account, event)
  const totals = view.sums.get(account.token.address)
  if (totals) totals.feesOnChain += collected
}

/**
 * Holds what the token says has left against what the hub says it paid. What agrees is accounted for;
 * the answer is the collector's part of it, which is all but the treasury's, in base units.
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

function differencesOf(
  view: ForwarderView,
  account: ForwarderAccount,
  event: DistributedEvent,
  record: BookedPayout,
  ownFee: bigint,
): Difference[] {
  const { token, loose } = account
  const words = contradictions([
    ['the merchant is', record.merchantId, event.merchantId],
    ['the token is', record.token, event.token],
    ['the treasury is', record.treasury, event.treasury],
    ['the treasury got', record.remitted, event.remitted],
    ['the collector got', record.fee, event.fee],
    ['the fee held is', record.feeHeld, event.feeHeld],
    ['the block is', record.blockNumber, event.block],
    ['its hash is', record.blockHash, event.blockHash],
    ["what is nobody's payment is", record.unattributed, loose],
  ])
  const attributed = sum(record.payments.map(({ amount }) => amount))
  const arrived = event.remitted + ownFee + (account.wasPaidOut ? 0n : 1n)
  const accounted = attributed + record.unattributed
  if (accounted !== arrived) {
    words.push(
      `its ${record.payments.length} payments and the rest add up to ${accounted}, what was there to ${arrived}`,
    )
  }
  if (ownFee < 0n) words.push('the collector got less than was held for it')
  if (words.length === 0) return shareDifferences(view, account, record, ownFee)
  return [
    {
      ...about(view, account, record),
      kind: 'payout_differs',
      ledger: record.remitted + record.fee,
      chain: event.remitted + event.fee,
      message: `payout ${record.id} of ${shown(event.remitted, token)} in ${event.txHash}: ${words.join('; ')}`,
    },
  ]
}

/** Every payment's share of the fee, derived anew; with nobody's part they are exactly the fee. */
function shareDifferences(
  view: ForwarderView,
  account: ForwarderAccount,
  record: BookedPayout,
  ownFee: bigint,
): Difference[] {
  const amounts = record.payments.map(({ amount }) => amount)
  const shares = shareFee(ownFee, amounts, record.unattributed)
  const wrong = record.payments.flatMap((payment, i) => {
    const share = shares[i] ?? 0n
    return payment.fee === share ? [] : [{ payment, share }]
  })
  const [first] = wrong
  if (!first) return []
  const borne = sum(record.payments.map(({ fee }) => fee ?? 0n))
  const { payment, share } = first
  return [
    {
      ...about(view, account, record),
      kind: 'fee_shares_differ',
      paymentId: payment.id,
      ledger: borne,
      chain: sum(shares),
      message: `the fee of payout ${record.id} is ${ownFee} base units, of which its payments bear ${borne}, and should bear ${sum(shares)}; payment ${payment.id} bears ${payment.fee ?? 'nothing yet'} instead of ${share}`,
    },
  ]
}

/** Payouts that strangers asked for before there was a payment, or the forwarder, in the ledger. */
async function isBeforeLedger(
  { client, firstBlock }: ForwarderView,
  { forwarder }: ForwarderAccount,
  { block }: DistributedEvent,
): Promise<boolean> {
  if (firstBlock === null || block < firstBlock) return true
  const header = await headerAt(client.rpc, block)
  // A block's time is cut to the second, in which the forwarder may have been created just before it.
  return header !== null && header.time.getTime() + 1_000 <= forwarder.createdAt.getTime()
}

function reportUnbooked(
  { client, findings }: ForwarderView,
  { forwarder, token }: ForwarderAccount,
  event: DistributedEvent,
): void {
  findings.differences.push({
    kind: 'payout_not_booked',
    networkId: client.chain.networkId,
    merchantId: event.merchantId,
    address: forwarder.address,
    token: token.address,
    txHash: event.txHash,
    ledger: 0n,
    chain: event.remitted + event.fee,
    message: `${event.txHash} paid the forwarder of merchant ${event.merchantId} out: ${shown(event.remitted, token)} to ${event.treasury}, ${shown(event.fee, token)} to the collector; the ledger has not booked it`,
  })
}

/** Booked payouts that the hub has never told of. */
export async function reportUnmatchedPayouts(view: ForwarderView): Promise<void> {
  const { database, client, block, matched, findings } = view
  const { networkId } = client.chain
  const unmatched = unmatchedRecords(matched, (after, limit) =>
    payoutsAfter(database, networkId, block, after, limit),
  )
  for await (const record of unmatched) {
    findings.differences.push({
      kind: 'payout_without_event',
      networkId,
      merchantId: record.merchantId,
      token: record.token,
      txHash: record.txHash,
      ledger: record.remitted + record.fee,
      chain: 0n,
      message: `payout ${record.id} to ${record.treasury} is booked, but ${record.txHash} paid nothing out for merchant ${record.merchantId}`,
    })
  }
}

function about({ client }: ForwarderView, account: ForwarderAccount, record: BookedPayout) {
  return {
    networkId: client.chain.networkId,
    merchantId: record.merchantId,
    address: account.forwarder.address,
    token: account.token.address,
    txHash: record.txHash,
  }
}
