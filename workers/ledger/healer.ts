import type { Logger } from 'pino'
import { firstBlockAt, headerAt } from '../../chain/blocks.ts'
import { balancesAt, type TransferLog, transfersTo } from '../../chain/deposits.ts'
import { readChainState, saveHealedAt } from '../../store/chainState.ts'
import { expectedHoldings, type OpenDeposit, openDeposits } from '../../store/holdings.ts'
import { type Projection, recordTransfers } from './projector.ts'

const DEPOSITS_PER_TURN = 500
/** How long a round over all open deposits may rest before the next one begins, in ms. */
const PAUSE_MS = 60_000
/** Blocks per eth_getLogs; many nodes refuse more. */
const BLOCKS_PER_SCAN = 2_000n

/**
 * Finds payments that the indexer missed. It goes round the open deposits, compares what each one
 * holds on the chain with what the ledger expects, and reads the transfers to those that hold more.
 */
export class Healer {
  private after: string | null = null

  constructor(
    private readonly context: Projection,
    private readonly log: Logger,
  ) {}

  /** Looks at the next slice of deposits, if it is time. Returns how many transfers were missing. */
  async turn(now: Date): Promise<number> {
    const { database, client } = this.context
    const { networkId, confirmations } = client.chain
    const state = await readChainState(database, networkId)
    if (!state) return 0
    const isResting = state.healedAt && now.getTime() - state.healedAt.getTime() < PAUSE_MS
    if (this.after === null && isResting) return 0
    const block = state.head - BigInt(confirmations) + 1n
    // Until the indexer has had its chance, every new payment would look like a missed one.
    if (block < 0n || state.projectedBlock < block) return 0
    const deposits = await openDeposits(database, this.after, DEPOSITS_PER_TURN)
    const richer = await this.richerThanExpected(deposits, block)
    let healed = 0
    for (const deposit of richer) healed += await this.heal(deposit, block, now)
    this.after = deposits.length === DEPOSITS_PER_TURN ? (deposits.at(-1)?.invoiceId ?? null) : null
    if (this.after === null) await saveHealedAt(database, networkId, now)
    return healed
  }

  private async richerThanExpected(
    deposits: readonly OpenDeposit[],
    block: bigint,
  ): Promise<OpenDeposit[]> {
    const { database, client } = this.context
    const { networkId, tokens } = client.chain
    const holdings = deposits.flatMap(({ invoiceId, address }) =>
      tokens.map((token) => ({ invoiceId, holder: address, token: token.address })),
    )
    if (holdings.length === 0) return []
    const ids = deposits.map((deposit) => deposit.invoiceId)
    const [balances, expected] = await Promise.all([
      balancesAt(client.rpc, holdings, block),
      expectedHoldings(database, networkId, ids, block),
    ])
    const expectedOf = new Map(expected.map((e) => [`${e.invoiceId} ${e.token}`, e.amount]))
    const richer = new Set<string>()
    holdings.forEach(({ invoiceId, token }, i) => {
      const balance = balances[i] ?? 0n
      if (balance > (expectedOf.get(`${invoiceId} ${token}`) ?? 0n)) richer.add(invoiceId)
    })
    return deposits.filter((deposit) => richer.has(deposit.invoiceId))
  }

  private async heal(deposit: OpenDeposit, block: bigint, now: Date): Promise<number> {
    const { client } = this.context
    const { networkId, tokens } = client.chain
    const addresses = tokens.map((token) => token.address)
    const start = await firstBlockAt(client.rpc, deposit.createdAt, block)
    // Clocks differ: a chain's block may bear a time before our own creation time.
    let from = start > 10n ? start - 10n : 0n
    const logs: TransferLog[] = []
    while (from <= block) {
      const to = from + BLOCKS_PER_SCAN - 1n < block ? from + BLOCKS_PER_SCAN - 1n : block
      logs.push(...(await transfersTo(client.rpc, addresses, [deposit.address], from, to)))
      from = to + 1n
    }
    const transfers = await Promise.all(
      logs.filter((entry) => entry.amount > 0n).map((entry) => this.observed(entry)),
    )
    await recordTransfers(this.context, deposit.invoiceId, transfers, now)
    this.log.warn(
      { networkId, invoiceId: deposit.invoiceId, transfers: transfers.length },
      'a deposit held more than the ledger knew; its transfers were read again',
    )
    return transfers.length
  }

  private async observed(entry: TransferLog) {
    const header = await headerAt(this.context.client.rpc, entry.blockNumber)
    if (!header) throw new Error(`the node has no block ${entry.blockNumber}`)
    const { networkId } = this.context.client.chain
    return { ...entry, networkId, sender: entry.from, blockTime: header.time }
  }
}
