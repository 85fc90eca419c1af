import { readInRanges } from '../../chain/blocks/ranges.ts'
import { receiptsOf } from '../../chain/transactions/receipts.ts'
import {
  type CarriedAuthorization,
  carriedAuthorizations,
  TOPICS_PER_CALL,
} from '../../chain/x402/carriedAuthorizations.ts'
import { carriedPermits } from '../../chain/x402/carriedPermits.ts'
import { submittedPermits } from '../../chain/x402/permitUse.ts'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import { type PaymentRecord, settledPaymentsAfter } from '../../store/books/x402Reconciliation.ts'
import type { ForwarderComparison } from './forwarderAccounts.ts'
import { pagesOf } from './pages.ts'
import { amountText, contradictions } from './words.ts'

/**
 * Compares every settled payment with the token's logs: AuthorizationUsed and, directly after it, the
 * exact transfer, at the recorded position; or the hub's event of a payment by Permit2. Returns the number
 * of payments. Ids increase with time, so a page of payments is within a few blocks and takes one read.
 */
export async function comparePayments(comparison: ForwarderComparison): Promise<number> {
  const { database, client, block, tokens } = comparison
  const { networkId } = client.chain
  let count = 0
  for (const token of tokens) {
    const pages = pagesOf(
      ({ id }: PaymentRecord) => id,
      (after) =>
        settledPaymentsAfter(database, networkId, token.address, block, after, TOPICS_PER_CALL),
    )
    for await (const page of pages) {
      count += page.length
      await comparePage(comparison, token, page)
    }
  }
  return count
}

async function comparePage(
  comparison: ForwarderComparison,
  token: TokenOnChain,
  page: readonly PaymentRecord[],
): Promise<void> {
  const blocks = page.map(({ blockNumber }) => blockNumber ?? 0n)
  const first = blocks.reduce((a, b) => (b < a ? b : a))
  const last = blocks.reduce((a, b) => (b > a ? b : a))
  const carried = await carriedBetween(comparison, token, page, first, last)
  for (const [key, found] of await submittedAmong(comparison, token, page, carried)) {
    carried.set(key, found)
  }
  const missing = page.filter((payment) => !carried.has(keyOf(payment)))
  if (missing.length > 0) {
    // They may have been executed in other blocks than recorded.
    const start = BigInt(comparison.client.chain.startBlock)
    const elsewhere = await carriedBetween(comparison, token, missing, start, comparison.block)
    for (const [key, found] of elsewhere) carried.set(key, found)
  }
  for (const payment of page) compareOne(comparison, token, payment, carried.get(keyOf(payment)))
}

async function carriedBetween(
  { client }: ForwarderComparison,
  token: TokenOnChain,
  payments: readonly PaymentRecord[],
  first: bigint,
  last: bigint,
): Promise<Map<string, CarriedAuthorization>> {
  const query = {
    payers: [...new Set(payments.map(({ payer }) => payer))],
    payees: [...new Set(payments.map(({ payTo }) => payTo))],
    nonces: payments.map(({ nonce }) => nonce),
  }
  const permits = payments.filter(({ permitHub }) => permitHub !== null)
  const hubs = [...new Set(permits.flatMap(({ permitHub }) => permitHub ?? []))]
  const payers = [...new Set(permits.map(({ payer }) => payer))]
  const read = async (from: bigint, to: bigint) => {
    const [signed, ...byPermit] = await Promise.all([
      carriedAuthorizations(client.rpc, token.address, query, from, to),
      ...hubs.map((hub) => carriedPermits(client.rpc, hub, token.address, payers, from, to)),
    ])
    return [...signed, ...byPermit.flat()]
  }
  const found = new Map<string, CarriedAuthorization>()
  for await (const some of readInRanges(first, last, read, client.logRange)) {
    for (const one of some) found.set(keyOf(one), one)
  }
  return found
}

/** The hub emits no event for `exact` payments by Permit2 that others submitted: their receipts show the transfers. */
async function submittedAmong(
  { client }: ForwarderComparison,
  token: TokenOnChain,
  page: readonly PaymentRecord[],
  carried: ReadonlyMap<string, CarriedAuthorization>,
): Promise<Map<string, CarriedAuthorization>> {
  const found = new Map<string, CarriedAuthorization>()
  for (const payment of page) {
    const { permitHub, payer, nonce, txHash, logIndex } = payment
    if (permitHub === null || txHash === null || carried.has(keyOf(payment))) continue
    const [receipt] = await receiptsOf(client.rpc, [txHash])
    if (receipt === undefined) continue
    const transfer = submittedPermits(permitHub, receipt.logs).find(
      (one) => one.token === token.address && one.payer === payer && one.logIndex === logIndex,
    )
    if (transfer === undefined) continue
    const { to, amount: value } = transfer
    const { block, blockHash } = receipt
    found.set(keyOf(payment), {
      ...{ payer, nonce, to, value, block, blockHash, txHash },
      logIndex: transfer.logIndex,
    })
  }
  return found
}

function keyOf({ payer, nonce }: Pick<PaymentRecord, 'payer' | 'nonce'>): string {
  return `${payer} ${nonce}`
}

function compareOne(
  { differ, block }: ForwarderComparison,
  token: TokenOnChain,
  payment: PaymentRecord,
  carried: CarriedAuthorization | undefined,
): void {
  const { id, payTo, amount, nonce, payer, txHash } = payment
  const subject = {
    paymentId: id,
    address: payTo,
    token: token.address,
    txHash: txHash ?? undefined,
    ledger: amount,
    chain: carried?.value ?? 0n,
  }
  const what = `payment ${id} of ${amountText(amount, token)}`
  if (carried === undefined) {
    const message = `${what} is settled in the ledger, but up to block ${block} no transaction executed its authorization ${nonce} of ${payer}`
    differ('payment_without_transfer', subject, message)
    return
  }
  const words = contradictions([
    ['the amount is', amount, carried.value],
    ['the payee is', payTo, carried.to],
    ['the transaction is', txHash, carried.txHash],
    ['the log index is', payment.logIndex, carried.logIndex],
    ['the block is', payment.blockNumber, carried.block],
    ['its hash is', payment.blockHash, carried.blockHash],
  ])
  if (words.length > 0) differ('payment_differs', subject, `${what}: ${words.join('; ')}`)
}
