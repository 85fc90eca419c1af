import type { DigestSigner } from '../../chain/signers/signer.ts'
import { signTransaction } from '../../chain/signers/transaction.ts'
import { dataGas } from '../../chain/transactions/arbitrum.ts'
import { bumpFees, type Fees, type Replacement, withTip } from '../../chain/transactions/fees.ts'
import { min } from '../../core/base/integers.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import {
  type Attempt,
  insertAttempt,
  type NewAttempt,
  TIP_TOO_LOW,
  UNDERPRICED,
} from '../../store/relayer/attempts.ts'
import { lockLeasedKey } from '../../store/relayer/keys.ts'
import { lockSigned, type RelayerTx, requestCancel } from '../../store/relayer/transactions.ts'
import type { Sign } from '../signers/signatures.ts'
import {
  attemptsOf,
  isNews,
  type RelayerContext,
  type RelayerTurn,
  type SendingTurn,
} from './context.ts'
import { txName } from './stages.ts'
import { transactSigned } from './transact.ts'
import { isGivenUpWhenLate } from './wallets.ts'

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

/** An EIP-1559 transaction with its signature. */
export async function signAttempt(
  sign: Sign,
  account: DigestSigner,
  { chainId, accountNonce: nonce, target: to, calldata: data, gasLimit: gas }: Unsigned,
  fees: Fees,
  isCancel = false,
): Promise<NewAttempt> {
  const transaction = { chainId, nonce, to, data, gas, ...fees }
  const signed = await signTransaction(transaction, (digest) => sign(account, digest))
  return { ...signed, isCancel, ...fees }
}

/**
 * Makes new attempts where they are due: an empty one for a transaction that was given up, and a
 * better paid one for the lowest open account nonce when it has waited long enough or was called
 * underpriced. A bump that would offer more than nodes let through is not made. True when there is
 * something new to send.
 */
export async function renewAttempts(turn: SendingTurn): Promise<boolean> {
  const renewed = await turn.work.each('renew', turn.unfinished, txName, async (tx) => {
    const last = attemptsOf(turn, tx.id).at(-1)
    if (last === undefined || !isRenewalDue(turn, tx)) return false
    const isGivenUp = !tx.cancelRequested && isGivenUpWhenLate(tx, last)
    if (isGivenUp) await requestCancel(turn.database, tx.id)
    return addAttempt(turn, tx, last, tx.cancelRequested || isGivenUp || last.isCancel)
  })
  return renewed.includes(true)
}

/** True when another attempt should be made for a transaction. */
export function isRenewalDue(turn: RelayerTurn, tx: RelayerTx): boolean {
  const last = attemptsOf(turn, tx.id).at(-1)
  const mined = turn.accountNonces.get(tx.address)
  if (tx.state !== 'signed' || last === undefined || mined === undefined) return false
  if (tx.accountNonce < mined) return false
  if (tx.cancelRequested && !last.isCancel) return true
  return tx.accountNonce === mined && isBumpDue(turn, last)
}

function isBumpDue({ limits }: RelayerContext, last: Attempt): boolean {
  return (
    isUnderpriced(last) || (last.acceptedForMs !== null && last.acceptedForMs >= limits.bumpAfterMs)
  )
}

function isUnderpriced({ lastError }: Attempt): boolean {
  return lastError === UNDERPRICED || lastError === TIP_TOO_LOW
}

/** The fees of one more attempt, within what the operator allows and what nodes let through for its gas limit. */
function nextFees(
  turn: SendingTurn,
  last: Attempt,
  gasLimit: bigint,
  isCancel: boolean,
): Replacement {
  // A pool that names no least tip is found out by doubling.
  const now =
    last.lastError === TIP_TOO_LOW ? withTip(turn.fees, 2n * last.maxPriorityFeePerGas) : turn.fees
  const next = bumpFees(last, now, mostPerGas(turn, gasLimit), isUnderpriced(last))
  // What no node has taken need not be outbid: fees may have fallen far below it.
  const isFirstCancel = isCancel && !last.isCancel && last.acceptedForMs === null
  return isFirstCancel && next.type === 'enough' ? { type: 'fees', fees: turn.fees } : next
}

/** The most that a transaction with this gas limit may offer, in wei per gas. */
export function mostPerGas({ client }: RelayerContext, gasLimit: bigint): bigint {
  return min(client.chain.maxFeePerGas, client.chain.txFeeMax / gasLimit)
}

/**
 * No attempt may offer more. What no node has taken goes out in smaller batches where that allows more; what
 * one has is left there to be mined.
 */
async function reportCeiling(turn: SendingTurn, tx: RelayerTx, last: Attempt): Promise<void> {
  const { id, address, gasLimit } = tx
  const { txFeeMax, maxFeePerGas } = turn.client.chain
  const isUntaken = attemptsOf(turn, id).every(({ acceptedForMs }) => acceptedForMs === null)
  if (isUntaken && txFeeMax / gasLimit < maxFeePerGas) await requestCancel(turn.database, id)
  if (last.maxFeePerGas > turn.head.baseFeePerGas && !isUnderpriced(last)) return
  turn.alarms.raise('fee_ceiling', address, 'the most that a transaction may offer is too little')
}

/** Commits one more attempt for an account nonce, under the key's fence. */
async function addAttempt(
  turn: SendingTurn,
  tx: RelayerTx,
  last: Attempt,
  isCancel: boolean,
): Promise<boolean> {
  const { log, memory, client } = turn
  const { id, address, accountNonce } = tx
  const lease = memory.leases.get(address)
  const account = turn.accounts.get(address)
  if (lease === undefined || account === undefined) return false
  const gasLimit = isCancel ? CANCEL_GAS + dataGas(turn.dataGasPerByte, 0) : tx.gasLimit
  const next = nextFees(turn, last, gasLimit, isCancel)
  if (next.type !== 'fees') {
    if (next.type === 'capped') await reportCeiling(turn, tx, last)
    if (isNews(turn, `ceiling ${id}`, 60_000)) {
      log.warn({ tx: id, accountNonce, why: next.type }, 'fees are at their ceiling; still open')
    }
    return false
  }
  const { fees } = next
  const attempt = await transactSigned(turn, async (sql, sign) => {
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
    const signed = await signAttempt(sign, account, unsigned, fees, isCancel)
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
