import { readInRanges } from '../../chain/blocks/ranges.ts'
import { type TokenMovement, tokenMovements } from '../../chain/tokens/transfers.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Token } from '../../core/chain/tokens.ts'
import { bookedTransfers, type DepositRef } from '../../store/books/reconciliation.ts'
import type { Comparison } from './comparison.ts'
import { amountText } from './words.ts'

/** A deposit whose balance differs from the ledger. */
export interface Mismatch {
  readonly deposit: DepositRef
  readonly token: Token
  readonly ledger: bigint
  readonly chain: bigint
}

/** Maximum deposits whose transfers are searched; more mismatches have a general cause. */
const EXPLAINED = 100

/** Reports mismatches, with the transactions that cause them where found. */
export async function explain(
  comparison: Comparison,
  mismatches: readonly Mismatch[],
): Promise<void> {
  const reasons = new Map<Mismatch, string[]>()
  const some = mismatches.slice(0, EXPLAINED)
  for (const [token, group] of Map.groupBy(some, (mismatch) => mismatch.token)) {
    const holders = group.map(({ deposit }) => deposit.address)
    const received = await receipts(comparison, token, holders)
    for (const mismatch of group) {
      const own = received.filter(({ holder }) => holder === mismatch.deposit.address)
      reasons.set(mismatch, await reasonsFor(comparison, mismatch, own))
    }
  }
  for (const mismatch of mismatches) {
    reportMismatch(comparison, mismatch, reasons.get(mismatch) ?? [])
  }
}

export function reportMismatch(
  { differ, block }: Comparison,
  { deposit, token, ledger, chain }: Mismatch,
  reasons: readonly string[] = [],
): void {
  const { invoiceId, address } = deposit
  const holds = `the deposit of invoice ${invoiceId} holds ${amountText(chain, token)} at block ${block}, in the ledger ${amountText(ledger, token)}`
  differ(
    chain > ledger ? 'deposit_holds_more' : 'deposit_holds_less',
    { invoiceId, address, token: token.address, ledger, chain },
    [holds, ...reasons].join('; '),
  )
}

/** Receipts of deposits. Outgoing transfers are compared with the hub's events elsewhere. */
async function receipts(
  { client, block }: Comparison,
  token: Token,
  holders: readonly Address[],
): Promise<TokenMovement[]> {
  const found: TokenMovement[] = []
  const start = BigInt(client.chain.startBlock)
  const read = (from: bigint, to: bigint) =>
    tokenMovements(client.rpc, token.address, holders, from, to)
  const pieces = readInRanges(start, block, read, client.logRange)
  for await (const piece of pieces) {
    found.push(...piece.filter(({ direction, amount }) => direction === 'in' && amount > 0n))
  }
  return found
}

/** Transfers recorded by one side only, or with different amounts. */
async function reasonsFor(
  { database, client, block }: Comparison,
  { deposit, token }: Mismatch,
  received: readonly TokenMovement[],
): Promise<string[]> {
  const { networkId } = client.chain
  const booked = await bookedTransfers(database, networkId, deposit.invoiceId, token.address, block)
  const key = (transfer: { txHash: string; logIndex: number }) =>
    `${transfer.txHash} ${transfer.logIndex}`
  const bookedAmount = new Map(booked.map((transfer) => [key(transfer), transfer.amount]))
  const onChain = new Set(received.map(key))
  const show = (amount: bigint) => amountText(amount, token)
  const missing = received
    .filter((transfer) => !bookedAmount.has(key(transfer)))
    .map(
      (t) => `the ledger lacks ${show(t.amount)} received in ${t.txHash} (block ${t.blockNumber})`,
    )
  const wrong = received.flatMap((transfer) => {
    const amount = bookedAmount.get(key(transfer)) ?? transfer.amount
    if (amount === transfer.amount) return []
    return `${transfer.txHash} transferred ${show(transfer.amount)}, in the ledger ${show(amount)}`
  })
  const phantom = booked
    .filter((transfer) => !onChain.has(key(transfer)))
    .map((t) => `the chain has no transfer of ${show(t.amount)} in ${t.txHash}`)
  return [...missing, ...wrong, ...phantom]
}
