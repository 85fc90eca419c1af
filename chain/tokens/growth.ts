import type { PublicClient } from 'viem'
import { atLeastZero, type BaseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { indexByBalance } from '../../core/invoice/state.ts'
import { hasCode, readNativeBalances } from '../blocks/accounts.ts'
import { type Header, headerAt } from '../blocks/blocks.ts'
import {
  isRateLimited,
  isRpcFault,
  isUnanswered,
  isUnknownBlock,
  UnknownBlockError,
} from '../rpc/faults.ts'
import { receiptsOf } from '../transactions/receipts.ts'
import { readBalances } from './balances.ts'
import { type TransferLog, transfersInBlock } from './transfers.ts'

/**
 * Money that no transaction and no log shows: coin that a contract sent on (batches of exchanges, multi-signature
 * wallets), and tokens that emit no standard event. The balance before and after the block shows it.
 */
export interface Growth {
  /** With the zero address as their sender, which is not known. */
  readonly transfers: readonly TransferLog[]
  /** Tokens whose balances at this block the node doesn't show: nothing is known of them. */
  readonly unread: readonly Address[]
}

/** Of more transactions that send coin to one address in one block, what they sent is not added up. */
const MOST_DIRECT = 50

/**
 * Reads by how much the balances of an address grew in a block beyond what its transactions and logs show. What left
 * the address in the same block makes it less. Throws an UnknownBlockError where the node has another block there.
 */
export async function readGrowth(
  client: PublicClient,
  at: Pick<TransferLog, 'txHash' | 'blockNumber' | 'blockHash'>,
  holder: Address,
  tokens: readonly Address[],
): Promise<Growth> {
  const header = await headerAt(client, at.blockNumber)
  if (header?.hash !== at.blockHash) {
    throw new UnknownBlockError('the chain moved while balances were read')
  }
  const { txHash, blockNumber, blockHash } = at
  const place = { txHash, blockNumber, blockHash, from: ZERO_ADDRESS, to: holder }
  const transfers: TransferLog[] = []
  const unread: Address[] = []
  for (const token of header.number === 0n ? [] : tokens) {
    const amount = await grownBy(client, header, holder, token)
    if (amount === null) unread.push(token)
    else if (amount > 0n) {
      transfers.push({ ...place, logIndex: indexByBalance(holder, token), token, amount })
    }
  }
  return { transfers, unread }
}

/** What nothing else explains; null where that is not known. */
async function grownBy(
  client: PublicClient,
  header: Header,
  holder: Address,
  token: Address,
): Promise<BaseUnits | null> {
  const before = { number: header.number - 1n, hash: header.parentHash }
  const balanceAt = (view: typeof before) =>
    token === ZERO_ADDRESS
      ? readNativeBalances(client, [holder], view)
      : readBalances(client, token, [holder], view)
  try {
    const isCoin = token === ZERO_ADDRESS
    // A contract without code holds nothing, and one that is younger than the block has no balance to read.
    if (!isCoin && !(await hasCode(client, token, before))) {
      return (await hasCode(client, token, header)) ? null : atLeastZero(0n)
    }
    const [[earlier], [later]] = await Promise.all([balanceAt(before), balanceAt(header)])
    if (earlier === undefined || later === undefined) return null
    if (later <= earlier) return atLeastZero(0n)
    const shown = isCoin
      ? await sentDirectly(client, header.hash, holder)
      : await logged(client, header.hash, holder, token)
    return shown === null ? null : atLeastZero(later - earlier - shown)
  } catch (error) {
    const isUnread = isRpcFault(error) && !isRateLimited(error) && !isUnanswered(error)
    if (isUnread && !isUnknownBlock(error)) return null
    throw error
  }
}

/** What the block's transactions themselves sent to an address; null where that is not known. */
async function sentDirectly(
  client: PublicClient,
  blockHash: Hex,
  holder: Address,
): Promise<bigint | null> {
  const { transactions } = await client.getBlock({ blockHash, includeTransactions: true })
  const direct = transactions.filter(({ to, value }) => to?.toLowerCase() === holder && value > 0n)
  if (direct.length > MOST_DIRECT) return null
  const receipts = await receiptsOf(
    client,
    direct.map(({ hash }) => hash),
  )
  const outcomes = new Map(receipts.map((receipt) => [receipt.hash, receipt]))
  let sent = 0n
  for (const { hash, value } of direct) {
    const receipt = outcomes.get(hash)
    if (receipt?.blockHash !== blockHash) return null
    if (receipt.succeeded) sent += value
  }
  return sent
}

/** What logs show; of a token that does emit them, its balance adds nothing. */
async function logged(
  client: PublicClient,
  blockHash: Hex,
  holder: Address,
  token: Address,
): Promise<bigint> {
  const transfers = await transfersInBlock(client, [token], [holder], blockHash)
  return transfers.length > 0 ? MORE_THAN_ANY : 0n
}

const MORE_THAN_ANY = 2n ** 256n
