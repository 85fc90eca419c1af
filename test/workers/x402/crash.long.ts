import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Hex } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import { dieAgainAndAgain, dieAt, itemsFor, workersOf } from '../../support/relayer/crashes.ts'
import { CRASHES } from '../../support/relayer/process.ts'
import { openRelayer, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  areAllSettlesConfirmed,
  dueSettles,
  expectSettledOnce,
  newForwarder,
  withOwnAddress,
} from '../../support/relayer/settles.ts'
import { expectUnbrokenNonces } from '../../support/relayer/sweeps.ts'
import { tokenCall, transact } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { eventually } from '../../support/servers/devStack.ts'
import type { SignedAuthorization } from '../../support/x402/authorizations.ts'
import { fund } from '../../support/x402/chain.ts'

/** Workers that die by SIGKILL while they carry out x402 payments. */

const SETTINGS = { X402_BATCH_MAX: '2', X402_DISTRIBUTE_FROM: '0', X402_DISTRIBUTE_AFTER_S: '0' }

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 12, mining: 100 })
  chain = rig.chain
}, 190_000)

afterAll(() => rig?.close())

async function scene(payments: number) {
  const database = await rig.ownDatabase()
  const key = rig.ownKey()
  const merchant = await newForwarder(database, chain)
  await settleForwarder(database, key)
  // Half of them go to the merchant's own address.
  const own = await withOwnAddress(database, chain, merchant)
  const direct = await dueSettles(database, chain, own, Math.floor(payments / 2))
  const split = await dueSettles(database, chain, merchant, payments - direct.length)
  const due = [...split, ...direct]
  return {
    ...{ database, due, workers: workersOf(rig, database, key, SETTINGS) },
    /** Each unit of the direct payments has arrived at the address, and no other. */
    async expectDirect() {
      const paid = direct.map(({ authorization }) => authorization.value)
      expect(await chain.balance(own.forwarder)).toBe(paid.reduce((a, b) => a + b, 0n))
    },
  }
}

/** Has the forwarder deployed first, so that a worker dies at a payment and at nothing else. */
async function settleForwarder(database: Database, key: Hex): Promise<void> {
  const first = openRelayer(database, chain, { key })
  const open = () => database`select from work_item where state <> 'settled'`
  while ((await open()).length > 0) await step(chain, first)
  await first.release()
}

function confirmed(database: Database, limitMs: number): Promise<boolean> {
  return eventually(
    () => areAllSettlesConfirmed(database),
    (areAll) => areAll,
    limitMs,
  )
}

/** The payer spends elsewhere what it has promised. */
async function drain({ key, authorization }: SignedAuthorization): Promise<void> {
  await fund(chain.node, authorization.from)
  const data = tokenCall('transfer', [chain.collector, authorization.value])
  await transact(chain, key, chain.usdc.address, data)
}

describe('a worker that is killed', () => {
  for (const [crash, when] of CRASHES) {
    test(`${when} loses no payment and makes none twice`, async () => {
      const { database, due, workers, expectDirect } = await scene(6)
      await dieAt(crash, workers, () => confirmed(database, 90_000))
      await expectSettledOnce(database, chain, due)
      await expectDirect()
      await expectUnbrokenNonces(database, chain)
    }, 190_000)
  }

  test('while it decides what became of a payment that failed, has it decided by the next one', async () => {
    const { database, due, workers } = await scene(3)
    const [drained, ...paid] = due
    if (drained === undefined) throw new Error('there is no payment')
    await drain(drained)
    // One that has failed is never confirmed.
    const open = () =>
      database`select from x402_payment where status <> 'failed' and confirmed_at is null`
    await dieAt('deciding', workers, () => eventually(open, ({ length }) => length === 0, 90_000))
    const rows = await database`
      select p.status, p.reason, o.type from x402_payment p join outbox o on o.object_id = p.id
      where p.payer = ${drained.authorization.from}`
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { status: 'failed', reason: 'insufficient_funds', type: 'x402.payment.failed' },
    ])
    await expectSettledOnce(database, chain, paid)
    await expectUnbrokenNonces(database, chain)
  }, 190_000)

  test('again and again, beside another one, with broadcasts dropped, still makes each once', async () => {
    const { database, due, workers, expectDirect } = await scene(itemsFor(60))
    await dieAgainAndAgain(rig.node, workers, () => confirmed(database, 90_000))
    await expectSettledOnce(database, chain, due)
    await expectDirect()
    await expectUnbrokenNonces(database, chain)
  }, 190_000)
})
