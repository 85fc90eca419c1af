import { dueSettles, newForwarder } from '../relayer/settles.ts'
import { type DueSweep, dueSweeps } from '../relayer/sweeps.ts'
import { send, tokenCall } from '../relayer/transactions.ts'
import { signCancellation } from '../x402/authorizations.ts'
import { newOtherSender } from '../x402/chain.ts'
import {
  bare,
  noNodeFault,
  type Scene,
  several,
  THINGS,
  type Thing,
  type World,
  workUntil,
} from './scenes.ts'

/** Transactions at every stage of their way: each carries one sweep, or some payments that fail. */

export const TRANSACTION_STAGES = ['observe', 'confirm', 'final', 'decide'] as const
type Stage = Exclude<(typeof TRANSACTION_STAGES)[number], 'decide'>

interface Sent {
  readonly txId: bigint
  readonly hash: string
}

async function transactionOf({ database }: World, { settlementId }: DueSweep): Promise<Sent> {
  const [row] = await database<Sent[]>`
    select a.tx_id, a.hash from work_item w join relayer_attempt a on a.tx_id = w.tx_id
    where w.payload->>'settlementId' = ${settlementId} order by a.seq desc limit 1`
  if (row === undefined) throw new Error('the sweep was not sent')
  return row
}

/** Whether all of these were signed, and their transactions (`t`) have come so far. */
async function haveCome(
  { database }: World,
  sweeps: readonly DueSweep[],
  reached: string,
): Promise<boolean> {
  const ids = sweeps.map(({ settlementId }) => settlementId)
  const rows = await database`
    select from work_item w join relayer_tx t on t.id = w.tx_id
    where w.payload->>'settlementId' = any(${ids}::text[]) and ${database.unsafe(reached)}`
  return rows.length === sweeps.length
}

/** Whether the node has the transactions of all of these. */
async function areInPool(world: World, sweeps: readonly DueSweep[]): Promise<boolean> {
  if (!(await haveCome(world, sweeps, 'true'))) return false
  for (const sweep of sweeps) {
    const { hash } = await transactionOf(world, sweep)
    if ((await world.chain.node.rpc('eth_getTransactionByHash', [hash])) === null) return false
  }
  return true
}

async function arePaymentsQueued({ database }: World): Promise<boolean> {
  const rows = await database`select from work_item where kind = 'x402' and state = 'queued'`
  return rows.length > 0
}

const ENDED: Readonly<Record<Stage, string>> = {
  observe: "state in ('mined', 'final')",
  confirm: 'confirmed_at is not null',
  final: "state = 'final'",
}

/** Sweeps whose transactions have come so far that this stage is next. */
function sweepScene(stage: Stage, sweeps: readonly DueSweep[]): Scene {
  const why = 'blocks are told by their numbers, and not by what is in them'
  return {
    name: `a transaction that is next to ${stage}`,
    unreached: stage === 'observe' ? {} : noNodeFault(why),
    async seed(world) {
      return several(async (i): Promise<Thing> => {
        const sweep = sweeps[i]
        if (sweep === undefined) throw new Error('there are too few sweeps')
        const { txId, hash } = await transactionOf(world, sweep)
        const subject = `${stage} transaction ${txId}`
        return { id: String(txId), calls: [bare(hash)], rows: [bare(sweep.invoiceId)], subject }
      })
    },
    async ended({ database }) {
      const rows = await database<{ id: bigint }[]>`
        select id from relayer_tx where ${database.unsafe(ENDED[stage])}`
      return rows.map(({ id }) => String(id))
    },
  }
}

/** Payments that were cancelled before our transaction came. */
function decideScene(payers: readonly string[]): Scene {
  return {
    name: 'a payment that our transaction did not carry out',
    unreached: {},
    async seed({ database }) {
      return several(async (i): Promise<Thing> => {
        const payer = payers[i] ?? ''
        const [row] = await database<{ id: string; itemId: bigint }[]>`
          select p.id, w.id as item_id from x402_payment p
          join work_item w on (w.payload->>'paymentId')::uuid = p.id where p.payer = ${payer}`
        const id = row?.id ?? ''
        const subject = `decide work item ${row?.itemId}`
        return { id, calls: [bare(payer)], rows: [`"id": "${id}"`], subject }
      })
    },
    async ended({ database }) {
      const rows = await database<{ id: string }[]>`
        select id from x402_payment where status = 'failed'`
      return rows.map(({ id }) => id)
    },
    async promised({ database }) {
      const rows = await database<{ id: string }[]>`
        select id from x402_payment where status = 'pending'`
      return rows.map(({ id }) => id)
    },
  }
}

/**
 * Brings transactions to each stage, with a relayer that sends one sweep in each. The last ones are sent, and no
 * block was mined since.
 */
export async function transactionScenes(
  world: World,
  turn: () => Promise<void>,
): Promise<Readonly<Record<Stage | 'decide', Scene>>> {
  const { chain, database } = world
  const newSweeps = () => dueSweeps(database, chain, THINGS, { pays: 'recipient' })
  const final = await newSweeps()
  const areFinal = () => haveCome(world, final, 't.confirmed_at is not null')
  await workUntil('confirmed transactions', areFinal, async () => {
    await turn()
    await chain.mine()
  })
  const observe = await newSweeps()
  const payers = await cancelled(world)
  const later = await database<{ id: bigint }[]>`
    update work_item set not_before = now() + interval '1 hour' where state = 'queued' returning id`
  const confirm = await newSweeps()
  await workUntil('transactions in the pool', () => areInPool(world, confirm), turn)
  // One block, with which they have one confirmation less than they need.
  await chain.mine()
  await workUntil('mined transactions', () => haveCome(world, confirm, "t.state = 'mined'"), turn)
  await database`
    update work_item set not_before = now() where id = any(${later.map(({ id }) => String(id))}::bigint[])`
  await workUntil('sent payments', async () => !(await arePaymentsQueued(world)), turn)
  await workUntil('transactions in the pool', () => areInPool(world, observe), turn)
  return {
    observe: sweepScene('observe', observe),
    confirm: sweepScene('confirm', confirm),
    final: sweepScene('final', final),
    decide: decideScene(payers),
  }
}

async function cancelled({ chain, database }: World): Promise<string[]> {
  const signed = await dueSettles(database, chain, await newForwarder(database, chain), THINGS)
  for (const one of signed) {
    const { from, nonce } = one.authorization
    const signature = await signCancellation(chain, one)
    const data = tokenCall('cancelAuthorization', [from, nonce, signature])
    await send(chain, await newOtherSender(chain), chain.usdc.address, data)
  }
  await chain.mine()
  return signed.map(({ authorization }) => authorization.from)
}
