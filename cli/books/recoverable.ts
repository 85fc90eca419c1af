import { hasCode, readNativeBalances } from '../../chain/blocks/accounts.ts'
import { isUnknownBlock, rpcErrorIn } from '../../chain/rpc/faults.ts'
import { readBalances } from '../../chain/tokens/balances.ts'
import { shortMessage } from '../../core/base/logging.ts'
import { type Address, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { unwatchedTokens } from '../../core/chain/registry.ts'
import type { Token } from '../../core/chain/tokens.ts'
import {
  type DepositBooks,
  type DepositRef,
  expectedBalance,
} from '../../store/books/reconciliation.ts'
import type { Comparison } from './comparison.ts'
import { reportMismatch } from './explain.ts'

/**
 * Compares native coin and unaccepted tokens with the submitted transactions. A
 * deposit must hold at least their amounts; such coins aren't watched, so a surplus is no difference.
 * Returns the books of unlisted tokens.
 */
export async function compareRecoverable(
  comparison: Comparison,
  deposits: readonly DepositRef[],
  books: readonly DepositBooks[],
): Promise<DepositBooks[]> {
  const depositOf = new Map(deposits.map((deposit) => [deposit.invoiceId, deposit]))
  const unknown: DepositBooks[] = []
  for (const [address, entries] of Map.groupBy(books, ({ token }) => token)) {
    const held = entries.filter((entry) => expectedBalance(entry) !== 0n)
    const token = unwatchedTokens(comparison.client.chain).find(
      (asset) => asset.address === address,
    )
    if (!token) {
      unknown.push(...held)
      continue
    }
    const booked = held.flatMap((entry) => {
      const deposit = depositOf.get(entry.invoiceId)
      return deposit ? [{ deposit, ledger: expectedBalance(entry) }] : []
    })
    const holders = booked.map(({ deposit }) => deposit.address)
    const balances = await balancesOf(comparison, token, holders)
    if (balances === null) continue
    for (const [i, { deposit, ledger }] of booked.entries()) {
      const chain = balances[i] ?? 0n
      // A negative amount means that more was refunded than received.
      if (ledger >= 0n && chain >= ledger) continue
      reportMismatch(comparison, { deposit, token, ledger, chain })
    }
  }
  return unknown
}

/** Null if the token doesn't respond, which must not hide other findings of the chain. */
async function balancesOf(
  { client, view, differ }: Comparison,
  { address, symbol }: Token,
  holders: readonly Address[],
): Promise<readonly bigint[] | null> {
  const { rpc } = client
  if (address === ZERO_ADDRESS) return readNativeBalances(rpc, holders, view)
  // A token without code has no balances to read.
  if (!(await hasCode(rpc, address, view))) return []
  try {
    return await readBalances(rpc, address, holders, view)
  } catch (error) {
    const answer = rpcErrorIn(error)
    if (answer === null || isUnknownBlock(error)) throw error
    differ(
      'token_unreadable',
      { token: address },
      `${symbol} at ${address} returns no balances of ${holders.length} deposits at block ${view.number}: ${shortMessage(answer.details)}`,
    )
    return null
  }
}
