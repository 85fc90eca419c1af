import type { Address, Hex } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { Database } from '../../../store/database/database.ts'
import { dueSweeps } from '../relayer/sweeps.ts'
import { send } from '../relayer/transactions.ts'
import { type FakeRpc, NOTHING_ARRIVES } from '../servers/fakeRpc.ts'
import {
  bare,
  noNodeFault,
  ROWS_ONLY,
  type Scene,
  THINGS,
  type Thing,
  type Unreached,
  type World,
  workUntil,
} from './scenes.ts'

/** Keys of a relayer: those whose accounts are asked about, those with bytes to send, and those that others use. */

/** What is tried of them, and at which stages of a relayer. */
export const KEY_STAGES = {
  leased: ['lease'],
  asked: ['nonce', 'operator', 'balance'],
  sending: ['deliver', 'renew'],
  watched: ['watch'],
} as const

interface Sent {
  readonly txId: bigint
  readonly address: Address
  readonly invoiceId: string
}

const LEASE_FIRST = "a key's own row is written for its lease first"
const ASKED_ONLY: Unreached = { 'statement timeout': LEASE_FIRST, violation: LEASE_FIRST }

/** Keys that have one transaction each, which ends when it is mined. */
function sentScene(name: string, unreached: Unreached, things: readonly Thing[]): Scene {
  return {
    name,
    unreached,
    seed: async () => things,
    async ended({ database }) {
      const rows = await database<{ address: string }[]>`
        select address from relayer_tx where state in ('mined', 'final')`
      return rows.map(({ address }) => address)
    },
  }
}

function leasedThing({ address: id }: Sent): Thing {
  return { id, calls: [], rows: [`"address": "${id}"`], subject: `lease ${id}` }
}

function askedThing({ address: id }: Sent): Thing {
  const [subject, ...besides] = KEY_STAGES.asked.map((stage) => `${stage} ${id}`)
  return { id, calls: [bare(id)], rows: [], subject: subject ?? '', besides }
}

/** By the sweep in its calldata, which stands in the rows of the transaction and of its attempts. */
function sendingThing({ address: id, invoiceId, txId }: Sent): Thing {
  const besides = [`renew transaction ${txId}`]
  return { id, calls: [], rows: [bare(invoiceId)], subject: `deliver ${id}`, besides }
}

/** Keys whose transaction no node has got, and with whose nonce another party has sent something. */
function watchScene(sent: readonly Sent[], keys: readonly Hex[]): Scene {
  return {
    name: 'a transaction whose account nonce somebody else has used',
    unreached: noNodeFault(
      'the account is asked for in the same words as its nonce, which comes first',
    ),
    async seed({ chain }) {
      const things: Thing[] = []
      for (const { address: id, txId } of sent) {
        const key = keys.find((one) => addressOf(one) === id) ?? '0x'
        const hash = await send(chain, key, id, '0x', { gas: 21_000n })
        things.push({ id, calls: [], rows: [hash], subject: `watch transaction ${txId}` })
      }
      await chain.mine()
      return things
    },
    async ended({ database }) {
      const rows = await database<{ address: string }[]>`
        select address from relayer_key where status = 'quarantined'`
      return rows.map(({ address }) => address)
    },
  }
}

/** One more thing to do: only while work waits are all keys asked about. */
export async function queueWork({ chain, database }: World): Promise<void> {
  await dueSweeps(database, chain, 1, { pays: 'recipient' })
}

function sentIn(database: Database): Promise<Sent[]> {
  return database<Sent[]>`
    select t.id as tx_id, t.address, s.invoice_id from relayer_tx t
    join work_item w on w.tx_id = t.id
    join settlement s on s.id = (w.payload->>'settlementId')::uuid order by t.id`
}

/** Has a relayer with these keys sign a sweep with each, which no node gets. */
export async function keyScenes(
  world: World & { readonly node: FakeRpc },
  keys: readonly Hex[],
  turn: () => Promise<void>,
): Promise<Readonly<Record<keyof typeof KEY_STAGES, Scene>>> {
  const { chain, database, node } = world
  await dueSweeps(database, chain, 4 * THINGS, { pays: 'recipient' })
  node.rule(NOTHING_ARRIVES)
  // One key takes a sweep at a time.
  let sent: readonly Sent[] = []
  const haveSigned = async () => {
    sent = await sentIn(database)
    return sent.length === 4 * THINGS
  }
  await workUntil('keys that have signed', haveSigned, turn)
  node.rule()
  const nth = (n: number) => sent.slice(n * THINGS, (n + 1) * THINGS)
  const [leased, asked, sending, watched] = [nth(0), nth(1), nth(2), nth(3)]
  // A node has called them underpriced.
  await database`
    update relayer_attempt set last_error = 'underpriced'
    where tx_id = any(${sending.map(({ txId }) => String(txId))}::bigint[])`
  const rows = noNodeFault('what a node answers to bytes is no fault of the turn')
  return {
    leased: sentScene('a key that is to be leased', ROWS_ONLY, leased.map(leasedThing)),
    asked: sentScene('a key whose account is asked about', ASKED_ONLY, asked.map(askedThing)),
    sending: sentScene('a key with bytes to send', rows, sending.map(sendingThing)),
    watched: watchScene(watched, keys),
  }
}
