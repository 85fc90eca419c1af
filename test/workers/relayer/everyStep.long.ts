import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { STAGES } from '../../../workers/relayer/stages.ts'
import { ledgerRig } from '../../support/invoice/ledger.ts'
import { openRelayer, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { newForwarder } from '../../support/relayer/settles.ts'
import { type Plan, plans, play, seedAll } from '../../support/steps/acts.ts'
import { prepareFaults, RESPONSE_BYTES } from '../../support/steps/faults.ts'
import { KEY_STAGES, keyScenes, queueWork } from '../../support/steps/keys.ts'
import { several, THINGS, type World, workUntil } from '../../support/steps/scenes.ts'
import { TRANSACTION_STAGES, transactionScenes } from '../../support/steps/transactions.ts'
import { workScenes } from '../../support/steps/work.ts'

/** The same for a relayer's turn: items of every kind of work, transactions at every stage, and keys. */

const TURNS = 8

let shared: RelayerRig
/** The chain as it was before any test, to which each goes back: the numbers of refunds are spent once. */
let snapshot: unknown
beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 4 * THINGS })
}, 120_000)
afterAll(() => shared?.close())

for (const plan of plans()) {
  test(`${plan.name} befall items of each kind of work`, () => playKinds(plan), 240_000)
  test(`${plan.name} befall transactions at each stage`, () => playStages(plan), 240_000)
  test(`${plan.name} befall keys`, () => playKeys(plan), 240_000)
}

test('every stage of a relayer is tried', () => {
  const tried = ['assign', ...TRANSACTION_STAGES, ...Object.values(KEY_STAGES).flat()]
  // What goes wrong with a step as a whole is another step's thing in none of these.
  expect([...tried, 'step'].toSorted()).toEqual(STAGES.toSorted())
})

async function playKinds(plan: Plan): Promise<void> {
  const { chain, node } = shared
  const world = await openWorld()
  const [key] = chain.relayerKeys
  if (key === undefined) throw new Error('the chain has no relayer key')
  const prepared = await preparedMerchants(world, key)
  const acts = await seedAll(world, Object.entries(workScenes(key, prepared)))
  await play({ ...world, node }, acts, plan, async () => {
    const relayer = openOne(world, [key])
    for (let i = 0; i < TURNS; i += 1) {
      // A refund of a payment waits until it is known that no payout has taken it.
      const head = await chain.client.getBlockNumber()
      await world.database`update chain_state set distributions_block = ${head}`
      await step(chain, relayer)
    }
    await relayer.release()
  })
}

async function playStages(plan: Plan): Promise<void> {
  const { chain, node } = shared
  const world = await openWorld()
  const keys = chain.relayerKeys.slice(0, 1)
  const before = openOne(world, keys, { RELAYER_BATCH_MAX: '1' })
  const scenes = await transactionScenes(world, () => before.turn())
  await before.release()
  const acts = await seedAll(world, Object.entries(scenes))
  await play({ ...world, node }, acts, plan, async () => {
    const { finalityDepth } = world.rig.projection.client.chain
    const relayer = openOne(world, keys)
    await relayer.turn()
    await chain.mine(finalityDepth)
    await step(chain, relayer, TURNS)
    await relayer.release()
  })
}

async function playKeys(plan: Plan): Promise<void> {
  const { chain, node } = shared
  const world = { ...(await openWorld()), node }
  const variables = { RELAYER_BATCH_MAX: '1', RELAYER_KEYS_PER_WORKER: `${4 * THINGS}` }
  const before = openOne(world, chain.relayerKeys, variables)
  const scenes = await keyScenes(world, chain.relayerKeys, () => before.turn())
  await before.release()
  const acts = await seedAll(world, Object.entries(scenes))
  await play(world, acts, plan, async () => {
    const relayer = openOne(world, chain.relayerKeys, variables)
    for (let i = 0; i < TURNS; i += 1) {
      await queueWork(world)
      await step(chain, relayer)
    }
    await relayer.release()
  })
}

async function openWorld(): Promise<World> {
  const { chain, node } = shared
  node.rule()
  if (snapshot !== undefined) await chain.node.rpc('evm_revert', [snapshot])
  snapshot = await chain.node.rpc('evm_snapshot', [])
  const database = await shared.ownDatabase()
  await prepareFaults(database)
  const rig = await ledgerRig(database, chain)
  await rig.advance()
  const { number, hash } = await chain.client.getBlock()
  return { chain, database, rig, block: { number, hash } }
}

function openOne(
  { chain, database }: World,
  keys: readonly Hex[],
  variables: Record<string, string> = {},
) {
  const [key] = keys
  if (key === undefined) throw new Error('there is no key')
  return openRelayer(database, chain, {
    key,
    rpcUrl: shared.node.url,
    isAdvancing: true,
    timing: { quarantineMs: 60_000 },
    variables: {
      RPC_MAX_RESPONSE_BYTES_BASE_SEPOLIA: String(RESPONSE_BYTES),
      RELAYER_KEYS_BASE_SEPOLIA: keys.join(','),
      ...variables,
    },
  })
}

/** Merchants whose forwarders are deployed and hold money, and who are in the hub's registry. */
async function preparedMerchants(
  world: World,
  key: Hex,
): Promise<readonly { readonly merchantId: MerchantId }[]> {
  const { chain, database } = world
  const merchants = await several(() => newForwarder(database, chain))
  await chain.mint(merchants.map(({ forwarder: to }) => ({ to, amount: 10_000_000n })))
  const relayer = openOne(world, [key])
  const isReady = async () => {
    const open = await database`
      select from work_item w left join relayer_tx t on t.id = w.tx_id
      where w.state <> 'settled' or t.confirmed_at is null`
    return open.length === 0
  }
  await workUntil('merchants in the registry', isReady, () => step(chain, relayer))
  await relayer.release()
  return merchants
}
