import { hasCode } from '../../chain/blocks/accounts.ts'
import { readBalances } from '../../chain/tokens/balances.ts'
import type { Address } from '../../core/chain/evm.ts'
import {
  type DepositRef,
  depositBooks,
  depositsAfter,
  expectedBalance,
} from '../../store/books/reconciliation.ts'
import type { Comparison } from './comparison.ts'
import { explain, type Mismatch } from './explain.ts'
import { pagesOf } from './pages.ts'
import { compareRecoverable } from './recoverable.ts'

const DEPOSITS_PER_PAGE = 500
/** Concurrent pages: enough to hide the node's latency, few enough to limit its load. */
const PAGES_AT_ONCE = 4

/** Compares every deposit's balance of every token with the ledger. Returns the number of deposits. */
export async function compareDeposits(comparison: Comparison): Promise<number> {
  const tokens = await deployedTokens(comparison)
  const mismatches: Mismatch[] = []
  const underWay = new Set<Promise<void>>()
  let count = 0
  const pages = pagesOf(
    ({ address }: DepositRef) => address,
    (after) => depositsAfter(comparison.database, after, DEPOSITS_PER_PAGE),
  )
  for await (const page of pages) {
    count += page.length
    const work = comparePage(comparison, tokens, page, mismatches)
    const tracked = work.finally(() => underWay.delete(tracked))
    // A failed page is always reported, by the race or by the wait at the end.
    tracked.catch(() => undefined)
    underWay.add(tracked)
    if (underWay.size >= PAGES_AT_ONCE) await Promise.race(underWay)
  }
  await Promise.all(underWay)
  await explain(comparison, mismatches)
  return count
}

/** Tokens with code at the block; without code there are no balances to read. */
async function deployedTokens({ client, view, note }: Comparison): Promise<ReadonlySet<Address>> {
  const deployed = new Set<Address>()
  for (const { address, symbol } of client.chain.tokens) {
    if (await hasCode(client.rpc, address, view)) deployed.add(address)
    else note(`${symbol} has no contract on ${client.chain.networkId} at ${address}`)
  }
  return deployed
}

const SUMMED = ['received', 'late', 'foreign', 'remitted', 'fees', 'feesOwed', 'refunded'] as const

async function comparePage(
  comparison: Comparison,
  deployed: ReadonlySet<Address>,
  page: readonly DepositRef[],
  mismatches: Mismatch[],
): Promise<void> {
  const { database, client, block, view, totals, differ } = comparison
  const { networkId, tokens } = client.chain
  const holders = page.map(({ address }) => address)
  const invoiceIds = page.map(({ invoiceId }) => invoiceId)
  const [books, ...balances] = await Promise.all([
    depositBooks(database, networkId, invoiceIds, block),
    ...tokens.map(({ address }) =>
      deployed.has(address) ? readBalances(client.rpc, address, holders, view) : [],
    ),
  ])
  const booksOf = new Map(books.map((entry) => [`${entry.invoiceId} ${entry.token}`, entry]))
  tokens.forEach((token, t) => {
    const sums = totals.get(token.address)
    page.forEach((deposit, d) => {
      const key = `${deposit.invoiceId} ${token.address}`
      const entry = booksOf.get(key)
      booksOf.delete(key)
      const chain = balances[t]?.[d] ?? 0n
      const ledger = entry ? expectedBalance(entry) : 0n
      if (sums) sums.held += chain
      if (sums && entry) for (const figure of SUMMED) sums[figure] += entry[figure]
      if (chain !== ledger) mismatches.push({ deposit, token, ledger, chain })
    })
  })
  for (const entry of await compareRecoverable(comparison, page, [...booksOf.values()])) {
    const { invoiceId, token } = entry
    differ(
      'unknown_token',
      { invoiceId, token, ledger: expectedBalance(entry) },
      `the ledger has money of token ${token}, which neither the registry nor RECOVERABLE_TOKENS lists`,
    )
  }
}
