import { afterAll, beforeAll, expect, test } from 'bun:test'
import { CHANNELS_ABI } from '../../../chain/channels/abi.ts'
import { CHANNELS } from '../../../core/channels/channel.ts'
import { dueClaims, duePayout } from '../../support/relayer/channelClaims.ts'
import { dieAt, workersOf } from '../../support/relayer/crashes.ts'
import {
  areAllDepositsConfirmed,
  dueDeposits,
  expectDepositedOnce,
} from '../../support/relayer/deposits.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { newForwarder } from '../../support/relayer/settles.ts'
import { expectUnbrokenNonces } from '../../support/relayer/sweeps.ts'
import { eventually } from '../../support/servers/devStack.ts'

/** Workers that die while they carry deposits into channels, claim from them and pay receivers out. */

let rig: RelayerRig

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 8, mining: 100 })
}, 120_000)

afterAll(() => rig?.close())

async function scene(count: number) {
  const { chain } = rig
  const database = await rig.ownDatabase()
  const merchant = await newForwarder(database, chain)
  await database`delete from work_item`
  const due = await dueDeposits(database, chain, merchant, count)
  const workers = workersOf(rig, database, rig.ownKey(), { X402_BATCH_MAX: '3' })
  const areConfirmed = () =>
    eventually(
      () => areAllDepositsConfirmed(database),
      (areAll) => areAll,
      150_000,
    )
  return { database, merchant, due, workers, areConfirmed }
}

for (const [step, when] of [
  ['assigned', 'between committing a transaction and sending it'],
  ['broadcast_sent', 'while it sends a transaction'],
  ['resolving', 'while it records what a transaction did'],
] as const) {
  test(`a worker that is killed ${when} loses no deposit and makes none twice`, async () => {
    const { database, due, workers, areConfirmed } = await scene(6)
    await dieAt(step, workers, areConfirmed)
    await expectDepositedOnce(database, rig.chain, due)
    await expectUnbrokenNonces(database, rig.chain)
  }, 180_000)
}

for (const step of ['assigned', 'broadcast_sent', 'resolving'] as const) {
  test(`a worker that is killed at "${step}" claims and pays out once, to the unit`, async () => {
    const { chain } = rig
    const { database, merchant, due, workers, areConfirmed } = await scene(3)
    await workers.work(areConfirmed)

    await dueClaims(database, chain, merchant, due)
    await dieAt(step, workers, areConfirmed)
    for (const { channelId, amount } of due) {
      const args = [channelId] as const
      const state = await chain.client.readContract({
        ...{ address: CHANNELS, abi: CHANNELS_ABI, functionName: 'channels', args },
      })
      expect(state).toEqual([amount, amount])
    }
    const total = due.reduce((sum, { amount }) => sum + amount, 0n)
    await duePayout(database, chain, merchant, total)
    await dieAt(step, workers, areConfirmed)
    expect(await chain.balance(merchant.forwarder)).toBe(total)
    const moved = await database<{ kind: string; moved: bigint }[]>`
      select kind, sum(moved) as moved from x402_channel_action where status = 'settled'
      group by kind order by kind`
    expect(moved.map((one) => ({ ...one }))).toEqual(
      ['claim', 'deposit', 'settle'].map((kind) => ({ kind, moved: total })),
    )
    await expectUnbrokenNonces(database, chain)
  }, 180_000)
}
