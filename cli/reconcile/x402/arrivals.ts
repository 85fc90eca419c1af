import { paidAuthorizations } from '../../../chain/authorizationUse.ts'
import {
  AUTHORIZATIONS_PER_CALL,
  type CarriedAuthorization,
  carriedAuthorizations,
} from '../../../chain/carriedAuthorizations.ts'
import { receiptsOf } from '../../../chain/receipts.ts'
import { readInRanges } from '../../../chain/reconcile.ts'
import type { TokenMovement } from '../../../chain/tokenMovements.ts'
import type { Address } from '../../../core/evm.ts'
import type { TokenOnChain } from '../../../core/registry.ts'
import { ownAttempts } from '../../../store/audit.ts'
import {
  type PaymentRecord,
  paymentsBetween,
  settledPlaces,
} from '../../../store/x402Reconciliation.ts'
import { type ForwarderView, shown } from './view.ts'

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
    if (some.length === 0) continue
    const payments = await paymentsOf(view, token, some, blocks)
    for (const movement of some) {
      const payment = payments.get(placeOf(movement))
      // The ledger has it settled by another transfer, which is told where payments are compared.
      if (payment?.status === 'settled') stray.delete(movement)
      else if (payment) reportUnsettled(view, token, movement, payment)
    }
    const unknown = some.filter((movement) => !payments.has(placeOf(movement)))
    await reportWithoutRecord(view, token, unknown)
  }
  return stray
}

function placeOf({ txHash, logIndex }: Pick<TokenMovement, 'txHash' | 'logIndex'>): string {
  return `${txHash} ${logIndex}`
}

/** The payments whose authorizations these transfers carried out, by the transfer's place. */
async function paymentsOf(
  { database, client }: ForwarderView,
  token: TokenOnChain,
  movements: readonly TokenMovement[],
  { from, to }: Blocks,
): Promise<Map<string, PaymentRecord>> {
  const pairs = movements.map(({ other, holder }) => ({ payer: other, payTo: holder }))
  const promised = await paymentsBetween(database, client.chain.networkId, token.address, pairs)
  const byAuthorization = new Map(promised.map((p) => [`${p.payer} ${p.nonce}`, p]))
  const found = new Map<string, PaymentRecord>()
  for (let start = 0; start < promised.length; start += AUTHORIZATIONS_PER_CALL) {
    const some = promised.slice(start, start + AUTHORIZATIONS_PER_CALL)
    const asked = some.map(({ payer, nonce, payTo }) => ({ payer, nonce, payee: payTo }))
    const read = (first: bigint, last: bigint): Promise<CarriedAuthorization[]> =>
      carriedAuthorizations(client.rpc, token.address, asked, first, last)
    for await (const carried of readInRanges(from, to, read)) {
      for (const one of carried) {
        const payment = byAuthorization.get(`${one.payer} ${one.nonce}`)
        if (payment) found.set(placeOf(one), payment)
      }
    }
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

/** Transfers by our own transactions that carried an authorization nobody knows of any more. */
async function reportWithoutRecord(
  { database, client, findings }: ForwarderView,
  token: TokenOnChain,
  movements: readonly TokenMovement[],
): Promise<void> {
  const { networkId } = client.chain
  const hashes = [...new Set(movements.map(({ txHash }) => txHash))]
  const own = hashes.length === 0 ? new Set() : await ownAttempts(database, networkId, hashes)
  const ours = movements.filter(({ txHash }) => own.has(txHash))
  for (const [txHash, some] of Map.groupBy(ours, (movement) => movement.txHash)) {
    const [receipt] = await receiptsOf(client.rpc, [txHash])
    const paid = new Set(
      paidAuthorizations(token.address, receipt?.logs ?? []).map(({ logIndex }) => logIndex),
    )
    for (const movement of some.filter(({ logIndex }) => paid.has(logIndex))) {
      findings.differences.push({
        kind: 'payment_without_record',
        networkId,
        address: movement.holder,
        token: token.address,
        txHash,
        ledger: 0n,
        chain: movement.amount,
        message: withoutRecord(movement.other, movement, token),
      })
    }
  }
}

function withoutRecord(payer: Address, movement: TokenMovement, token: TokenOnChain): string {
  return `our transaction ${movement.txHash} brought ${shown(movement.amount, token)} of ${payer} to ${movement.holder}; the ledger has no payment for it`
}
