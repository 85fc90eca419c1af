import { keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { bumpFees, type Fees } from '../../chain/fees.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { type Attempt, insertAttempt, type NewAttempt } from '../../store/relayer/attempts.ts'
import { lockLeasedKey } from '../../store/relayer/keys.ts'
import { lockSigned, type RelayerTx, requestCancel } from '../../store/relayer/transactions.ts'
import { attemptsOf, isNews, type RelayerContext, type SendingTurn } from './context.ts'
import { transact } from './transact.ts'

/** Making signed bytes. Nothing here sends them: they are committed first. */

/** What an empty transfer to ourselves costs. */
const CANCEL_GAS = 21_000n

export interface Unsigned {
  readonly chainId: number
  readonly accountNonce: bigint
  readonly target: Address
  readonly calldata: Hex
  readonly gasLimit: bigint
}

/** Signs an EIP-1559 transaction locally. */
export async function signAttempt(
  account: PrivateKeyAccount,
  tx: Unsigned,
  fees: Fees,
  isCancel = false,
): Promise<NewAttempt> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: tx.chainId,
    nonce: Number(tx.accountNonce),
    to: tx.target,
    data: tx.calldata,
    gas: tx.gasLimit,
    value: 0n,
    ...fees,
  })
  return { hash: keccak256(raw), raw, isCancel, ...fees }
}

/**
 * Makes new attempts where they are due: an empty one for a transaction that was given up, and a
 * better paid one for the lowest open account nonce when it has waited long enough or was called
 * underpriced. A bump that would offer more than nodes let through is not made. True when there is
 * something new to send.
 */
export async function renewAttempts(turn: SendingTurn): Promise<boolean> {
  let isRenewed = false
  for (const tx of turn.unfinished) {
    const last = attemptsOf(turn, tx.id).at(-1)
    const mined = turn.accountNonces.get(tx.address) ?? 0n
    if (tx.state !== 'signed' || last === undefined || tx.accountNonce < mined) continue
    const isFirstCancel = tx.cancelRequested && !last.isCancel
    if (isFirstCancel || (tx.accountNonce === mined && isBumpDue(turn, last))) {
      isRenewed = (await addAttempt(turn, tx, last, isFirstCancel || last.isCancel)) || isRenewed
    }
  }
  return isRenewed
}

function isBumpDue({ limits }: RelayerContext, last: Attempt): boolean {
  if (last.lastError === 'underpriced') return true
  return last.acceptedForMs !== null && last.acceptedForMs >= limits.bumpAfterMs
}

/** The fees of one more attempt, or null when more money won't help. */
function nextFees(last: Attempt, now: Fees, isCancel: boolean): Fees | null {
  // What no node has taken need not be outbid: fees may have fallen far below it.
  const isFirstCancel = isCancel && !last.isCancel && last.acceptedForMs === null
  return bumpFees(last, now) ?? (isFirstCancel ? now : null)
}

/** Commits one more attempt for an account nonce, under the key's fence. */
async function addAttempt(
  turn: SendingTurn,
  tx: RelayerTx,
  last: Attempt,
  isCancel: boolean,
): Promise<boolean> {
  const { log, memory, client, database } = turn
  const { id, address, accountNonce } = tx
  const lease = memory.leases.get(address)
  const account = turn.accounts.get(address)
  if (lease === undefined || account === undefined) return false
  const gasLimit = isCancel ? CANCEL_GAS : tx.gasLimit
  const fees = nextFees(last, turn.fees, isCancel)
  const isTooDear = fees !== null && gasLimit * fees.maxFeePerGas > client.chain.txFeeMax
  // What no node has taken goes out in smaller batches; what one has is left there to be mined.
  const isUntaken = attemptsOf(turn, id).every(({ acceptedForMs }) => acceptedForMs === null)
  if (isTooDear && isUntaken) await requestCancel(database, id)
  if (fees === null || isTooDear) {
    if (isNews(turn, `ceiling ${id}`, 60_000)) {
      log.warn({ tx: id, accountNonce }, 'fees are at their ceiling; still open')
    }
    return false
  }
  const attempt = await transact(turn, async (sql) => {
    if ((await lockLeasedKey(sql, lease)) === null) return null
    const stored = await lockSigned(sql, id)
    if (stored === null || stored.lastSeq !== last.seq) return null
    const unsigned: Unsigned = {
      chainId: client.chain.chainId,
      accountNonce,
      target: isCancel ? address : tx.target,
      calldata: isCancel ? '0x' : stored.calldata,
      gasLimit,
    }
    const signed = await signAttempt(account, unsigned, fees, isCancel)
    await insertAttempt(sql, tx, last.seq + 1, signed)
    return signed
  })
  if (attempt === null) return false
  log.info(
    { tx: id, accountNonce, hash: attempt.hash, isCancel },
    isCancel ? 'cancelling a transaction' : 'offering a higher fee',
  )
  return true
}
