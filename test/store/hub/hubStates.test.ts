import { beforeEach, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import type { HubState } from '../../../core/hub/state.ts'
import { readChainState } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  hubReadDone,
  readHubState,
  readHubStates,
  readHubTokens,
  requestHubRead,
  saveHubState,
  stoppedHubs,
} from '../../../store/hub/hubStates.ts'
import { forThisFile, newAddress, newNetwork, storeChain } from '../../support/store/database.ts'

let sql: Database
let networkId: string
const hub = newAddress()
forThisFile((database) => {
  sql = database
})
beforeEach(() => {
  networkId = newNetwork()
})

function state(change: Partial<HubState> = {}): HubState {
  return {
    block: 10n,
    stops: 0,
    owner: newAddress(),
    pendingOwner: ZERO_ADDRESS,
    guardian: newAddress(),
    configSigner: newAddress(),
    refundSigner: newAddress(),
    feeCollector: newAddress(),
    ownerDelay: 172_800n,
    configDelay: 86_400n,
    ...change,
  }
}

const save = (seen: HubState, tokens: Parameters<typeof saveHubState>[4] = []) =>
  sql.begin((tx) => saveHubState(tx, networkId, hub, seen, tokens))

test('a look is kept until one at the same or a later block takes its place', async () => {
  expect(await readHubState(sql, networkId, hub)).toBeNull()
  const first = state()
  expect(await save(first)).toEqual({ isNewer: true, before: null })
  expect(await readHubState(sql, networkId, hub)).toMatchObject({ networkId, hub, ...first })
  const later = state({ block: 12n, stops: 5 })
  expect(await save(later)).toMatchObject({ isNewer: true, before: first })
  // A node that lags behind shows how it was.
  expect(await save(state({ block: 11n }))).toMatchObject({ isNewer: false, before: later })
  expect(await readHubState(sql, networkId, hub)).toMatchObject(later)
  expect((await save({ ...later, stops: 4 })).isNewer).toBe(true)
  expect((await readHubStates(sql)).filter((one) => one.networkId === networkId)).toHaveLength(1)
})

test('tokens are those of the newest look, with a limit or without one', async () => {
  const [usdc, usdt] = [newAddress(), newAddress()].toSorted()
  if (usdc === undefined || usdt === undefined) throw new Error('there are two')
  const bounded = { isListed: true, refundLimit: baseUnits(1_000n), refundRoom: baseUnits(0n) }
  const unbounded = { isListed: false, refundLimit: null, refundRoom: null }
  const both = [
    { token: usdc, ...bounded },
    { token: usdt, ...unbounded },
  ]
  await save(state(), both)
  expect(await readHubTokens(sql, networkId, hub)).toEqual(both)
  await save(state({ block: 9n }), [])
  expect(await readHubTokens(sql, networkId, hub)).toEqual(both)
  await save(state(), [{ token: usdt, ...bounded }])
  expect(await readHubTokens(sql, networkId, hub)).toEqual([{ token: usdt, ...bounded }])
})

test('a stop is of one part of one hub of one chain', async () => {
  await save(state({ stops: 4 }))
  expect(await stoppedHubs(sql, networkId, 'refunds')).toEqual(new Set([hub]))
  expect(await stoppedHubs(sql, networkId, 'sweeps')).toEqual(new Set())
  expect(await stoppedHubs(sql, newNetwork(), 'refunds')).toEqual(new Set())
})

const requestedAt = async () => (await readChainState(sql, networkId))?.hubReadRequestedAt ?? null

test('a look that is asked for stays so until one is made that began later', async () => {
  await storeChain(sql, networkId)
  expect(await requestedAt()).toBeNull()
  await requestHubRead(sql, networkId)
  const first = await requestedAt()
  expect(first).not.toBeNull()
  await sql`
    update chain_state set hub_read_requested_at = hub_read_requested_at + interval '1 second'
    where network_id = ${networkId}`
  await hubReadDone(sql, networkId, first)
  const second = await requestedAt()
  expect(second).not.toBeNull()
  await hubReadDone(sql, networkId, second)
  expect(await requestedAt()).toBeNull()
})
