import { readInRanges } from '../../../chain/ranges.ts'
import { type TokenMovement, tokenMovements } from '../../../chain/token/transfers.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { Asset } from '../../../core/chain/registry.ts'
import { formatAmount } from '../../../core/money.ts'
import { bookedTransfers, type DepositRef } from '../../../store/books/reconciliation.ts'
import { signedAmount } from '../../terminal/output.ts'
import type { Mismatch, Scene } from '../findings/comparison.ts'
import type { Difference } from '../findings/report.ts'

/** Deposits whose transfers are looked up; beyond it something general is wrong, not a transfer. */
const EXPLAINED = 100

/** Turns mismatches into differences that name the transactions behind them, where they are found. */
export async function explain(
  scene: Scene,
  mismatches: readonly Mismatch[],
): Promise<Difference[]> {
  const reasons = new Map<Mismatch, string[]>()
  const some = mismatches.slice(0, EXPLAINED)
  for (const [token, group] of Map.groupBy(some, (mismatch) => mismatch.token)) {
    const movements = await movementsOf(
      scene,
      token,
      group.map((mismatch) => mismatch.deposit.address),
    )
    for (const mismatch of group) {
      const own = movements.filter((m) => m.holder === mismatch.deposit.address)
      reasons.set(mismatch, await reasonsFor(scene, mismatch.deposit, token, own))
    }
  }
  return mismatches.map((mismatch) => difference(scene, mismatch, reasons.get(mismatch) ?? []))
}

/** A mismatch in words, with the reasons that were found for it. */
export function difference(
  { client, block }: Scene,
  { deposit, token, ledger, chain }: Mismatch,
  reasons: readonly string[],
): Difference {
  const show = (amount: bigint) => signedAmount(amount, token.decimals)
  const words = [
    `the deposit of invoice ${deposit.invoiceId} holds ${show(chain)} ${token.symbol} at block ${block}, the ledger says ${show(ledger)}`,
    ...reasons,
  ]
  return {
    kind: chain > ledger ? 'deposit_holds_more' : 'deposit_holds_less',
    networkId: client.chain.networkId,
    invoiceId: deposit.invoiceId,
    address: deposit.address,
    token: token.address,
    ledger,
    chain,
    message: words.join('; '),
  }
}

async function movementsOf(
  { client, block }: Scene,
  token: Asset,
  holders: readonly Address[],
): Promise<TokenMovement[]> {
  const movements: TokenMovement[] = []
  const start = BigInt(client.chain.startBlock)
  const pieces = readInRanges(start, block, (from, to) =>
    tokenMovements(client.rpc, token.address, holders, from, to),
  )
  for await (const piece of pieces) movements.push(...piece)
  return movements
}

/** Transfers in that only one side knows. Movements out are compared with the hub's events elsewhere. */
async function reasonsFor(
  { database, client, block }: Scene,
  deposit: DepositRef,
  token: Asset,
  movements: readonly TokenMovement[],
): Promise<string[]> {
  const { networkId } = client.chain
  const booked = await bookedTransfers(database, networkId, deposit.invoiceId, token.address, block)
  const key = (transfer: { txHash: string; logIndex: number }) =>
    `${transfer.txHash} ${transfer.logIndex}`
  const seen = movements.filter((m) => m.direction === 'in' && m.amount > 0n)
  const inBooks = new Map(booked.map((transfer) => [key(transfer), transfer.amount]))
  const onChain = new Set(seen.map(key))
  const show = (amount: bigint) => `${formatAmount(amount, token.decimals)} ${token.symbol}`
  const missing = seen
    .filter((transfer) => !inBooks.has(key(transfer)))
    .map(
      (t) => `the ledger lacks ${show(t.amount)} received in ${t.txHash} (block ${t.blockNumber})`,
    )
  const wrong = seen
    .filter((t) => inBooks.has(key(t)) && inBooks.get(key(t)) !== t.amount)
    .map(
      (t) =>
        `${t.txHash} brought ${show(t.amount)}, the ledger says ${show(inBooks.get(key(t)) ?? 0n)}`,
    )
  const phantom = booked
    .filter((transfer) => !onChain.has(key(transfer)))
    .map((t) => `the chain has no transfer of ${show(t.amount)} in ${t.txHash}`)
  return [...missing, ...wrong, ...phantom]
}
