import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey, type PrivateKeyAccount } from 'viem/accounts'
import { distributionEvents } from '../../../../chain/x402/distributions.ts'
import { addressOf } from '../../../../dev/stack/keys.ts'
import { tokenCall } from '../../../support/relayer/transactions.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import { type Presented, present } from '../../../support/x402/cases.ts'
import {
  newPayerWithKey,
  outbid,
  submitByOther,
  untilSent,
  whileMining,
} from '../../../support/x402/chain.ts'
import { eventsOf, paymentOf, untilStatus } from '../../../support/x402/ledger.ts'
import { PRICE, type Shop, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { expectBalanced, expectTruth, type Told, untilAtRest } from '../../../support/x402/truth.ts'

/** What is booked of payments and payouts when the blocks below them are replaced. */

const FUNDS = 1_000_000n

let stack: X402Stack
/** What the worker asks. */
let node: FakeRpc
const shops: Shop[] = []
const payers: { readonly address: string; readonly minted: bigint }[] = []

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 'manual' },
    workerRpcUrl: (url) => {
      node = startFakeRpc(url)
      return node.url
    },
  })
  shops.push(stack.merchant, await stack.newMerchant())
  // What the forwarders need is on the chain, far below everything that is replaced.
  await whileMining(stack, untilAllWorkIsDone())
  await stack.chain.mine(64)
}, 120_000)

afterAll(async () => {
  await stack?.close()
  await node?.stop()
})

describe('payments to two merchants, one of them submitted by another sender', () => {
  for (const depth of [1, 2, 5, 20]) {
    test(`are made and paid out again, from a depth of ${depth}`, async () => {
      const [foreign, ...own] = await payments([0, 0, 0, 1, 1, 1])
      if (foreign === undefined) throw new Error('there are no payments')
      const transaction = await submitByOther(stack, foreign)
      expect(await stack.settle(foreign.body)).toMatchObject({ success: true, transaction })
      const answers = Promise.all(own.map(told))
      for (const one of own) await untilSent(stack, one)
      await stack.chain.mine()
      const heard = await answers
      await stack.chain.mine(depth - 1)
      if (depth > 1) await eventually(unbooked, (rows) => rows.length === 0)

      await replaceBlocks(depth + 1)
      for (const one of [foreign, ...own]) await untilStatus(stack, one, 'pending')
      await whileMining(stack, untilAtRest(stack.database, 30_000))

      // The other sender's bytes are gone: what that payer signed was carried out by ours.
      const { txHash: made } = await paymentOf(stack, foreign)
      expect(made).not.toBe(transaction)
      expect(await expectTruth(stack, heard)).toMatchObject({ settled: 5, reverted: 0 })
      await expectBooksAsOnChain()
    }, 120_000)
  }

  test('are booked where they are when a payout comes back in a lower block', async () => {
    const [one] = await payments([0])
    if (one === undefined) throw new Error('there is no payment')
    const answer = stack.settle(one.body)
    const hash = await untilSent(stack, one)
    await stack.chain.mine()
    await answer
    await whileMining(stack, untilAtRest(stack.database, 30_000))
    const { blockNumber: before } = await paymentOf(stack, one)
    const [attempt] = await stack.database`select raw from relayer_attempt where hash = ${hash}`
    const head = await stack.chain.client.getBlockNumber()

    await replaceBlocks(Number(head - BigInt(before ?? 0)) + 4, [[attempt?.raw, 0]])
    await eventually(
      () => paymentOf(stack, one),
      (row) => row.status === 'settled' && row.blockNumber === BigInt(before ?? 0) - 3n,
    )
    await whileMining(stack, untilAtRest(stack.database, 30_000))
    await expectBooksAsOnChain()
  }, 120_000)
})

test('a payment that failed beside another is settled after all when the same bytes succeed', async () => {
  const { key, payer } = await newPayerWithKey(stack, PRICE)
  const [other] = await payments([0])
  if (other === undefined) throw new Error('there is no payment')
  const drained = await present(stack, { payer })
  node.rule(() => ({ type: 'drop_request' }))
  const answers = Promise.all([drained, other].map(({ body }) => stack.settle(body)))
  await untilSentTogether([drained, other])
  const elsewhere = addressOf(generatePrivateKey())
  await outbid(stack, key, tokenCall('transfer', [elsewhere, PRICE]))
  await stack.chain.mine()
  expect((await answers).map(({ error }) => error ?? 'none')).toEqual([
    'insufficient_funds',
    'none',
  ])

  await replaceBlocks(1)
  await whileMining(stack, untilStatus(stack, drained, 'confirmed'))
  await whileMining(stack, untilAtRest(stack.database, 30_000))
  expect(await eventsOf(stack, drained)).toEqual(['x402.payment.failed', 'x402.payment.settled'])
  payers.push({ address: payer.address, minted: PRICE })
  await expectBooksAsOnChain()
}, 120_000)

test('a payment that someone was at work on is booked afterwards, also when no block follows', async () => {
  const [one] = await payments([0])
  if (one === undefined) throw new Error('there is no payment')
  const answer = stack.settle(one.body)
  await untilSent(stack, one)
  await stack.chain.mine()
  await answer
  const { id } = await paymentOf(stack, one)
  await stack.database.begin(async (sql) => {
    await sql`select from x402_payment where id = ${id} for update`
    await stack.chain.mine()
    const booked = () => sql`
      select from x402_distribution d join x402_payment p on p.tx_hash = d.tx_hash where p.id = ${id}`
    await eventually(booked, (rows) => rows.length === 1)
  })
  await eventually(unbooked, (rows) => rows.length === 0)
  await expectBooksAsOnChain()
}, 120_000)

test('a node that lags behind leaves no payout unbooked', async () => {
  const [one] = await payments([1])
  if (one === undefined) throw new Error('there is no payment')
  node.rule(({ method }) => (method === 'eth_getLogs' ? { type: 'stale', blocks: 10 } : undefined))
  await whileMining(stack, stack.settle(one.body))
  await whileMining(stack, untilStatus(stack, one, 'confirmed'))
  await stack.chain.mine(3)
  expect(await unbooked()).toHaveLength(1)
  node.rule()
  await whileMining(stack, untilAtRest(stack.database, 30_000))
  await expectBooksAsOnChain()
}, 120_000)

/** Payments to these shops, by payers whose money lies below everything that will be replaced. */
async function payments(places: readonly number[]): Promise<Presented[]> {
  const funded: PrivateKeyAccount[] = []
  for (const _ of places) funded.push(await stack.newPayer(FUNDS))
  payers.push(...funded.map(({ address }) => ({ address, minted: FUNDS })))
  await stack.chain.mine(25)
  return Promise.all(
    places.map((place, i) => {
      const [payer, to] = [funded[i], shops[place]?.forwarder]
      if (payer === undefined || to === undefined) throw new Error('there is no such shop')
      return present(stack, { payer, terms: { to }, requirements: { payTo: to } })
    }),
  )
}

/** Waits until payments that were claimed while nothing could be sent wait in one transaction. */
async function untilSentTogether(presented: readonly Presented[]): Promise<void> {
  await eventually(
    () => stack.database`select from x402_payment where status = 'pending'`,
    (pending) => pending.length === presented.length,
  )
  node.rule()
  const hashes = await Promise.all(presented.map((one) => untilSent(stack, one)))
  expect(new Set(hashes).size).toBe(1)
}

async function told({ authorization, body }: Presented): Promise<Told> {
  return { authorization, answers: [await stack.settle(body)], unanswered: 0 }
}

/** Replaces the newest blocks by as many others, which hold these signed transactions alone. */
async function replaceBlocks(depth: number, transactions: readonly unknown[] = []): Promise<void> {
  await stack.chain.node.rpc('anvil_reorg', [depth, transactions])
}

function untilAllWorkIsDone(): Promise<unknown> {
  return eventually(
    async () => (await stack.database`select from work_item where state <> 'settled'`).length,
    (open) => open === 0,
  )
}

/** Settled payments that belong to no payout yet. */
async function unbooked() {
  return await stack.database`
    select by_others, block_number, confirmed_at, distribution_id, fee from x402_payment
    where status = 'settled' and (confirmed_at is null or fee is null)`
}

/** The payouts that are booked are those on the chain, and every unit is where the ledger says. */
async function expectBooksAsOnChain(): Promise<void> {
  const { chain, database } = stack
  const head = await chain.client.getBlockNumber()
  const events = await distributionEvents(chain.client, [chain.hub], 0n, head)
  const rows = await database<{ place: string }[]>`
    select block_hash || ' ' || tx_hash || ' ' || log_index as place from x402_distribution`
  const places = events.map((event) => `${event.blockHash} ${event.txHash} ${event.logIndex}`)
  expect(rows.map(({ place }) => place).sort()).toEqual(places.sort())
  const [sum] = await database<{ bound: string }[]>`
    select coalesce(sum(amount), 0) as bound from x402_payment
    where distribution_id in (select id from x402_distribution)`
  expect(BigInt(sum?.bound ?? 0)).toBe(BigInt(payers.length) * PRICE)
  await expectBalanced(stack, payers, shops)
}
