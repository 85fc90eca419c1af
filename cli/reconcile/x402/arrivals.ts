import {
  type CarriedAuthorization,
  carriedAuthorizations,
  TOPICS_PER_CALL,
} from '../../../chain/authorization/carried.ts'
import { readInRanges } from '../../../chain/ranges.ts'
import type { TokenMovement } from '../../../chain/token/transfers.ts'
import type { TokenOnChain } from '../../../core/chain/registry.ts'
import { ownAttempts } from '../../../store/books/audit.ts'
import {
  type PaymentRecord,
  paymentsByAuthorization,
  settledPlaces,
} from '../../../store/books/x402Reconciliation.ts'
import { type ForwarderView, shown } from './accounts.ts'

interface Blocks {
  readonly from: bigint
  readonly to: bigint
}

/**
 * Tells which of these transfers into forwarders the ledger has settled no payment by. Those that carry
 * an authorization the ledger should know of are reported; the rest is money that somebody sent.
 */
export async function strayArrivals(
  view: ForwarderView,
  arrived: readonly TokenMovement[],
  blocks: Blocks,
): Promise<ReadonlySet<TokenMovement>> {
  const { database, client, tokens } = view
  const known = await settledPlaces(database, client.chain.networkId, arrived)
  const stray = new Set(arrived.filter((movement) => !known.has(placeOf(movement))))
  for (const token of tokens) {
    const some = [...stray].filter((movement) => movement.token === token.address)
    for (const { movement, payment } of await authorizedOf(view, token, some, blocks)) {
      // The ledger has it settled by another transfer, which is told where payments are compared.
      if (payment?.status === 'settled') stray.delete(movement)
      else if (payment) reportUnsettled(view, token, movement, payment)
      else await reportWithoutRecord(view, token, movement)
    }
  }
  return stray
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
  view: ForwarderView,
  token: TokenOnChain,
  movements: readonly TokenMovement[],
  blocks: Blocks,
): Promise<Authorized[]> {
  const { database, client } = view
  const byPlace = new Map(movements.map((movement) => [placeOf(movement), movement]))
  const all = await carriedBy(view, token, movements, blocks)
  const carried = all.filter((one) => byPlace.has(placeOf(one)))
  const payments = await paymentsByAuthorization(
    database,
    client.chain.networkId,
    token.address,
    carried,
  )
  const byAuthorization = new Map(payments.map((p) => [`${p.payer} ${p.nonce}`, p]))
  return carried.flatMap((one) => {
    const movement = byPlace.get(placeOf(one))
    const payment = byAuthorization.get(`${one.payer} ${one.nonce}`) ?? null
    return movement ? [{ movement, payment }] : []
  })
}

/** Every authorization of those who sent these transfers, within the blocks. */
async function carriedBy(
  { client }: ForwarderView,
  token: TokenOnChain,
  movements: readonly TokenMovement[],
  { from, to }: Blocks,
): Promise<CarriedAuthorization[]> {
  const payers = [...new Set(movements.map(({ other }) => other))]
  const found: CarriedAuthorization[] = []
  for (let start = 0; start < payers.length; start += TOPICS_PER_CALL) {
    const some = new Set(payers.slice(start, start + TOPICS_PER_CALL))
    const theirs = movements.filter(({ other }) => some.has(other))
    const holders = new Set(theirs.map(({ holder }) => holder))
    const payees = holders.size > TOPICS_PER_CALL ? null : [...holders]
    const asked = { payers: [...some], payees, nonces: null }
    const read = (first: bigint, last: bigint) =>
      carriedAuthorizations(client.rpc, token.address, asked, first, last)
    for await (const carried of readInRanges(from, to, read)) found.push(...carried)
  }
  return found
}

function reportUnsettled(
  { client, findings }: ForwarderView,
  token: TokenOnChain,
  { txHash, amount, holder }: TokenMovement,
  payment: PaymentRecord,
): void {
  const isFailed = payment.status === 'failed'
  findings.differences.push({
    kind: isFailed ? 'failed_payment_moved_money' : 'payment_not_booked',
    networkId: client.chain.networkId,
    paymentId: payment.id,
    address: holder,
    token: token.address,
    txHash,
    ledger: 0n,
    chain: amount,
    message: `${txHash} carried out payment ${payment.id} with ${shown(amount, token)}; the ledger ${
      isFailed ? 'says that it failed' : 'still waits'
    }`,
  })
}

/** An authorization that nobody knows of is a stranger's own affair, unless our transaction carried it. */
async function reportWithoutRecord(
  { database, client, findings }: ForwarderView,
  token: TokenOnChain,
  { txHash, amount, holder, other }: TokenMovement,
): Promise<void> {
  const { networkId } = client.chain
  if ((await ownAttempts(database, networkId, [txHash])).size === 0) return
  findings.differences.push({
    kind: 'payment_without_record',
    networkId,
    address: holder,
    token: token.address,
    txHash,
    ledger: 0n,
    chain: amount,
    message: `our transaction ${txHash} brought ${shown(amount, token)} of ${other} to ${holder}; the ledger has no payment for it`,
  })
}
