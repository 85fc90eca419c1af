import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { openKmsSigner } from '../../../chain/signers/awsKms.ts'
import { asMerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { Database } from '../../../store/database/database.ts'
import { ensureConfigured } from '../../../store/hub/registryEntries.ts'
import { readAlarms } from '../../../store/turns/alarms.ts'
import { refundRig } from '../../support/invoice/refunds.ts'
import { dieAgainAndAgain, dieAt, itemsFor, workersOf } from '../../support/relayer/crashes.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  dueSweeps,
  expectSweptOnce,
  expectUnbrokenNonces,
  isAllConfirmed,
} from '../../support/relayer/sweeps.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { AWS_VARIABLES, type FakeKms, startFakeKms } from '../../support/signers/kms.ts'

/** Workers whose keys are in AWS KMS: one that is slow or away delays, and neither loses nor doubles. */

const QUICK = { tryMs: 300, totalMs: 700 }
/** Long enough to look at what is locked meanwhile, and that nothing is asked for twice. */
const LONG = { tryMs: 3_000, totalMs: 3_000 }

let rig: RelayerRig
let chain: HubChain
let configKms: FakeKms
let refundKms: FakeKms

beforeAll(async () => {
  Object.assign(process.env, AWS_VARIABLES)
  rig = await openRelayerRig({ relayers: 8, mining: 100 })
  chain = rig.chain
  configKms = startFakeKms(chain.roles.configSigner)
  refundKms = startFakeKms(chain.roles.refundSigner)
}, 120_000)

beforeEach(() => {
  configKms.behave('signs')
  refundKms.behave('signs')
})

afterAll(async () => {
  await Promise.all([configKms, refundKms].map((kms) => kms?.close()))
  await rig?.close()
})

/** A database with sweeps that are due, and a relayer of its own whose key is in a KMS of its own. */
async function scene(sweeps: number) {
  const database = await rig.ownDatabase()
  const key = rig.ownKey()
  const kms = startFakeKms(key)
  const collected = await chain.balance(chain.collector)
  const due = await dueSweeps(database, chain, sweeps)
  return { database, key, kms, collected, due }
}

async function relayerOf(database: Database, key: Hex, kms: FakeKms, signing = QUICK) {
  const [relayer, config] = await Promise.all(
    [kms, configKms].map((one) => openKmsSigner(one.source, { signing })),
  )
  if (!relayer || !config) throw new Error('a signer is missing')
  const signers = { config, relayers: new Map([[chain.networkId, [relayer]]]) }
  return openRelayer(database, chain, { key, signers, variables: { RELAYER_LEASE_MS: '60000' } })
}

describe('a relayer whose keys are in a KMS', () => {
  test('settles, with one signature of the registry entry and of each transaction', async () => {
    const { database, key, kms, collected, due } = await scene(4)
    await settleAll(database, chain, [await relayerOf(database, key, kms, LONG)])
    await expectSweptOnce(database, chain, due, collected)
    await expectUnbrokenNonces(database, chain)
    const [attempts] = await database<{ count: number }[]>`
      select count(*)::integer as count from relayer_attempt`
    expect(kms.signed.length).toBe(attempts?.count ?? 0)
    await kms.close()
  }, 60_000)

  test('locks no row while it waits for a signature, and tells the operator when none comes', async () => {
    const { database, key, kms, collected, due } = await scene(2)
    const relayer = await relayerOf(database, key, kms, LONG)
    kms.behave('hangs')
    const before = kms.asked
    const turns = (async () => {
      while (kms.asked === before) await relayer.turn()
    })()
    await eventually(
      async () => kms.asked,
      (asked) => asked > before,
      20_000,
    )
    await database.begin(async (sql) => {
      await sql`select from relayer_key for update nowait`
      await sql`select from work_item for update nowait`
    })
    await turns
    expect(await readAlarms(database)).toMatchObject([
      { kind: 'signer', subject: kms.address, detail: expect.stringContaining('not answered') },
    ])
    kms.behave('throttles')
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, due, collected)
    await expectUnbrokenNonces(database, chain)
    await kms.close()
  }, 60_000)

  test('has a store sign so many entries for a transaction, and each of them once', async () => {
    const { database, key, kms } = await scene(0)
    const terms = { configVersion: 1, x402FeeBps: 50, x402FeeCap: baseUnits(5_000_000n) }
    await database.begin(async (sql) => {
      for (let i = 0; i < 20; i += 1) {
        const merchantId = asMerchantId(Bun.randomUUIDv7())
        const recipient = addressOf(generatePrivateKey())
        await sql`insert into merchant (id, name) values (${merchantId}, 'A shop')`
        await ensureConfigured(sql, chain, merchantId, recipient, terms)
      }
    })
    const before = configKms.signed.length
    // With time: an answer that a loaded machine gives too late would be asked for again.
    const relayer = await relayerOf(database, key, kms, LONG)
    await eventually(
      async () => {
        await relayer.turn()
        const [row] = await database<{ open: number }[]>`
          select count(*)::integer as open from work_item where state <> 'settled'`
        return row?.open
      },
      (open) => open === 0,
      40_000,
    )
    expect(configKms.signed.length - before).toBe(20)
    const sent = await database`select item_count from relayer_tx order by account_nonce`
    expect(sent.map(({ itemCount }) => itemCount)).toEqual([16, 4])
    await kms.close()
  }, 60_000)

  test('neither fails nor puts aside what a store refuses to sign', async () => {
    const { database, key, kms } = await scene(1)
    configKms.behave('refuses')
    const relayer = await relayerOf(database, key, kms)
    await step(chain, relayer, 3)
    const items = await database`select kind, state from work_item order by kind`
    expect([...items]).toEqual([
      { kind: 'configure', state: 'queued' },
      { kind: 'sweep', state: 'queued' },
    ])
    expect(await readAlarms(database)).toMatchObject([
      { kind: 'signer', detail: expect.stringContaining('AccessDenied') },
    ])
    configKms.behave('signs')
    await settleAll(database, chain, [relayer])
    await kms.close()
  }, 60_000)
})

describe('a worker that is killed while its KMS is slow', () => {
  const settings = (kms: FakeKms) => ({
    RELAYER_BATCH_MAX: '2',
    RELAYER_KEYS_BASE_SEPOLIA: '',
    RELAYER_SIGNERS_BASE_SEPOLIA: kms.url,
    CONFIG_SIGNER_KEY: '',
    CONFIG_SIGNER: configKms.url,
    REFUND_SIGNER_KEY: '',
    REFUND_SIGNER: refundKms.url,
  })
  const confirmed = (database: Database) =>
    eventually(
      () => isAllConfirmed(database),
      (isAll) => isAll,
      40_000,
    )

  test('before it commits what was signed for it, loses and repeats nothing', async () => {
    const { database, key, kms, collected, due } = await scene(6)
    kms.behave('throttles')
    const workers = workersOf(rig, database, key, settings(kms))
    await dieAt('before_assign_commit', workers, () => confirmed(database))
    await expectSweptOnce(database, chain, due, collected)
    await expectUnbrokenNonces(database, chain)
    await kms.close()
  }, 120_000)

  test('again and again, beside another one, still loses nothing', async () => {
    const { database, key, kms, collected, due } = await scene(itemsFor(30))
    kms.behave('throttles')
    configKms.behave('throttles')
    const workers = workersOf(rig, database, key, settings(kms))
    await dieAgainAndAgain(rig.node, workers, () => confirmed(database))
    await expectSweptOnce(database, chain, due, collected)
    await expectUnbrokenNonces(database, chain)
    await kms.close()
  }, 120_000)
})

test('a refund is signed by the KMS once, and arrives once', async () => {
  const own = await startHubChain({ relayers: 1 })
  const database = await freshDatabase()
  const kms = startFakeKms(own.roles.refundSigner)
  const refund = await openKmsSigner(kms.source, { signing: LONG })
  const rigOfRefunds = await refundRig(database, own, own.relayerKeys[0] ?? '0x', {
    signers: { refund },
  })
  const invoice = await rigOfRefunds.invoice()
  await rigOfRefunds.pay(invoice, 4_000_000n)
  kms.behave('fails')
  expect((await rigOfRefunds.ask(invoice, '1.5')).ok).toBe(true)
  await eventually(
    async () => {
      await rigOfRefunds.turn()
      return kms.asked
    },
    (asked) => asked > 0,
    30_000,
  )
  expect(await rigOfRefunds.refundOf(invoice)).toMatchObject({ status: 'open' })
  kms.behave('signs')
  await eventually(
    async () => {
      await rigOfRefunds.turn()
      return rigOfRefunds.refundOf(invoice)
    },
    ({ status }) => status === 'confirmed',
    30_000,
  )
  expect(kms.signed).toHaveLength(1)
  expect(await own.balance(invoice.depositAddress)).toBe(2_500_000n)
  await database.end()
  await kms.close()
  await own.node.stop()
}, 60_000)
