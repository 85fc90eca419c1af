import { genesisHash, readHead, viewAt } from '../../chain/blocks/blocks.ts'
import { type ChainClient, openChain } from '../../chain/rpc/client.ts'
import { isRpcFault } from '../../chain/rpc/faults.ts'
import { max, min } from '../../core/base/integers.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { following } from '../../core/chain/offered.ts'
import type { Config } from '../../core/config/processes.ts'
import { transactionViolations, wrongFigures } from '../../store/books/audit.ts'
import { chainsWithMoney, hubsInUse } from '../../store/books/reconciliation.ts'
import { refundViolations } from '../../store/books/refundAudit.ts'
import { overduePayments, paymentViolations } from '../../store/books/x402Audit.ts'
import { indexedTokens } from '../../store/chain/indexedTokens.ts'
import { readChainState } from '../../store/chain/state.ts'
import type { Queryable } from '../../store/database/database.ts'
import { compareDeposits } from './balances.ts'
import {
  type Comparison,
  type Findings,
  type Found,
  findingsOn,
  lagTolerance,
} from './comparison.ts'
import { compareForwarders } from './forwarders.ts'
import { compareHubEvents } from './hubEvents.ts'
import { compareRelayers } from './relayers.ts'
import { type ChainReport, type Difference, newTotals, type Report } from './report.ts'

/**
 * Compares the ledger with the chains, to the unit. Every chain is compared at one confirmed block
 * that the ledger has seen, so that nothing in flight is reported as a difference.
 */

export interface ReconcileInput {
  readonly database: Queryable
  readonly config: Pick<Config, 'hub' | 'chains'>
  /** Only this chain; null for every chain of the configuration. */
  readonly only: string | null
  readonly now: Date
}

export async function reconcile(input: ReconcileInput): Promise<Report> {
  const { database, config, only, now } = input
  // Only followed chains: the ledger does not know payments in tokens that are not watched.
  const watched = following(config.chains, await indexedTokens(database))
  const chains = watched.filter((chain) => only === null || chain.networkId === only)
  const found: Found = { differences: [], notices: [] }
  const hubs = [...new Set([config.hub, ...(await hubsInUse(database))])]
  const reports = await Promise.all(
    chains.map((chain) => compareChain(database, openChain(chain), hubs, found)),
  )
  const covered = new Set(chains.map((chain) => chain.networkId))
  if (only === null) found.notices.push(...(await uncovered(database, covered)))
  found.differences.push(...(await ledgerViolations(database, covered)))
  return { isClean: found.differences.length === 0, checkedAt: now, chains: reports, ...found }
}

async function compareChain(
  database: Queryable,
  client: ChainClient,
  hubs: readonly Address[],
  found: Found,
): Promise<ChainReport> {
  const { networkId, tokens } = client.chain
  const totals = tokens.map((token) => newTotals(networkId, token))
  const findings = findingsOn(networkId, found)
  const unread: ChainReport = {
    networkId,
    block: null,
    blockHash: null,
    head: null,
    deposits: 0,
    sweeps: 0,
    tokens: totals,
    x402: { forwarders: 0, payments: 0, payouts: 0, tokens: [] },
  }
  try {
    const pin = await pinBlock(database, client, findings)
    if (pin === null) return unread
    const comparison: Comparison = {
      ...findings,
      database,
      client,
      hubs,
      block: pin.block,
      view: { number: pin.block, hash: pin.blockHash },
      totals: new Map(totals.map((entry) => [entry.token, entry])),
    }
    const deposits = await compareDeposits(comparison)
    // After the deposits, whose pass sums up the fees for the comparison of sweeps.
    const sweeps = await compareHubEvents(comparison)
    const x402 = await compareForwarders(comparison)
    await compareRelayers(comparison)
    return { ...unread, ...pin, deposits, sweeps, x402 }
  } catch (error) {
    if (!isRpcFault(error)) throw error
    const reason = error instanceof Error ? error.message.split('\n')[0] : error
    findings.differ('chain_unreachable', {}, `${networkId} could not be read: ${reason}`)
    return unread
  }
}

async function pinBlock(
  database: Queryable,
  client: ChainClient,
  { differ, note }: Findings,
): Promise<{ block: bigint; blockHash: Hex; head: bigint } | null> {
  const { networkId, confirmations } = client.chain
  const [state, head, genesis] = await Promise.all([
    readChainState(database, networkId),
    readHead(client.rpc),
    genesisHash(client.rpc),
  ])
  if (state && state.genesisHash !== genesis) {
    const message = `the node's first block is ${genesis}, in the ledger ${state.genesisHash}`
    differ('another_chain', {}, message)
    return null
  }
  const confirmed = max(newestConfirmed(head.number, confirmations), 0n)
  const projected = state?.projectedBlock ?? confirmed
  const block = min(projected, confirmed)
  if (!state) note(`no worker has followed ${networkId} yet`)
  if (confirmed - block > lagTolerance(client.chain)) {
    differ(
      'ledger_behind',
      { ledger: block, chain: confirmed },
      `the ledger has processed ${networkId} up to block ${block}, the confirmed head is ${confirmed}`,
    )
  }
  const { hash } = await viewAt(client.rpc, block)
  return { block, blockHash: hash, head: head.number }
}

/** The maximum number of listed violations per kind. */
const LISTED = 1_000

const AUDITS = [
  ['refund_shares_differ', refundViolations],
  ['relayer_transaction', transactionViolations],
  ['payment_state', paymentViolations],
  ['payment_overdue', overduePayments],
] as const

/** Internal contradictions of the ledger, on the compared chains. */
async function ledgerViolations(
  database: Queryable,
  covered: ReadonlySet<string>,
): Promise<Difference[]> {
  const [figures, ...violations] = await Promise.all([
    wrongFigures(database, LISTED),
    ...AUDITS.map(async ([kind, audit]) =>
      (await audit(database, LISTED)).map(
        ({ networkId, subject, message }): Difference => ({
          networkId,
          message: `${subject}: ${message}`,
          kind,
        }),
      ),
    ),
  ])
  const wrong = figures.map(
    ({ figure, invoiceId, stored, derived }): Difference => ({
      kind: 'figures_differ',
      networkId: null,
      invoiceId,
      ledger: stored,
      message: `${figure} of invoice ${invoiceId} is ${stored} base units, its rows add up to ${derived}`,
    }),
  )
  return [...wrong, ...violations.flat()].filter(
    ({ networkId }) => networkId === null || covered.has(networkId),
  )
}

/** A notice for each chain that has payments but was not compared. */
async function uncovered(database: Queryable, covered: ReadonlySet<string>): Promise<string[]> {
  const others = [...(await chainsWithMoney(database))].filter(([id]) => !covered.has(id))
  return others.map(
    ([networkId, count]) =>
      `${count} payments and settlements on ${networkId} were not compared: it has no RPC URL`,
  )
}
