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
  settledPlaces,
} from '../../store/books/x402Reconciliation.ts'
import type { ForwarderComparison } from './forwarderAccounts.ts'
import { chunked } from './pages.ts'
import { amountText } from './words.ts'

interface Blocks {
  readonly from: bigint
  readonly to: bigint
}

/**
 * Which of these transfers into forwarders the ledger has settled no payment by. Those that carry an
 * authorization the ledger should know of are reported; the rest are plain transfers.
 */
export async function unattributedArrivals(
  comparison: ForwarderComparison,
  arrived: readonly TokenMovement[],
  blocks: Blocks,
): Promise<ReadonlySet<TokenMovement>> {
  const { database, client, tokens } = comparison
  const known = await settledPlaces(database, client.chain.networkId, arrived)
  const unattributed = new Set(arrived.filter((movement) => !known.has(placeOf(movement))))
  for (const token of tokens) {
    const some = [...unattributed].filter((movement) => movement.token === token.address)
    for (const { movement, payment } of await authorizedOf(comparison, token, some, blocks)) {
      // The ledger has it settled by another transfer, which is reported where payments are compared.
      if (payment?.status === 'settled') unattributed.delete(movement)
      else if (payment) reportUnsettled(comparison, token, movement, payment)
      else await reportWithoutRecord(comparison, token, movement)
    }
  }
  return unattributed
}

function placeOf({ txHash, logIndex }: Pick<TokenMovement, 'txHash' | 'logIndex'>): string {
  return `${txHash} ${logIndex}`
}

interface Authorized {
  readonly movement: TokenMovement
  /** Null when the ledger knows nothing of the authorization. */
  readonly payment: PaymentRecord | null
}

/** Those of these transfers that carried out an authorization, with its payment. */
async function authorizedOf(
  comparison: ForwarderComparison,
  token: TokenOnChain,
  movements: readonly TokenMovement[],
  blocks: Blocks,
): Promise<Authorized[]> {
  const { database, client } = comparison
  const { networkId } = client.chain
  const byPlace = new Map(movements.map((movement) => [placeOf(movement), movement]))
  const all = await carriedBy(comparison, token, movements, blocks)
  const carried = all.filter((one) => byPlace.has(placeOf(one)))
  const payments = await paymentsByAuthorization(database, networkId, token.address, carried)
  const byAuthorization = new Map(payments.map((p) => [`${p.payer} ${p.nonce}`, p]))
  return carried.flatMap((one) => {
    const movement = byPlace.get(placeOf(one))
    const payment = byAuthorization.get(`${one.payer} ${one.nonce}`) ?? null
    return movement ? [{ movement, payment }] : []
  })
}

/** Every authorization of those who sent these transfers, within the blocks. */
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
    const asked = { payers: page, payees, nonces: null }
    const read = async (first: bigint, last: bigint) => {
      const [signed, ...permits] = await Promise.all([
        carriedAuthorizations(client.rpc, token.address, asked, first, last),
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
    `${txHash} carried out payment ${id} with ${amountText(amount, token)}; the ledger ${ledger}`,
  )
}

/** An authorization that the ledger has no record of is others' business, unless our transaction carried it. */
async function reportWithoutRecord(
  { database, client, differ }: ForwarderComparison,
  token: TokenOnChain,
  { txHash, amount, holder, other }: TokenMovement,
): Promise<void> {
  if ((await ownAttempts(database, client.chain.networkId, [txHash])).size === 0) return
  differ(
    'payment_without_record',
    { address: holder, token: token.address, txHash, ledger: 0n, chain: amount },
    `our transaction ${txHash} brought ${amountText(amount, token)} of ${other} to ${holder}; the ledger has no payment for it`,
  )
}
