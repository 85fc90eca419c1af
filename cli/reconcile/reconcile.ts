import { BaseError } from 'viem'
import { genesisHash, headerAt, readHead } from '../../chain/blocks.ts'
import { type ChainClient, openChain } from '../../chain/client.ts'
import { isRpcFault } from '../../chain/faults.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Config } from '../../core/config/processes.ts'
import { max, min } from '../../core/integers.ts'
import { settlementOffences, transactionOffences, wrongFigures } from '../../store/books/audit.ts'
import { chainsWithMoney, hubsInUse } from '../../store/books/reconciliation.ts'
import { refundOffences } from '../../store/books/refundAudit.ts'
import { overduePayments, paymentOffences } from '../../store/books/x402Audit.ts'
import { readChainState } from '../../store/chain/state.ts'
import type { Queryable } from '../../store/database.ts'
import { compareDeposits } from './deposits/balances.ts'
import { lagTolerance, type Scene } from './findings/comparison.ts'
import {
  type ChainReport,
  type Difference,
  type Findings,
  newTotals,
  type Report,
} from './findings/report.ts'
import { compareSweeps } from './hub/sweeps.ts'
import { compareRelayers } from './relayers.ts'
import { compareForwarders } from './x402/forwarders.ts'

/**
 * Compares the ledger with the chains, to the unit. Every chain is compared at one block that has its
 * confirmations and that the ledger has seen, so that nothing in flight looks like a difference.
 */

export interface ReconcileInput {
  readonly database: Queryable
  readonly config: Pick<Config, 'hub' | 'chains'>
  /** Only this chain; null for every chain of the configuration. */
  readonly only: string | null
  readonly now: Date
}

/** The most offences of one kind that are listed; more of them tell nothing new. */
const LISTED = 1_000

export async function reconcile(input: ReconcileInput): Promise<Report> {
  const { database, config, only, now } = input
  const chains = config.chains.filter((chain) => only === null || chain.networkId === only)
  const findings: Findings = { differences: [], notices: [] }
  const hubs = [...new Set([config.hub, ...(await hubsInUse(database))])]
  const reports = await Promise.all(
    chains.map((chain) => compareChain(database, openChain(chain), hubs, findings)),
  )
  const covered = new Set(chains.map((chain) => chain.networkId))
  if (only === null) await noteUncovered(database, covered, findings)
  findings.differences.push(...(await ledgerOffences(database, covered)))
  return {
    isClean: findings.differences.length === 0,
    checkedAt: now,
    chains: reports,
    differences: findings.differences,
    notices: findings.notices,
  }
}

async function compareChain(
  database: Queryable,
  client: ChainClient,
  hubs: readonly Address[],
  findings: Findings,
): Promise<ChainReport> {
  const { chain } = client
  const totals = chain.tokens.map((token) => newTotals(chain.networkId, token))
  const report = (part: Partial<ChainReport>): ChainReport => ({
    networkId: chain.networkId,
    block: null,
    blockHash: null,
    head: null,
    deposits: 0,
    sweeps: 0,
    tokens: totals,
    x402: { forwarders: 0, payments: 0, payouts: 0, tokens: [] },
    ...part,
  })
  try {
    const pin = await pinBlock(database, client, findings)
    if (pin === null) return report({})
    const scene: Scene = {
      database,
      client,
      hubs,
      block: pin.block,
      totals: new Map(totals.map((entry) => [entry.token, entry])),
      findings,
    }
    const deposits = await compareDeposits(scene)
    // After the deposits, whose pass sums up the fees that the sweeps are held against.
    const sweeps = await compareSweeps(scene)
    const x402 = await compareForwarders(scene)
    await compareRelayers(scene)
    return report({ ...pin, deposits, sweeps, x402 })
  } catch (error) {
    if (!isRpcFault(error)) throw error
    findings.differences.push({
      kind: 'chain_unreachable',
      networkId: chain.networkId,
      message: `${chain.networkId} could not be read: ${error instanceof Error ? firstLine(error.message) : error}`,
    })
    return report({})
  }
}

async function pinBlock(
  database: Queryable,
  client: ChainClient,
  findings: Findings,
): Promise<{ block: bigint; blockHash: string; head: bigint } | null> {
  const { networkId, confirmations } = client.chain
  const [state, head, genesis] = await Promise.all([
    readChainState(database, networkId),
    readHead(client.rpc),
    genesisHash(client.rpc),
  ])
  if (state && state.genesisHash !== genesis) {
    findings.differences.push({
      kind: 'another_chain',
      networkId,
      message: `the node's first block is ${genesis}, the ledger knows ${state.genesisHash}`,
    })
    return null
  }
  const confirmed = max(newestConfirmed(head.number, confirmations), 0n)
  const projected = state?.projectedBlock ?? confirmed
  const block = min(projected, confirmed)
  if (!state) findings.notices.push(`no worker has followed ${networkId} yet`)
  if (confirmed - block > lagTolerance(client.chain)) {
    findings.differences.push({
      kind: 'ledger_behind',
      networkId,
      ledger: block,
      chain: confirmed,
      message: `the ledger has seen ${networkId} up to block ${block}, and the chain has confirmed ${confirmed}`,
    })
  }
  const header = await headerAt(client.rpc, block)
  if (!header) throw new BaseError(`the node of ${networkId} has no block ${block}`)
  return { block, blockHash: header.hash, head: head.number }
}

/** What the ledger gets wrong by itself. */
async function ledgerOffences(
  database: Queryable,
  covered: ReadonlySet<string>,
): Promise<Difference[]> {
  const [figures, settlements, refunds, transactions, payments, overdue] = await Promise.all([
    wrongFigures(database, LISTED),
    settlementOffences(database, LISTED),
    refundOffences(database, LISTED),
    transactionOffences(database, LISTED),
    paymentOffences(database, LISTED),
    overduePayments(database, LISTED),
  ])
  return [
    ...figures.map(
      (wrong): Difference => ({
        kind: 'figures_differ',
        networkId: null,
        invoiceId: wrong.invoiceId,
        ledger: wrong.stored,
        message: `${wrong.figure} of invoice ${wrong.invoiceId} is ${wrong.stored} base units, its rows add up to ${wrong.derived}`,
      }),
    ),
    ...settlements.map((o): Difference => ({ ...offence(o), kind: 'settlement_state' })),
    ...refunds.map((o): Difference => ({ ...offence(o), kind: 'refund_shares_differ' })),
    ...transactions.map((o): Difference => ({ ...offence(o), kind: 'relayer_transaction' })),
    ...payments.map((o): Difference => ({ ...offence(o), kind: 'payment_state' })),
    ...overdue.map((o): Difference => ({ ...offence(o), kind: 'payment_overdue' })),
  ].filter((found) => found.networkId === null || covered.has(found.networkId))
}

function offence(o: { networkId: string; subject: string; message: string }) {
  return { networkId: o.networkId, message: `${o.subject}: ${o.message}` }
}

async function noteUncovered(
  database: Queryable,
  covered: ReadonlySet<string>,
  findings: Findings,
): Promise<void> {
  for (const [networkId, count] of await chainsWithMoney(database)) {
    if (covered.has(networkId)) continue
    findings.notices.push(
      `${count} payments and settlements on ${networkId} were not compared: it has no RPC URL`,
    )
  }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text
}
