import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dieAt, workersOf } from '../../support/relayer/crashes.ts'
import {
  areAllDepositsConfirmed,
  dueDeposits,
  expectDepositedOnce,
} from '../../support/relayer/deposits.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { newForwarder } from '../../support/relayer/settles.ts'
import { expectUnbrokenNonces } from '../../support/relayer/sweeps.ts'
import { tokenCall, transact } from '../../support/relayer/transactions.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { fund } from '../../support/x402/chain.ts'

/** Workers that carry deposits into channels, several in one transaction, and die while they do. */

const SETTINGS = { X402_BATCH_MAX: '3' }

let rig: RelayerRig

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 4, mining: 100 })
}, 120_000)

afterAll(() => rig?.close())

for (const [step, when] of [
  ['assigned', 'between committing a transaction and sending it'],
  ['broadcast_sent', 'while it sends a transaction'],
  ['resolving', 'while it records what a transaction did'],
] as const) {
  test(`a worker that is killed ${when} loses no deposit and makes none twice`, async () => {
    const { database, due, spawn, areConfirmed } = await scene(6)
    await dieAt(step, spawn, areConfirmed)
    await expectDepositedOnce(database, rig.chain, due)
    await expectUnbrokenNonces(database, rig.chain)
  }, 180_000)
}

test('a deposit that fails on-chain stops none of those that it travels with', async () => {
  const { database, due, spawn, areConfirmed } = await scene(6)
  const [poor, ...good] = due
  if (poor === undefined) throw new Error('there is no deposit')
  await fund(rig.chain.node, poor.config.payer)
  const drain = tokenCall('transfer', [rig.chain.collector, poor.amount])
  await transact(rig.chain, poor.key, rig.chain.usdc.address, drain)
  // No leader books events here: as if it had, and had found none.
  await database`
    insert into chain_state (network_id, chain_id, genesis_hash, channels_block)
    values (${rig.chain.networkId}, 84532, ${`0x${'00'.repeat(32)}`}, 1000000000)
    on conflict (network_id) do update set channels_block = excluded.channels_block`
  const worker = spawn()
  await areConfirmed()
  worker.kill('SIGKILL')
  await worker.exited
  await expectDepositedOnce(database, rig.chain, good)
  const [failed] = await database`
    select status, reason from x402_channel_action where payer = ${poor.config.payer}`
  expect({ ...failed }).toEqual({
    status: 'failed',
    reason: 'invalid_batch_settlement_evm_deposit_transaction_failed',
  })
}, 180_000)

async function scene(count: number) {
  const { chain } = rig
  const database = await rig.ownDatabase()
  const merchant = await newForwarder(database, chain)
  await database`delete from work_item`
  const due = await dueDeposits(database, chain, merchant, count)
  const spawn = workersOf(rig, database, rig.ownKey(), SETTINGS)
  const areConfirmed = () =>
    eventually(
      () => areAllDepositsConfirmed(database),
      (areAll) => areAll,
      150_000,
    )
  return { database, due, spawn, areConfirmed }
}
