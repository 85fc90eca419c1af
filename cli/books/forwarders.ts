import { readInRanges } from '../../chain/blocks/ranges.ts'
import { readBalances } from '../../chain/tokens/balances.ts'
import { type TokenMovement, tokenMovements } from '../../chain/tokens/transfers.ts'
import { type DistributedEvent, distributionEvents } from '../../chain/x402/distributions.ts'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import { payoutsAt } from '../../store/books/payouts.ts'
import {
  type ForwarderBooks,
  type ForwarderRef,
  forwarderBooks,
  readForwarders,
} from '../../store/books/x402Reconciliation.ts'
import { compareChannelPayouts } from './channelPayouts.ts'
import { type Comparison, compareFees } from './comparison.ts'
import {
  accountOf,
  type ForwarderAccount,
  type ForwarderComparison,
  openForwarders,
} from './forwarderAccounts.ts'
import { chunked } from './pages.ts'
import { comparePayments } from './payments.ts'
import { applyPayout, reportUnmatchedPayouts } from './payouts.ts'
import { unattributedReceipts } from './receipts.ts'
import type { ForwarderReport } from './report.ts'
import { amountText } from './words.ts'

/** Addresses per filter or call: nodes accept up to 1,000. */
const FORWARDERS_PER_CALL = 500

/**
 * Compares receipts, payouts and balances of forwarders with the ledger. Every transfer of theirs and
 * every payout is processed in the chain's order, so that each unit received belongs to a payment or is
 * unattributed, and each unit sent belongs to a payout.
 */
export async function compareForwarders(chain: Comparison): Promise<ForwarderReport> {
  const forwarders = await readForwarders(chain.database)
  const comparison = await openForwarders(chain, forwarders)
  const { client, block, sums, matched } = comparison
  let payments = 0
  if (forwarders.length > 0) {
    const start = BigInt(client.chain.startBlock)
    const read = (from: bigint, to: bigint) => readPiece(comparison, from, to)
    const pieces = readInRanges(start, block, read, client.logRange)
    for await (const piece of pieces) await applyPiece(comparison, piece)
    await compareBalances(comparison)
    compareFees(comparison, 'payouts', sums.values())
    await reportUnmatchedPayouts(comparison)
    payments = (await comparePayments(comparison)) + (await compareChannelPayouts(comparison))
  }
  return {
    forwarders: forwarders.length,
    payments,
    payouts: matched.size,
    tokens: [...sums.values()],
  }
}

interface Payout {
  readonly account: ForwarderAccount
  readonly event: DistributedEvent
}

interface Piece {
  readonly from: bigint
  readonly to: bigint
  readonly movements: readonly TokenMovement[]
  readonly payouts: readonly Payout[]
}

async function readPiece(
  comparison: ForwarderComparison,
  from: bigint,
  to: bigint,
): Promise<Piece> {
  const { client, forwarders, tokens } = comparison
  const movements: TokenMovement[] = []
  for (const page of chunked(forwarders, FORWARDERS_PER_CALL)) {
    const holders = page.map(({ address }) => address)
    const found = await Promise.all(
      tokens.map((token) => tokenMovements(client.rpc, token.address, holders, from, to)),
    )
    for (const some of found) for (const movement of some) movements.push(movement)
  }
  const payouts: Payout[] = []
  for (const [hub, own] of Map.groupBy(forwarders, (forwarder) => forwarder.hub)) {
    const byMerchant = new Map(own.map((forwarder) => [forwarder.merchantId, forwarder.address]))
    for (const event of await distributionEvents(client.rpc, [hub], from, to)) {
      const address = byMerchant.get(event.merchantId)
      const account = address && accountOf(comparison, address, event.token)
      if (account) payouts.push({ account, event })
    }
  }
  return { from, to, movements: movements.filter(({ amount }) => amount > 0n), payouts }
}

async function applyPiece(comparison: ForwarderComparison, piece: Piece): Promise<void> {
  const { database, client } = comparison
  const received = piece.movements.filter(({ direction }) => direction === 'in')
  const [unattributed, booked] = await Promise.all([
    unattributedReceipts(comparison, received, piece),
    payoutsAt(
      database,
      client.chain.networkId,
      piece.payouts.map(({ event }) => event),
    ),
  ])
  const recordOf = new Map(booked.map((row) => [`${row.txHash} ${row.logIndex}`, row]))
  const moves = piece.movements.map((movement) => ({
    block: movement.blockNumber,
    logIndex: movement.logIndex,
    apply: async () => applyMovement(comparison, movement, unattributed.has(movement)),
  }))
  const payouts = piece.payouts.map(({ account, event }) => ({
    block: event.block,
    logIndex: event.logIndex,
    apply: () =>
      applyPayout(comparison, account, event, recordOf.get(`${event.txHash} ${event.logIndex}`)),
  }))
  const steps = [...moves, ...payouts].sort(
    (a, b) => Number(a.block - b.block) || a.logIndex - b.logIndex,
  )
  for (const { apply } of steps) await apply()
}

function applyMovement(
  comparison: ForwarderComparison,
  movement: TokenMovement,
  isUnattributed: boolean,
): void {
  const account = accountOf(comparison, movement.holder, movement.token)
  if (!account) return
  if (movement.direction === 'out') {
    account.balance -= movement.amount
    account.gone.push(movement)
    return
  }
  account.balance += movement.amount
  if (!isUnattributed) return
  account.unattributed += movement.amount
  account.unattributedFrom = movement.txHash
}

async function compareBalances(comparison: ForwarderComparison): Promise<void> {
  const { database, client, forwarders, tokens, block, view } = comparison
  const { networkId } = client.chain
  for (const page of chunked(forwarders, FORWARDERS_PER_CALL)) {
    const holders = page.map(({ address }) => address)
    const merchants = page.map(({ merchantId }) => merchantId)
    const [books, ...balances] = await Promise.all([
      forwarderBooks(database, networkId, merchants, block),
      ...tokens.map((token) => readBalances(client.rpc, token.address, holders, view)),
    ])
    const booksOf = new Map(books.map((entry) => [`${entry.merchantId} ${entry.token}`, entry]))
    tokens.forEach((token, t) => {
      page.forEach((forwarder, f) => {
        const key = `${forwarder.merchantId} ${token.address}`
        compareBalance(comparison, forwarder, token, booksOf.get(key), balances[t]?.[f] ?? 0n)
        booksOf.delete(key)
      })
    })
    for (const entry of booksOf.values()) reportUnknownToken(comparison, entry)
  }
}

const EMPTY_BOOKS = { settled: 0n, other: 0n, remitted: 0n, fees: 0n, refunded: 0n } as const

function compareBalance(
  comparison: ForwarderComparison,
  forwarder: ForwarderRef,
  token: TokenOnChain,
  entry: ForwarderBooks | undefined,
  chain: bigint,
): void {
  const account = accountOf(comparison, forwarder.address, token.address)
  const sums = comparison.sums.get(token.address)
  if (!account || !sums) throw new Error(`${token.symbol} has no account in ${forwarder.address}`)
  const books = entry ?? EMPTY_BOOKS
  sums.settled += books.settled
  sums.other += books.other + account.unattributed
  sums.remitted += books.remitted
  sums.refunded += books.refunded
  sums.fees += books.fees
  sums.feesOwed += account.feesHeld
  sums.held += chain
  noteUnattributed(comparison, account)
  const received = books.settled + books.other + account.unattributed
  const ledger = received - books.remitted - books.fees - books.refunded
  if (ledger !== chain) reportBalance(comparison, account, ledger, chain)
}

function reportBalance(
  { differ, block }: ForwarderComparison,
  { forwarder, token, gone }: ForwarderAccount,
  ledger: bigint,
  chain: bigint,
): void {
  const { merchantId, address } = forwarder
  const holds = `the forwarder of merchant ${merchantId} holds ${amountText(chain, token)} at block ${block}, in the ledger ${amountText(ledger, token)}`
  const left = gone.map(
    ({ amount, txHash }) =>
      `${amountText(amount, token)} left in ${txHash} without a payout of the hub`,
  )
  differ(
    chain > ledger ? 'forwarder_holds_more' : 'forwarder_holds_less',
    { merchantId, address, token: token.address, ledger, chain },
    [holds, ...left].join('; '),
  )
}

/** Unattributed money is no difference: the next payout includes it. */
function noteUnattributed({ client, note }: Comparison, account: ForwarderAccount): void {
  const { unattributed, unattributedFrom, forwarder, token } = account
  if (unattributed === 0n) return
  const last = unattributedFrom === null ? '' : `, the last of it by ${unattributedFrom}`
  note(
    `${amountText(unattributed, token)} in the forwarder of merchant ${forwarder.merchantId} on ${client.chain.networkId} belongs to no payment${last}`,
  )
}

function reportUnknownToken({ differ }: Comparison, entry: ForwarderBooks): void {
  const { merchantId, token, settled, other, remitted, fees, refunded } = entry
  differ(
    'unknown_token',
    { merchantId, token, ledger: settled + other - remitted - fees - refunded },
    `the ledger has payments in token ${token}, which the chain or the registry lacks`,
  )
}
