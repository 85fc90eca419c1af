import { receiptsOf } from '../../chain/transactions/receipts.ts'
import { hasConfirmations, isFinal } from '../../core/chain/depth.ts'
import { lockInvoicesOf } from '../../store/invoice/sweeps.ts'
import { endTransactions, markConfirmed, type RelayerTx } from '../../store/relayer/transactions.ts'
import { itemsOf } from '../../store/relayer/workItems.ts'
import { attemptsOf, type RelayerTurn, recalculate } from './context.ts'
import { decideLeft } from './decide.ts'
import { idsOf, kindOf } from './kind.ts'
import { reclaim } from './observe.ts'
import { txName } from './stages.ts'
import { traceConfirmed } from './tracing.ts'
import { transact } from './transact.ts'
import { advanceItems, settledAmong } from './transition.ts'

/** What a transaction did counts once it has the chain's confirmations. */

/** Confirms what is deep enough, and ends what is deeper than reorganisations reach. */
export async function confirmDeep(turn: RelayerTurn): Promise<void> {
  const { confirmations, finalityDepth } = turn.client.chain
  const head = turn.head.number
  const deep = turn.unfinished.filter(({ state, minedBlock }) => {
    if (minedBlock === null || state === 'signed') return false
    // Another sender's transaction may be replaced by ours as long as a reorganisation can reach it.
    if (state === 'nonce_taken') return isFinal(minedBlock, head, finalityDepth)
    return hasConfirmations(minedBlock, head, confirmations)
  })
  const over = await turn.work.each('confirm', deep, txName, async (tx) => {
    const isOver = tx.state === 'mined' ? await confirm(turn, tx) : await isStillTaken(turn, tx)
    return isOver ? [tx] : []
  })
  const once = turn.unfinished.filter(({ state, kind }) => {
    return state !== 'signed' && turn.kinds[kind]?.isSingleUse
  })
  const left = new Set([...over.flat(), ...once].filter(({ hasOpenItems }) => hasOpenItems))
  await decideLeft(turn, [...left])
  const finals = over
    .flat()
    .filter((tx) => tx.minedBlock !== null && isFinal(tx.minedBlock, head, finalityDepth))
  await turn.work.together('final', finals, txName, (some) => endTransactions(turn.database, some))
}

/** Where another sender used the nonce, the chain decides, unless our receipt turned up after all. */
async function isStillTaken(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  const hashes = attemptsOf(turn, tx.id).map(({ hash }) => hash)
  const receipts = await receiptsOf(turn.client.rpc, hashes)
  if (receipts.length > 0) await reclaim(turn, tx)
  return receipts.length === 0
}

/** Confirms what a transaction did; what it left undone is decided item by item. */
async function confirm(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  if (tx.minedBlock === null) return false
  const canonical = await turn.memory.canonical.hashAt(tx.minedBlock)
  if (canonical !== tx.minedBlockHash) return false
  if (tx.isConfirmed) return true
  const kind = kindOf(turn, tx.kind)
  const isConfirmed = await transact(turn, async (sql) => {
    if (!(await markConfirmed(sql, tx))) return false
    await turn.step('confirming')
    const items = await itemsOf(sql, tx.id)
    await lockInvoicesOf(sql, idsOf(items))
    const done = settledAmong(items)
    await recalculate(turn, sql, await advanceItems(turn, sql, kind, 'confirmed', done))
    return true
  })
  if (isConfirmed !== true) return false
  await traceConfirmed(turn, tx.id)
  return true
}
