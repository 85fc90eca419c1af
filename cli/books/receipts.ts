import { readInRanges } from '../../chain/blocks/ranges.ts'
import type { TokenMovement } from '../../chain/tokens/transfers.ts'
import {
  type CarriedAuthorization,
  carriedAuthorizations,
  TOPICS_PER_CALL,
} from '../../chain/x402/carriedAuthorizations.ts'
import { carriedPermits } from '../../chain/x402/carriedPermits.ts'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import { ownAttempts } from '../../store/books/audit.ts'
import {
  type PaymentRecord,
  paymentsByAuthorization,
  settledTransfers,
} from '../../store/books/x402Reconciliation.ts'
import type { ForwarderComparison } from './forwarderAccounts.ts'
import { chunked } from './pages.ts'
import { amountText } from './words.ts'

interface Blocks {
  readonly from: bigint
  readonly to: bigint
}

/**
 * Transfers into forwarders that belong to no settled payment of the ledger. Those that execute an
 * authorization that the ledger should know are reported; the rest are plain transfers.
 */
export async function unattributedReceipts(
  comparison: ForwarderComparison,
  received: readonly TokenMovement[],
  blocks: Blocks,
): Promise<ReadonlySet<TokenMovement>> {
  const { database, client, tokens } = comparison
  const known = await settledTransfers(database, client.chain.networkId, received)
  const unattributed = new Set(received.filter((movement) => !known.has(positionOf(movement))))
  for (const token of tokens) {
    const some = [...unattributed].filter((movement) => movement.token === token.address)
    for (const { movement, payment } of await authorizedOf(comparison, token, some, blocks)) {
      // The ledger has it settled by another transfer: reported by the comparison of payments.
      if (payment?.status === 'settled') unattributed.delete(movement)
      else if (payment) reportUnsettled(comparison, token, movement, payment)
      else await reportWithoutRecord(comparison, token, movement)
    }
  }
  return unattributed
}

function positionOf({ txHash, logIndex }: Pick<TokenMovement, 'txHash' | 'logIndex'>): string {
  return `${txHash} ${logIndex}`
}

interface Authorized {
  readonly movement: TokenMovement
  /** Null if the ledger doesn't know the authorization. */
  readonly payment: PaymentRecord | null
}

/** The transfers that executed an authorization, with its payment. */
async function authorizedOf(
  comparison: ForwarderComparison,
  token: TokenOnChain,
  movements: readonly TokenMovement[],
  blocks: Blocks,
): Promise<Authorized[]> {
  const { database, client } = comparison
  const { networkId } = client.chain
  const byPlace = new Map(movements.map((movement) => [positionOf(movement), movement]))
  const all = await carriedBy(comparison, token, movements, blocks)
  const carried = all.filter((one) => byPlace.has(positionOf(one)))
  const payments = await paymentsByAuthorization(database, networkId, token.address, carried)
  const byAuthorization = new Map(payments.map((p) => [`${p.payer} ${p.nonce}`, p]))
  return carried.flatMap((one) => {
    const movement = byPlace.get(positionOf(one))
    const payment = byAuthorization.get(`${one.payer} ${one.nonce}`) ?? null
    return movement ? [{ movement, payment }] : []
  })
}

/** Every authorization of the senders of these transfers, within the blocks. */
async function carriedBy(
  { client, forwarders }: ForwarderComparison,
  token: TokenOnChain,
  movements: readonly TokenMovement[],
  { from, to }: Blocks,
): Promise<CarriedAuthorization[]> {
  const payers = [...new Set(movements.map(({ other }) => other))]
  const hubs = [...new Set(forwarders.map(({ hub }) => hub))]
  const found: CarriedAuthorization[] = []
  for (const page of chunked(payers, TOPICS_PER_CALL)) {
    const some = new Set(page)
    const theirs = movements.filter(({ other }) => some.has(other))
    const holders = new Set(theirs.map(({ holder }) => holder))
    const payees = holders.size > TOPICS_PER_CALL ? null : [...holders]
    const query = { payers: page, payees, nonces: null }
    const read = async (first: bigint, last: bigint) => {
      const [signed, ...permits] = await Promise.all([
        carriedAuthorizations(client.rpc, token.address, query, first, last),
        ...hubs.map((hub) => carriedPermits(client.rpc, hub, token.address, page, first, last)),
      ])
      return [...signed, ...permits.flat()]
    }
    const pieces = readInRanges(from, to, read, client.logRange)
    for await (const carried of pieces) found.push(...carried)
  }
  return found
}

function reportUnsettled(
  { differ }: ForwarderComparison,
  token: TokenOnChain,
  { txHash, amount, holder }: TokenMovement,
  { id, status }: PaymentRecord,
): void {
  const isFailed = status === 'failed'
  const ledger = isFailed ? 'has it as failed' : 'has it as pending'
  differ(
    isFailed ? 'failed_payment_moved_money' : 'payment_not_booked',
    { paymentId: id, address: holder, token: token.address, txHash, ledger: 0n, chain: amount },
    `${txHash} executed payment ${id} with ${amountText(amount, token)}; the ledger ${ledger}`,
  )
}

/** An authorization without a record in the ledger only matters if our transaction executed it. */
async function reportWithoutRecord(
  { database, client, differ }: ForwarderComparison,
  token: TokenOnChain,
  { txHash, amount, holder, other }: TokenMovement,
): Promise<void> {
  if ((await ownAttempts(database, client.chain.networkId, [txHash])).size === 0) return
  differ(
    'payment_without_record',
    { address: holder, token: token.address, txHash, ledger: 0n, chain: amount },
    `our transaction ${txHash} transferred ${amountText(amount, token)} of ${other} to ${holder}; the ledger has no payment for it`,
  )
}
