import { hasCode } from '../../chain/blocks/accounts.ts'
import { viewAt } from '../../chain/blocks/blocks.ts'
import type { TokenMovement } from '../../chain/tokens/transfers.ts'
import { min } from '../../core/base/integers.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import { PAYOUT_BLOCKS_PER_STRIDE } from '../../core/x402/payoutStride.ts'
import { type ForwarderRef, readX402Progress } from '../../store/books/x402Reconciliation.ts'
import { type Comparison, lagTolerance } from './comparison.ts'
import { type ForwarderTotals, newForwarderTotals } from './report.ts'

/** The comparison of a chain's forwarders, log by log, in the chain's order. */
export interface ForwarderComparison extends Comparison {
  readonly forwarders: readonly ForwarderRef[]
  /** The chain's tokens that are deployed. */
  readonly tokens: readonly TokenOnChain[]
  readonly accounts: ReadonlyMap<string, ForwarderAccount>
  readonly sums: ReadonlyMap<Address, ForwarderTotals>
  /** The chain's head when its first payment was claimed; null without payments. */
  readonly firstBlock: bigint | null
  /** The ids of booked payouts with an event of the hub. */
  readonly matched: Set<string>
}

/** One token in one forwarder. Amounts in base units. */
export interface ForwarderAccount {
  readonly forwarder: ForwarderRef
  readonly token: TokenOnChain
  /** The balance by the token's transfers so far. */
  balance: bigint
  /** Unattributed receipts since the last payout, */
  unattributed: bigint
  /** and the newest transaction among them. */
  unattributedFrom: Hex | null
  /** Fees whose transfer the token refused and that are still there. */
  feesHeld: bigint
  /** The first booked payout leaves one base unit behind permanently. */
  wasPaidOut: boolean
  /** Outgoing transfers without a payout. */
  gone: TokenMovement[]
}

export async function openForwarders(
  comparison: Comparison,
  forwarders: readonly ForwarderRef[],
): Promise<ForwarderComparison> {
  const { client, database } = comparison
  const { networkId, tokens } = client.chain
  const { bookedBlock, firstBlock } = await readX402Progress(database, networkId)
  const latest = comparison.block
  const block = min(bookedBlock ?? latest, latest)
  const view = await viewAt(client.rpc, block)
  const codes = await Promise.all(tokens.map(({ address }) => hasCode(client.rpc, address, view)))
  const deployed = tokens.filter((_, i) => codes[i])
  const waiting = PAYOUT_BLOCKS_PER_STRIDE + BigInt(client.chain.finalityDepth)
  if (latest - block > waiting + lagTolerance(client.chain)) {
    comparison.differ(
      'ledger_behind',
      { ledger: block, chain: latest },
      `payouts of forwarders are booked up to block ${block}, the rest of the ledger up to ${latest}`,
    )
  }
  const accounts = forwarders.flatMap((forwarder) =>
    deployed.map((token) => newAccount(forwarder, token)),
  )
  return {
    ...comparison,
    block,
    view,
    forwarders,
    tokens: deployed,
    accounts: new Map(
      accounts.map((account) => [keyOf(account.forwarder.address, account.token.address), account]),
    ),
    sums: new Map(tokens.map((token) => [token.address, newForwarderTotals(networkId, token)])),
    firstBlock,
    matched: new Set(),
  }
}

function newAccount(forwarder: ForwarderRef, token: TokenOnChain): ForwarderAccount {
  return {
    forwarder,
    token,
    balance: 0n,
    unattributed: 0n,
    unattributedFrom: null,
    feesHeld: 0n,
    wasPaidOut: false,
    gone: [],
  }
}

function keyOf(forwarder: Address, token: Address): string {
  return `${forwarder} ${token}`
}

export function accountOf(
  { accounts }: ForwarderComparison,
  forwarder: Address,
  token: Address,
): ForwarderAccount | undefined {
  return accounts.get(keyOf(forwarder, token))
}
