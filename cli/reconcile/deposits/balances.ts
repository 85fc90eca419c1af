import { hasCode } from '../../../chain/accounts.ts'
import { readBalances } from '../../../chain/token/balances.ts'
import type { Address } from '../../../core/chain/evm.ts'
import {
  type DepositBooks,
  type DepositRef,
  depositBooks,
  depositsAfter,
  EMPTY_BOOKS,
  expectedBalance,
} from '../../../store/books/reconciliation.ts'
import type { Mismatch, Scene } from '../findings/comparison.ts'
import { pagesOf } from '../findings/pages.ts'
import { addBooks } from '../findings/report.ts'
import { explain } from './explain.ts'
import { compareRecoverable } from './recoverable.ts'

const DEPOSITS_PER_PAGE = 500
/** Pages under way at the same time: enough to hide the node's latency, few enough to be polite. */
const PAGES_AT_ONCE = 4

/** Compares what every deposit holds of every token with the ledger. Returns how many there were. */
export async function compareDeposits(scene: Scene): Promise<number> {
  const tokens = await deployedTokens(scene)
  const mismatches: Mismatch[] = []
  const underWay = new Set<Promise<void>>()
  let count = 0
  const pages = pagesOf(
    ({ address }: DepositRef) => address,
    (after) => depositsAfter(scene.database, after, DEPOSITS_PER_PAGE),
  )
  for await (const page of pages) {
    count += page.length
    const work = comparePage(scene, tokens, page, mismatches)
    const tracked = work.finally(() => underWay.delete(tracked))
    // A page that fails is reported by the race or by the wait at the end, never forgotten.
    tracked.catch(() => undefined)
    underWay.add(tracked)
    if (underWay.size >= PAGES_AT_ONCE) await Promise.race(underWay)
  }
  await Promise.all(underWay)
  scene.findings.differences.push(...(await explain(scene, mismatches)))
  return count
}

/** Tokens with code at the block; one without holds nothing, and can't be asked. */
async function deployedTokens({ client, block, findings }: Scene): Promise<ReadonlySet<Address>> {
  const deployed = new Set<Address>()
  for (const token of client.chain.tokens) {
    if (await hasCode(client.rpc, token.address, block)) deployed.add(token.address)
    else {
      findings.notices.push(
        `${token.symbol} has no contract on ${client.chain.networkId} at ${token.address}`,
      )
    }
  }
  return deployed
}

async function comparePage(
  scene: Scene,
  deployed: ReadonlySet<Address>,
  page: readonly DepositRef[],
  mismatches: Mismatch[],
): Promise<void> {
  const { database, client, block, totals } = scene
  const { networkId, tokens } = client.chain
  const holders = page.map((deposit) => deposit.address)
  const [books, ...balances] = await Promise.all([
    depositBooks(
      database,
      networkId,
      page.map((deposit) => deposit.invoiceId),
      block,
    ),
    ...tokens.map((token) =>
      deployed.has(token.address) ? readBalances(client.rpc, token.address, holders, block) : [],
    ),
  ])
  const booksOf = new Map(books.map((entry) => [`${entry.invoiceId} ${entry.token}`, entry]))
  tokens.forEach((token, t) => {
    const sums = totals.get(token.address)
    page.forEach((deposit, d) => {
      const entry = booksOf.get(`${deposit.invoiceId} ${token.address}`)
      booksOf.delete(`${deposit.invoiceId} ${token.address}`)
      const chain = balances[t]?.[d] ?? 0n
      const ledger = expectedBalance(entry ?? EMPTY_BOOKS)
      if (sums) {
        sums.held += chain
        if (entry) addBooks(sums, entry)
      }
      if (chain !== ledger) mismatches.push({ deposit, token, ledger, chain })
    })
  })
  const unknown = await compareRecoverable(scene, page, [...booksOf.values()])
  for (const entry of unknown) reportUnknownToken(scene, entry)
}

function reportUnknownToken({ client, findings }: Scene, entry: DepositBooks): void {
  findings.differences.push({
    kind: 'unknown_token',
    networkId: client.chain.networkId,
    invoiceId: entry.invoiceId,
    token: entry.token,
    ledger: expectedBalance(entry),
    message: `the ledger has money of token ${entry.token}, which neither the registry nor RECOVERABLE_TOKENS lists`,
  })
}
