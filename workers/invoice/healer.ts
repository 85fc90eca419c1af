import type { Logger } from 'pino'
import { firstBlockAt, headerAt } from '../../chain/blocks/blocks.ts'
import { UnknownBlockError } from '../../chain/rpc/faults.ts'
import { readBalances } from '../../chain/tokens/balances.ts'
import { transfersTo } from '../../chain/tokens/transfers.ts'
import { NIL_UUID } from '../../core/base/ids.ts'
import { max, min } from '../../core/base/integers.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import { firstIdAt } from '../../core/events/event.ts'
import { saveHealedAt } from '../../store/chain/state.ts'
import {
  expectedHoldings,
  lastOpenDeposits,
  type OpenDeposit,
  openDeposits,
} from '../../store/invoice/holdings.ts'
import { type InvoiceTransfer, recordTransfers } from '../../store/invoice/payments.ts'
import { chainState, type LedgerContext, viewOf } from '../turns/ledgerContext.ts'

const DEPOSITS_PER_TURN = 500
/**
 * Pages of deposits that are compared within a minute. Each costs a call for each token, and a round over
 * many deposits takes as many minutes as it needs.
 */
const PAGES_PER_MINUTE = 10
/** The pause between two rounds over the recent open deposits, in ms. */
const PAUSE_MS = 60_000
/**
 * Deposits of invoices younger than this, in ms, are read in every round. Of the older ones a round
 * takes one slice, so that a round does not take longer the more of them have gathered.
 */
const RECENT_MS = 7 * 86_400_000
/** An indexer that lags by more than this, in ms, is not waited for. */
const INDEXER_GRACE_MS = 180_000
/** Blocks per eth_getLogs at most; fewer for nodes that allow fewer. */
const BLOCKS_PER_SCAN = 2_000n
/** eth_getLogs calls per turn; a longer scan continues in the next one. */
const SCANS_PER_TURN = 20
/** As things that may be quarantined. */
const DEPOSIT = 'deposit of invoice'

interface Scan {
  readonly deposit: OpenDeposit
  next: bigint | null
}

/**
 * Finds payments that the indexer missed. It compares, one page of open deposits after the other, what
 * each holds on the chain with what the ledger expects, and reads the transfers to those that hold more.
 * A round goes over the recent deposits, and over a slice of the older ones, the youngest of them first.
 */
export class Healer {
  private after: string | null = null
  private olderBelow: string | null = null
  /** The recent deposits that had failed before this round, were due again when it began, and are not tried yet. */
  private untried = new Set<string>()
  private readonly scans: Scan[] = []
  private waitingSince: number | null = null
  private readonly minute = { begunAt: 0, pages: 0 }

  constructor(
    private readonly context: LedgerContext,
    private readonly log: Logger,
  ) {}

  /** Reads the next slice of deposits, if it is time. Returns how many transfers were read. */
  async turn(now: Date): Promise<number> {
    const state = await chainState(this.context)
    const block = newestConfirmed(state.head, this.context.client.chain.confirmations)
    if (block < 0n || this.isIndexerExpected(state.projectedBlock < block, now)) return 0
    const isPausing = state.healedAt && now.getTime() - state.healedAt.getTime() < PAUSE_MS
    if (this.scans.length === 0 && !(this.after === null && isPausing) && this.hasPageLeft(now)) {
      await this.compareNextDeposits(block, now)
    }
    return this.scan(block, now)
  }

  private hasPageLeft(now: Date): boolean {
    if (now.getTime() - this.minute.begunAt >= 60_000) {
      this.minute.begunAt = now.getTime()
      this.minute.pages = 0
    }
    return this.minute.pages < PAGES_PER_MINUTE
  }

  /** Until the indexer has had its chance, every new payment would count as a missed one. */
  private isIndexerExpected(isBehind: boolean, now: Date): boolean {
    if (!isBehind) {
      this.waitingSince = null
      return false
    }
    this.waitingSince ??= now.getTime()
    return now.getTime() - this.waitingSince < INDEXER_GRACE_MS
  }

  private async compareNextDeposits(block: bigint, now: Date): Promise<void> {
    const { database, client, work } = this.context
    const { networkId } = client.chain
    const recent = firstIdAt(new Date(now.getTime() - RECENT_MS))
    if (this.after === null) {
      this.untried = new Set(work.others.retried(DEPOSIT).filter((id) => id > recent))
    }
    const range = { above: this.after ?? recent, below: null }
    const deposits = await openDeposits(database, range, DEPOSITS_PER_TURN)
    await this.compare(deposits, block)
    const isLast = deposits.length < DEPOSITS_PER_TURN
    if (isLast) {
      this.forgetUntried()
      await this.compareOlder(recent, block)
      await saveHealedAt(database, networkId, now)
    }
    this.after = isLast ? null : (deposits.at(-1)?.invoiceId ?? null)
  }

  /** What was due and is not tried in a whole round belongs to an invoice that has been completed meanwhile. */
  private forgetUntried(): void {
    for (const id of this.untried) this.context.work.others.forget(DEPOSIT, id)
    this.untried.clear()
  }

  /** The next slice of deposits that are not recent; past the last one, it starts over. */
  private async compareOlder(recent: string, block: bigint): Promise<void> {
    const range = { above: NIL_UUID, below: this.olderBelow ?? recent }
    const older = await lastOpenDeposits(this.context.database, range, DEPOSITS_PER_TURN)
    await this.compare(older, block)
    const isLast = older.length < DEPOSITS_PER_TURN
    this.olderBelow = isLast ? null : (older.at(-1)?.invoiceId ?? null)
  }

  private async compare(deposits: readonly OpenDeposit[], block: bigint): Promise<void> {
    if (deposits.length === 0) return
    this.minute.pages += 1
    const { others } = this.context.work
    const idOf = ({ invoiceId }: OpenDeposit) => invoiceId
    for (const { invoiceId } of deposits) this.untried.delete(invoiceId)
    const found = await others.together(DEPOSIT, deposits, idOf, (some) => {
      return this.differing(some, block)
    })
    for (const deposit of found.flat()) this.scans.push({ deposit, next: null })
  }

  /** The deposits that hold more than expected. Those that hold less are reported, never corrected. */
  private async differing(deposits: readonly OpenDeposit[], block: bigint): Promise<OpenDeposit[]> {
    const { database, client } = this.context
    const { networkId, tokens } = client.chain
    const ids = deposits.map((deposit) => deposit.invoiceId)
    const expected = await expectedHoldings(database, networkId, ids, block)
    const expectedOf = new Map(expected.map((e) => [`${e.invoiceId} ${e.token}`, e.amount]))
    const view = await viewOf(this.context, block)
    const overfunded = new Set<OpenDeposit>()
    for (const { address: token } of tokens) {
      const addresses = deposits.map((deposit) => deposit.address)
      const balances = await readBalances(client.rpc, token, addresses, view)
      for (const [i, deposit] of deposits.entries()) {
        const ledger = expectedOf.get(`${deposit.invoiceId} ${token}`) ?? 0n
        const balance = balances[i] ?? 0n
        if (balance > ledger) overfunded.add(deposit)
        if (balance < ledger) this.reportShortfall(deposit, token, balance, ledger)
      }
    }
    return [...overfunded]
  }

  private reportShortfall(
    deposit: OpenDeposit,
    token: string,
    balance: bigint,
    ledger: bigint,
  ): void {
    this.log.error(
      { invoiceId: deposit.invoiceId, token, balance: String(balance), ledger: String(ledger) },
      'a deposit holds less than the ledger has: run reconcile',
    )
  }

  /** Works through the scans that are due, a bounded number of requests per turn. */
  private async scan(block: bigint, now: Date): Promise<number> {
    const { others } = this.context.work
    let found = 0
    for (let calls = 0; calls < SCANS_PER_TURN; calls += 1) {
      const scan = this.scans[0]
      if (!scan) break
      const { invoiceId } = scan.deposit
      const read = await others.alone(DEPOSIT, invoiceId, () => this.scanOnce(scan, block, now))
      found += read ?? 0
      if (read !== null) continue
      // The next turn continues where a lagging node stopped.
      if (!others.waiting(DEPOSIT).includes(invoiceId)) break
      this.scans.shift()
    }
    return found
  }

  private async scanOnce(scan: Scan, block: bigint, now: Date): Promise<number> {
    const { client } = this.context
    const { deposit } = scan
    const from = scan.next ?? (await this.firstBlock(deposit, block))
    const to = min(from + min(BLOCKS_PER_SCAN, client.logRange()) - 1n, block)
    const tokens = client.chain.tokens.map((token) => token.address)
    const logs = await transfersTo(client.rpc, tokens, [deposit.address], from, to)
    const paying = logs.filter((entry) => entry.amount > 0n)
    const transfers = await Promise.all(
      paying.map(async ({ from: sender, ...entry }): Promise<InvoiceTransfer> => {
        const header = await headerAt(client.rpc, entry.blockNumber)
        if (header?.hash !== entry.blockHash) {
          throw new UnknownBlockError('the chain moved during a scan')
        }
        const { networkId } = client.chain
        const { invoiceId } = deposit
        return { ...entry, invoiceId, networkId, sender, blockTime: header.time }
      }),
    )
    if (transfers.length > 0) {
      await recordTransfers(this.context, transfers, now)
      this.log.warn(
        { invoiceId: deposit.invoiceId, transfers: transfers.length },
        'a deposit held more than the ledger knew; its transfers were read again',
      )
    }
    scan.next = to + 1n
    if (to >= block) this.scans.shift()
    return transfers.length
  }

  /** Clocks differ: a chain's block may bear a time before our own creation time. */
  private async firstBlock(deposit: OpenDeposit, block: bigint): Promise<bigint> {
    const start = await firstBlockAt(this.context.client.rpc, deposit.createdAt, block)
    return max(start - 10n, 0n)
  }
}
