import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hubMovements } from '../../../chain/hub/movements.ts'
import { asRefundId, type RefundId } from '../../../core/base/ids.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import { dieAgainAndAgain, dieAt, itemsFor, workersOf } from '../../support/relayer/crashes.ts'
import { CRASHES } from '../../support/relayer/process.ts'
import { openRelayer, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { areAllSettlesConfirmed, dueSettles, newForwarder } from '../../support/relayer/settles.ts'
import { expectUnbrokenNonces } from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { eventually } from '../../support/servers/devStack.ts'

/** Workers that die by SIGKILL while they send x402 payments back. */

const SETTINGS = { RELAYER_BATCH_MAX: '2', X402_DISTRIBUTE_FROM: '1000' }

/** Where an order, a transaction or a figure could be lost; the rest is any kind's. */
const WHERE: ReadonlySet<string> = new Set([
  'before_assign_commit',
  'assigned',
  'resolving',
  'confirming',
])

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 5, mining: 100 })
  chain = rig.chain
}, 190_000)

afterAll(() => rig?.close())

/** So many confirmed payments in a forwarder, and a refund of a part of each that waits. */
async function scene(count: number) {
  const database = await rig.ownDatabase()
  const key = rig.ownKey()
  const merchant = await newForwarder(database, chain)
  const due = await dueSettles(database, chain, merchant, count)
  const first = openRelayer(database, chain, { key, variables: SETTINGS })
  while (!(await areAllSettlesConfirmed(database))) await step(chain, first)
  await first.release()
  const held = await chain.balance(merchant.forwarder)
  const asked: { readonly id: RefundId; readonly amount: bigint; readonly payer: Address }[] = []
  for (const [i, { authorization }] of due.entries()) {
    const amount = 1_000n + BigInt(i)
    const id = asRefundId(Bun.randomUUIDv7())
    await database`
      select ask_for_x402_refund(${id}, ${merchant.merchantId}, p.id, ${id}, ${amount.toString()},
        p.payer)
      from x402_payment p where p.payer = ${authorization.from}`
    asked.push({ id, amount, payer: authorization.from })
  }
  return {
    database,
    workers: workersOf(rig, database, key, SETTINGS),
    /** Each is with its payer once, and the forwarder holds the rest, to the unit. */
    async expectPaidBackOnce() {
      let back = 0n
      for (const { amount, payer } of asked) {
        expect(await chain.balance(payer)).toBe(amount)
        back += amount
      }
      expect(await chain.balance(merchant.forwarder)).toBe(held - back)
      const rows = await database<{ refunded: bigint; refunding: bigint }[]>`
        select sum(refunded) as refunded, sum(refunding) as refunding from x402_payment`
      expect(rows.map((row) => ({ ...row }))).toEqual([{ refunded: back, refunding: 0n }])
      const moved = await hubMovements(
        chain.client,
        [chain.hub],
        0n,
        await chain.client.getBlockNumber(),
      )
      const out = moved.filter(({ source }) => source === merchant.forwarder)
      expect(out.length).toBe(asked.length)
      const told = await database<{ type: string; objectId: RefundId }[]>`
        select type, object_id from outbox where type like 'refund.%'`
      expect(told.map(({ type }) => type)).toEqual(asked.map(() => 'refund.completed'))
      expect(new Set(told.map(({ objectId }) => objectId)).size).toBe(asked.length)
      await expectUnbrokenNonces(database, chain)
    },
  }
}

function ended(database: Database, limitMs: number): Promise<unknown> {
  return eventually(
    () => database`select from refund where status <> 'confirmed'`,
    (open) => open.length === 0,
    limitMs,
  )
}

describe('a worker that is killed', () => {
  for (const [crash, when] of CRASHES.filter(([name]) => WHERE.has(name))) {
    test(`${when} loses no refund and pays none twice`, async () => {
      const { database, workers, expectPaidBackOnce } = await scene(3)
      await dieAt(crash, workers, () => ended(database, 90_000))
      await expectPaidBackOnce()
    }, 190_000)
  }

  test('again and again, beside another one, with broadcasts dropped, still pays each once', async () => {
    const { database, workers, expectPaidBackOnce } = await scene(itemsFor(16))
    await dieAgainAndAgain(rig.node, workers, () => ended(database, 90_000))
    await expectPaidBackOnce()
  }, 190_000)
})
