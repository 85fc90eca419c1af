import { afterAll, beforeAll, beforeEach, expect, setSystemTime, test } from 'bun:test'
import pino from 'pino'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { announceHead } from '../../../store/chain/heads.ts'
import { openHeadReader } from '../../../workers/blocks/headReader.ts'
import { createLedger } from '../../../workers/ledger/turn.ts'
import { ledgerRig } from '../../support/invoice/ledger.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { storeItem } from '../../support/store/relayer.ts'

/** A chain's leader that rests: it follows the head, and does nothing else while nothing is open. */

const SILENT = pino({ level: 'silent' })
let shared: RelayerRig

beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 1 })
}, 120_000)
// The time stands still, however slow this machine is.
beforeEach(() => void setSystemTime(new Date()))
afterAll(async () => {
  setSystemTime()
  await shared?.close()
})

test('a leader that may rest makes whole turns for what is open, when it is woken, and now and then', async () => {
  const database = await shared.ownDatabase()
  const { chain } = shared
  const { projection } = await ledgerRig(database, chain)
  const heads = { newest: () => readHead(projection.client.rpc) }
  const { turn, rests } = createLedger(projection, heads, SILENT)
  // Only a whole turn notes the confirmed time.
  const turned = async (mayRest?: boolean) => {
    await chain.mine()
    await database`update chain_state set projected_block = 1000000, confirmed_time = null`
    await turn(mayRest)
    const [row] = await database<{ head: bigint; isNoted: boolean }[]>`
      select head, confirmed_time is not null as is_noted from chain_state`
    expect(row?.head).toBe(await chain.client.getBlockNumber())
    return row?.isNoted
  }
  expect(await rests()).toBe(false)
  expect(await turned(true)).toBe(true)
  expect(await turned(true)).toBe(false)
  expect(await rests()).toBe(true)
  expect(await turned()).toBe(true)
  expect(await rests()).toBe(true)
  expect(await turned(true)).toBe(false)

  const item = await storeItem(database, 'deploy', {}, { networkId: chain.networkId })
  expect(await rests()).toBe(false)
  expect(await turned(true)).toBe(true)
  await database`delete from work_item where id = ${item}`
  expect(await turned(true)).toBe(false)

  expect(await rests()).toBe(true)
  setSystemTime(Date.now() + 6_000)
  expect(await rests()).toBe(false)
  setSystemTime(Date.now() + 11_000)
  expect(await turned(true)).toBe(true)
}, 60_000)

test('what a leader has missed while it rested, it asks no node for', async () => {
  const database = await shared.ownDatabase()
  const { chain, node } = shared
  const { projection } = await ledgerRig(database, chain, node.url)
  const heads = openHeadReader(database, projection.client)
  const { turn, rests } = createLedger(projection, heads, SILENT)
  await turn()
  while (!(await rests())) await turn(true)
  for (let i = 0; i < 3; i += 1) {
    await chain.mine()
    await announceHead(database, chain.networkId, await readHead(chain.client), [])
    expect(await rests()).toBe(true)
  }
  const before = node.calls.get('eth_getBlockByNumber')
  await turn(true)
  expect(node.calls.get('eth_getBlockByNumber')).toBe(before)
  const [row] = await database<{ head: bigint; blocks: number }[]>`
    select head, (select count(*)::integer from chain_block where number > head - 4) as blocks
    from chain_state`
  expect(row).toEqual({ head: await chain.client.getBlockNumber(), blocks: 4 })
}, 60_000)
