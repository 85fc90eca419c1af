import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { settleAccess } from '../../../store/database/access.ts'
import type { Database } from '../../../store/database/database.ts'
import { LEDGER_STEPS } from '../../../workers/ledger/steps.ts'
import { createLedger } from '../../../workers/ledger/turn.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { probeOf } from '../../../workers/turns/probe.ts'
import { ledgerRig } from '../../support/invoice/ledger.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { plans, play, seedAll } from '../../support/steps/acts.ts'
import { FAULTS, prepareFaults, RESPONSE_BYTES } from '../../support/steps/faults.ts'
import { LEDGER_SCENES } from '../../support/steps/ledgerSteps.ts'
import type { World } from '../../support/steps/scenes.ts'

/**
 * Faults befall things of every step of a ledger's turn, all of them in the same turns: the others come to their
 * ends, what is struck is quarantined and nothing of it is given up, and it comes to its end too once the fault
 * is over.
 */

const SILENT = pino({ level: process.env.STEPS_DEBUG ? 'debug' : 'silent' })
const TURNS = 4

let shared: RelayerRig
beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 1 })
}, 120_000)
afterAll(() => shared?.close())

for (const plan of plans()) {
  test(`${plan.name} befall things of each step`, async () => {
    const { node } = shared
    const world = await openWorld()
    const scenes = LEDGER_STEPS.flatMap((step) => {
      return LEDGER_SCENES[step].map((scene) => [step, scene] as const)
    })
    const acts = await seedAll(world, scenes)
    await play({ ...world, node }, acts, plan, () => turn(world))
  }, 240_000)
}

test('a class of fault that is not tried at a step can not reach it, for a reason', () => {
  expect(Object.keys(LEDGER_SCENES).toSorted()).toEqual(LEDGER_STEPS.toSorted())
  for (const { unreached } of Object.values(LEDGER_SCENES).flat()) {
    expect(Object.keys(unreached).length).toBeLessThan(FAULTS.length)
    for (const why of Object.values(unreached)) expect(why).not.toBe('')
  }
})

async function openWorld(): Promise<World> {
  const { chain, node } = shared
  node.rule()
  const database = await shared.ownDatabase()
  await prepareFaults(database)
  await database.unsafe(`
    create schema indexed;
    create table indexed.transfer (chain_id integer, block_hash text, block_number bigint,
      block_timestamp bigint, tx_hash text, log_index integer, token text, "from" text, "to" text,
      amount numeric);
    create table indexed._ponder_checkpoint (chain_id bigint, latest_checkpoint text)`)
  await settleAccess(database)
  const rig = await ledgerRig(database, chain, node.url, {
    RPC_MAX_RESPONSE_BYTES_BASE_SEPOLIA: String(RESPONSE_BYTES),
    X402_DISTRIBUTE_AFTER_S: '0',
  })
  await rig.advance()
  const { number, hash } = await chain.client.getBlock()
  return { chain, database, rig, block: { number, hash } }
}

/** Some turns of a process that has just begun, a block before each. */
async function turn({ chain, database, rig }: World): Promise<void> {
  const { client } = rig.projection
  // The pause between two rounds over deposits is over.
  await database`update chain_state set healed_at = null`
  const work = new LedgerWork(SILENT, probeOf(database, client))
  const heads = { newest: () => readHead(client.rpc) }
  const ledger = createLedger({ ...rig.projection, work }, heads, SILENT)
  for (let i = 0; i < TURNS; i += 1) {
    await chain.mine()
    await passHead(database, client.chain.chainId, await chain.client.getBlockNumber())
    await ledger.turn()
  }
}

/** The indexer has come this far. */
async function passHead(database: Database, chainId: number, head: bigint): Promise<void> {
  const checkpoint = `${'0'.repeat(26)}${String(head).padStart(16, '0')}`
  await database`delete from indexed._ponder_checkpoint`
  await database`
    insert into indexed._ponder_checkpoint (chain_id, latest_checkpoint)
    values (${chainId}, ${checkpoint})`
}
