import { type DistributedEvent, readDistributions } from '../../../chain/hub/distributions.ts'
import { readInRanges } from '../../../chain/ranges.ts'
import { readBalances } from '../../../chain/token/balances.ts'
import { type TokenMovement, tokenMovements } from '../../../chain/token/transfers.ts'
import type { TokenOnChain } from '../../../core/chain/registry.ts'
import { payoutsAt } from '../../../store/books/payouts.ts'
import {
  type ForwarderBooks,
  type ForwarderRef,
  forwarderBooks,
  readForwarders,
} from '../../../store/books/x402Reconciliation.ts'
import type { Scene } from '../findings/comparison.ts'
import type { ForwarderReport } from '../findings/report.ts'
import {
  accountOf,
  type ForwarderAccount,
  type ForwarderView,
  openView,
  shown,
} from './accounts.ts'
import { strayArrivals } from './arrivals.ts'
import { comparePayments } from './payments.ts'
import { applyPayout, reportUnmatchedPayouts } from './payouts.ts'

/** Addresses in one filter or call: nodes take up to 1,000. */
const FORWARDERS_PER_CALL = 500

/**
 * Compares what forwarders received, paid out and hold with the ledger. Every transfer of theirs and
 * every payout is gone through in the chain's order, so that each unit that came is a payment's or
 * nobody's, and each unit that left is a payout's.
 */
export async function compareForwarders(scene: Scene): Promise<ForwarderReport> {
  const forwarders = await readForwarders(scene.database)
  const view = await openView(scene, forwarders)
  if (forwarders.length > 0) {
    const start = BigInt(view.client.chain.startBlock)
    const pieces = readInRanges(start, view.block, (from, to) => readPiece(view, from, to))
    for await (const piece of pieces) await applyPiece(view, piece)
    await compareBalances(view)
    compareFees(view)
    await reportUnmatchedPayouts(view)
  }
  const payments = forwarders.length > 0 ? await comparePayments(view) : 0
  return {
    forwarders: forwarders.length,
    payments,
    payouts: view.matched.size,
    tokens: [...view.sums.values()],
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

async function readPiece(view: ForwarderView, from: bigint, to: bigint): Promise<Piece> {
  const { client, forwarders, tokens } = view
  const movements: TokenMovement[] = []
  for (const page of pages(forwarders)) {
    const holders = page.map(({ address }) => address)
    const found = await Promise.all(
      tokens.map((token) => tokenMovements(client.rpc, token.address, holders, from, to)),
    )
    for (const some of found) for (const movement of some) movements.push(movement)
  }
  const payouts: Payout[] = []
  for (const [hub, own] of Map.groupBy(forwarders, (forwarder) => forwarder.hub)) {
    const byMerchant = new Map(own.map((forwarder) => [forwarder.merchantId, forwarder.address]))
    for (const event of await readDistributions(client.rpc, [hub], from, to)) {
      const address = byMerchant.get(event.merchantId)
      const account = address && accountOf(view, address, event.token)
      if (account) payouts.push({ account, event })
    }
  }
  return { from, to, movements: movements.filter(({ amount }) => amount > 0n), payouts }
}

async function applyPiece(view: ForwarderView, piece: Piece): Promise<void> {
  const { database, client } = view
  const arrived = piece.movements.filter(({ direction }) => direction === 'in')
  const [stray, booked] = await Promise.all([
    strayArrivals(view, arrived, piece),
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
    apply: async () => applyMovement(view, movement, stray.has(movement)),
  }))
  const payouts = piece.payouts.map(({ account, event }) => ({
    block: event.block,
    logIndex: event.logIndex,
    apply: () =>
      applyPayout(view, account, event, recordOf.get(`${event.txHash} ${event.logIndex}`)),
  }))
  const steps = [...moves, ...payouts].sort(
    (a, b) => Number(a.block - b.block) || a.logIndex - b.logIndex,
  )
  for (const { apply } of steps) await apply()
}

function applyMovement(view: ForwarderView, movement: TokenMovement, isStray: boolean): void {
  const account = accountOf(view, movement.holder, movement.token)
  if (!account) return
  if (movement.direction === 'out') {
    account.balance -= movement.amount
    account.gone.push(movement)
    return
  }
  account.balance += movement.amount
  if (!isStray) return
  account.loose += movement.amount
  account.looseFrom = movement.txHash
}

async function compareBalances(view: ForwarderView): Promise<void> {
  const { database, client, forwarders, tokens, block } = view
  const { networkId } = client.chain
  for (const page of pages(forwarders)) {
    const holders = page.map(({ address }) => address)
    const merchants = page.map(({ merchantId }) => merchantId)
    const [books, ...balances] = await Promise.all([
      forwarderBooks(database, networkId, merchants, block),
      ...tokens.map((token) => readBalances(client.rpc, token.address, holders, block)),
    ])
    const booksOf = new Map(books.map((entry) => [`${entry.merchantId} ${entry.token}`, entry]))
    tokens.forEach((token, t) => {
      page.forEach((forwarder, f) => {
        const key = `${forwarder.merchantId} ${token.address}`
        compareBalance(view, forwarder, token, booksOf.get(key), balances[t]?.[f] ?? 0n)
        booksOf.delete(key)
      })
    })
    for (const entry of booksOf.values()) reportUnknownToken(view, entry)
  }
}

const EMPTY_BOOKS = { settled: 0n, other: 0n, remitted: 0n, fees: 0n } as const

function compareBalance(
  view: ForwarderView,
  forwarder: ForwarderRef,
  token: TokenOnChain,
  entry: ForwarderBooks | undefined,
  chain: bigint,
): void {
  const account = accountOf(view, forwarder.address, token.address)
  const sums = view.sums.get(token.address)
  if (!account || !sums) throw new Error(`${token.symbol} has no account in ${forwarder.address}`)
  const books = entry ?? EMPTY_BOOKS
  sums.settled += books.settled
  sums.other += books.other + account.loose
  sums.remitted += books.remitted
  sums.fees += books.fees
  sums.feesOwed += account.feesHeld
  sums.held += chain
  noteLoose(view, account)
  const ledger = books.settled + books.other + account.loose - books.remitted - books.fees
  if (ledger !== chain) reportBalance(view, account, ledger, chain)
}

function reportBalance(
  { client, findings, block }: ForwarderView,
  { forwarder, token, gone }: ForwarderAccount,
  ledger: bigint,
  chain: bigint,
): void {
  const left = gone.map(
    ({ amount, txHash }) => `${shown(amount, token)} left in ${txHash} by no payout of the hub`,
  )
  const words = [
    `the forwarder of merchant ${forwarder.merchantId} holds ${shown(chain, token)} at block ${block}, the ledger says ${shown(ledger, token)}`,
    ...left,
  ]
  findings.differences.push({
    kind: chain > ledger ? 'forwarder_holds_more' : 'forwarder_holds_less',
    networkId: client.chain.networkId,
    merchantId: forwarder.merchantId,
    address: forwarder.address,
    token: token.address,
    ledger,
    chain,
    message: words.join('; '),
  })
}

/** Money of nobody's payment is no difference: the next payout pays it out like any other. */
function noteLoose({ client, findings }: ForwarderView, account: ForwarderAccount): void {
  const { loose, looseFrom, forwarder, token } = account
  if (loose === 0n) return
  const last = looseFrom === null ? '' : `, the last of it by ${looseFrom}`
  findings.notices.push(
    `${shown(loose, token)} in the forwarder of merchant ${forwarder.merchantId} on ${client.chain.networkId} belongs to no payment${last}`,
  )
}

function reportUnknownToken({ client, findings }: ForwarderView, entry: ForwarderBooks): void {
  findings.differences.push({
    kind: 'unknown_token',
    networkId: client.chain.networkId,
    merchantId: entry.merchantId,
    token: entry.token,
    ledger: entry.settled + entry.other - entry.remitted - entry.fees,
    message: `the ledger has payments in token ${entry.token}, which the chain or the registry doesn't have`,
  })
}

function compareFees({ sums, tokens, findings }: ForwarderView): void {
  for (const token of tokens) {
    const total = sums.get(token.address)
    if (!total || total.fees === total.feesOnChain) continue
    findings.differences.push({
      kind: 'fees_differ',
      networkId: total.networkId,
      token: token.address,
      ledger: total.fees,
      chain: total.feesOnChain,
      message: `payouts brought the collector ${shown(total.feesOnChain, token)}, the ledger says ${shown(total.fees, token)}`,
    })
  }
}

function pages<T>(rows: readonly T[]): T[][] {
  const count = Math.ceil(rows.length / FORWARDERS_PER_CALL)
  return Array.from({ length: count }, (_, i) =>
    rows.slice(i * FORWARDERS_PER_CALL, (i + 1) * FORWARDERS_PER_CALL),
  )
}
