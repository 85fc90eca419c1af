import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { generatePrivateKey } from 'viem/accounts'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { UNLIMITED } from '../../../chain/hub/setup.ts'
import { openChain } from '../../../chain/rpc/client.ts'
import { asMerchantId, type MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { uuidToBytes16 } from '../../../core/chain/words.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { insertChainState, readChainState } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { type HubReport, readHubReports } from '../../../store/hub/hubGovernance.ts'
import { requestHubRead } from '../../../store/hub/hubStates.ts'
import { readHubWaiting, waitForHub } from '../../../store/relayer/hubWaits.ts'
import { HubWatch } from '../../../workers/hub/watch.ts'
import { Isolation } from '../../../workers/turns/isolation.ts'
import { appointGuardian, calldata, propose, send, wait } from '../../support/hub/governance.ts'
import { signMerchantConfig } from '../../support/hub/signatures.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { newHash } from '../../support/store/database.ts'
import { storeItem } from '../../support/store/relayer.ts'

let chain: HubChain
let node: FakeRpc
let database: Database
let guardian: { readonly key: Hex; readonly address: Address }
let lines: Record<string, unknown>[] = []

beforeAll(async () => {
  chain = await startHubChain()
  node = startFakeRpc(chain.node.url)
  guardian = await appointGuardian(chain)
}, 120_000)
afterAll(async () => {
  await node?.stop()
  await chain?.node.stop()
})
beforeEach(async () => {
  await database?.end()
  database = await freshDatabase()
  await insertChainState(database, chain.networkId, 84_532, newHash())
  lines = []
})
afterAll(() => database?.end())

const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) })
const said = (text: string) => lines.filter(({ msg }) => msg === text)

let now = 0
/** A watch whose next look is due when the test's clock says so. */
function openWatch(change: Record<string, string> = {}, headPolling: 'paced' | 'fast' = 'paced') {
  const { config, chain: active } = workerConfig(chain.variables(change))
  const client = openChain({
    ...active,
    ...{ headPolling, areCallsBilled: headPolling === 'paced', rpcUrls: [node.url] },
  })
  const others = new Isolation(log, { pauses: { firstMs: 0, longestMs: 0 } })
  const watch = new HubWatch({ database, client, config, work: { others } }, log, () => now)
  return async () => watch.turn(await readHead(chain.client))
}

async function report(): Promise<HubReport> {
  const [found, ...others] = await readHubReports(database)
  if (found === undefined || others.length > 0) throw new Error('there is not one hub')
  return found
}

describe('a look at a hub', () => {
  test('stores all that it says of itself', async () => {
    await openWatch()()
    expect(await report()).toMatchObject({
      networkId: chain.networkId,
      hub: chain.hub,
      stops: 0,
      owner: addressOf(chain.ownerKey),
      pendingOwner: ZERO_ADDRESS,
      guardian: guardian.address,
      configSigner: addressOf(chain.roles.configSigner),
      refundSigner: addressOf(chain.roles.refundSigner),
      feeCollector: chain.collector,
      ownerDelay: 0n,
      configDelay: 0n,
      differences: [],
      stopped: [],
      proposals: [],
      changes: [],
    })
    const { tokens } = await report()
    expect(tokens.find(({ token }) => token === chain.usdc.address)).toEqual({
      token: chain.usdc.address,
      isListed: true,
      refundLimit: null,
      refundRoom: null,
    })
    // Native coin is only refunded, on local chains without a limit.
    expect(tokens.find(({ token }) => token === ZERO_ADDRESS)).toEqual({
      token: ZERO_ADDRESS,
      isListed: false,
      refundLimit: null,
      refundRoom: null,
    })
  })

  test('takes a few calls, and none until the next one is due', async () => {
    const look = openWatch()
    await look()
    const before = node.requestCount()
    for (let i = 0; i < 20; i += 1) {
      now += 2_900
      await look()
    }
    expect(node.requestCount()).toBe(before)
    now += 2_900
    await look()
    // Its news, its roles and its tokens.
    expect(node.requestCount() - before).toBeLessThanOrEqual(3)
  })

  test('comes every second where nodes are on this machine, and bill nothing', async () => {
    const look = openWatch({}, 'fast')
    await look()
    for (let i = 0; i < 3; i += 1) {
      const before = node.requestCount()
      now += 900
      await look()
      expect(node.requestCount()).toBe(before)
      now += 100
      await look()
      expect(node.requestCount()).toBeGreaterThan(before)
    }
  })

  test('comes at once when a refusal has shown a change, and answers all who had asked', async () => {
    const look = openWatch()
    await look()
    await send(chain, guardian.key, { functionName: 'stop', args: [1] })
    await look()
    expect((await report()).stops).toBe(0)
    await requestHubRead(database, chain.networkId)
    await look()
    expect((await report()).stops).toBe(1)
    const state = await readChainState(database, chain.networkId)
    expect(state?.hubReadRequestedAt).toBeNull()
    await send(chain, chain.ownerKey, { functionName: 'resume', args: [255] })
  })

  test('comes sooner while work waits', async () => {
    const look = openWatch()
    await look()
    const before = node.requestCount()
    const itemId = await storeItem(database, 'sweep', {}, { networkId: chain.networkId })
    await database.begin((sql) => waitForHub(sql, [{ itemId, ...STOPPED }]))
    now += 14_000
    await look()
    expect(node.requestCount()).toBe(before)
    now += 2_000
    await look()
    expect(node.requestCount()).toBeGreaterThan(before)
  })

  test('that fails stops nothing, and is made up for', async () => {
    const look = openWatch()
    node.rule(({ method }) =>
      method === 'eth_call' ? { type: 'error', code: -32_603, message: 'no' } : undefined,
    )
    expect(await look()).toBe(0)
    expect(await readHubReports(database)).toEqual([])
    expect(said('the hub could not be read')).toHaveLength(1)
    node.rule()
    now += 5_000
    await look()
    expect((await report()).hub).toBe(chain.hub)
  })
})

const STOPPED = { wait: 'stopped', reason: 'it is stopped', until: null } as const

describe('a stop', () => {
  test('is told with its time and by whom, until the owner resumes', async () => {
    const look = openWatch()
    await look()
    await send(chain, guardian.key, { functionName: 'stop', args: [1 | 4] })
    const { time } = await readHead(chain.client)
    await chain.mine(3)
    now += 60_000
    await look()
    const stop = { since: time, stoppedBy: guardian.address }
    expect((await report()).stopped).toEqual([
      { part: 'refunds', ...stop },
      { part: 'sweeps', ...stop },
    ])
    expect(said('the hub is stopped')).toMatchObject([
      { part: 'sweeps', stoppedBy: guardian.address, hub: chain.hub },
      { part: 'refunds' },
    ])
    now += 60_000
    await look()
    expect(said('the hub is stopped')).toHaveLength(2)
    await send(chain, chain.ownerKey, { functionName: 'resume', args: [4] })
    now += 60_000
    await look()
    expect((await report()).stopped).toEqual([{ part: 'sweeps', ...stop }])
    expect(said('the hub has resumed')).toMatchObject([{ part: 'refunds' }])
    await send(chain, chain.ownerKey, { functionName: 'resume', args: [255] })
  })

  test('that ends has what waited for it tried again, by itself', async () => {
    await send(chain, guardian.key, { functionName: 'stop', args: [1] })
    const look = openWatch()
    await look()
    const itemId = await storeItem(database, 'sweep', {}, { networkId: chain.networkId })
    await database.begin((sql) => waitForHub(sql, [{ itemId, ...STOPPED }]))
    now += 60_000
    expect(await look()).toBe(0)
    expect(await readHubWaiting(database)).toMatchObject([{ kind: 'sweep', count: 1 }])
    await send(chain, chain.ownerKey, { functionName: 'resume', args: [1] })
    now += 60_000
    expect(await look()).toBe(1)
    expect(await readHubWaiting(database)).toEqual([])
  })
})

describe('a proposal', () => {
  const newSigner = addressOf(generatePrivateKey())

  test('is told in words until it was carried out or vetoed', async () => {
    await send(chain, chain.ownerKey, { functionName: 'setDelays', args: [3_600, 0] })
    const look = openWatch()
    const call = { functionName: 'setRefundSigner', args: [newSigner] } as const
    const id = await propose(chain, call)
    const { time } = await readHead(chain.client)
    await look()
    const readyAt = new Date(time.getTime() + 3_600_000)
    const summary = expect.stringMatching(new RegExp(`^set-refund-signer ${newSigner}$`, 'i'))
    expect((await report()).proposals).toEqual([{ id, call: calldata(call), summary, readyAt }])
    expect(said('the owner of the hub has proposed')).toMatchObject([{ id, note: summary }])
    await send(chain, guardian.key, { functionName: 'vetoProposal', args: [id] })
    now += 60_000
    await look()
    expect((await report()).proposals).toEqual([])
    expect(said('a proposal for the hub was carried out or vetoed')).toMatchObject([{ id }])
  })

  test('is over with all others once all of them were vetoed', async () => {
    const look = openWatch()
    for (const account of [guardian.address, addressOf(chain.ownerKey)]) {
      await propose(chain, { functionName: 'setFeeCollector', args: [account] })
    }
    await look()
    expect((await report()).proposals).toHaveLength(2)
    await send(chain, guardian.key, { functionName: 'vetoProposals', args: [] })
    now += 60_000
    await look()
    expect((await report()).proposals).toEqual([])
    expect(said('a proposal for the hub was carried out or vetoed')).toHaveLength(2)
  })

  test('from before the first look is found, and one that is not a call of the owner is shown as it is', async () => {
    const junk = '0xdeadbeef'
    await send(chain, chain.ownerKey, { functionName: 'propose', args: [junk] })
    await chain.mine(5)
    await openWatch()()
    expect((await report()).proposals).toMatchObject([
      { call: junk, summary: `a call that this version does not know: ${junk}` },
    ])
    const delays = await propose(chain, { functionName: 'setDelays', args: [0, 0] })
    await wait(chain, 3_601)
    await send(chain, chain.ownerKey, { functionName: 'setDelays', args: [0, 0] })
    await openWatch()()
    expect((await report()).proposals.map(({ id }) => id)).not.toContain(delays)
  })
})

describe('roles and limits', () => {
  test('that are not as configured are told once, and stored', async () => {
    const look = openWatch({ HUB_OWNER: addressOf(generatePrivateKey()) })
    await look()
    now += 60_000
    await look()
    const difference = expect.stringContaining("the hub's owner is ")
    expect((await report()).differences).toEqual([difference])
    expect(said('a role on the hub is not as configured')).toMatchObject([{ reason: difference }])
  })

  test('a signer that was removed is one of them', async () => {
    await send(chain, chain.ownerKey, { functionName: 'setRefundSigner', args: [ZERO_ADDRESS] })
    await openWatch()()
    expect((await report()).differences).toEqual([
      expect.stringContaining("the hub's signer of refunds is nobody, configured is 0x"),
    ])
    const signer = addressOf(chain.roles.refundSigner)
    await send(chain, chain.ownerKey, { functionName: 'setRefundSigner', args: [signer] })
  })

  test('limits are stored with what is left of them, of native coin as of tokens', async () => {
    const coin = [ZERO_ADDRESS, false, 18] as const
    const usdc = [chain.usdc.address, true, 6] as const
    const setToken = (args: readonly [Address, boolean, number, bigint]) =>
      send(chain, chain.ownerKey, { functionName: 'setToken', args })
    await setToken([...usdc, 1_000n])
    await setToken([...coin, 0n])
    await openWatch()()
    const { tokens } = await report()
    for (const [token, limit] of [
      [chain.usdc.address, 1_000n] as const,
      [ZERO_ADDRESS, 0n] as const,
    ]) {
      const [refundLimit, refundRoom] = [baseUnits(limit), baseUnits(limit)]
      expect(tokens.find((one) => one.token === token)).toMatchObject({ refundLimit, refundRoom })
    }
    await setToken([...usdc, UNLIMITED])
    await setToken([...coin, UNLIMITED])
  })
})

describe("a change of a merchant's treasury", () => {
  const merchantId = asMerchantId(Bun.randomUUIDv7())

  async function configure(id: MerchantId, version: number) {
    const treasury = addressOf(generatePrivateKey())
    const config = { merchantId: id, treasury, feeBps: 0, feeCap: baseUnits(0n), version }
    const signature = await signMerchantConfig(chain.roles.configSigner, chain.hub, config)
    const struct = { ...config, merchantId: uuidToBytes16(id), feeCap: 0 }
    await send(chain, chain.ownerKey, {
      functionName: 'configure',
      args: [[struct], [signature]],
    })
    return treasury
  }

  test('has the leader read what no one here has asked for, though no treasury moves', async () => {
    const ids = [asMerchantId(Bun.randomUUIDv7()), asMerchantId(Bun.randomUUIDv7())] as const
    for (const id of ids) await configure(id, 3)
    await database`insert into merchant (id, name, recipient, config_version) values
      (${ids[0]}, 'Shop', ${guardian.address}, 2), (${ids[1]}, 'Shop', ${guardian.address}, 3)`
    const look = openWatch()
    await look()
    const looks = () => database`select merchant_id from registry_entry where look_at is not null`
    expect([...(await looks())]).toEqual([{ merchantId: ids[0] }])
    // Once it is known there is nothing to read.
    await database`update registry_entry set look_at = null, look_from = null, version = 3,
      treasury = ${guardian.address}`
    now += 60_000
    await look()
    expect([...(await looks())]).toEqual([])
  })

  test('is reported while it is pending, and after a veto until a newer one is active', async () => {
    await send(chain, chain.ownerKey, { functionName: 'setDelays', args: [0, 3_600] })
    await configure(merchantId, 1)
    const look = openWatch()
    await look()
    expect((await report()).changes).toEqual([])
    const treasury = await configure(merchantId, 2)
    now += 60_000
    await look()
    expect((await report()).changes).toMatchObject([
      { merchantId, treasury, version: 2, readyAt: expect.any(Date) },
    ])
    const itemId = await storeItem(database, 'sweep', {}, { networkId: chain.networkId })
    const wait = { ...STOPPED, wait: 'merchant_change' as const }
    await database.begin((sql) => waitForHub(sql, [{ itemId, ...wait }]))
    now += 60_000
    expect(await look()).toBe(0)
    await send(chain, guardian.key, { functionName: 'veto', args: [uuidToBytes16(merchantId)] })
    now += 60_000
    expect(await look()).toBe(1)
    expect((await report()).changes).toMatchObject([{ version: 2, readyAt: null }])
    expect(said('the change of a merchant was vetoed')).toMatchObject([{ merchantId }])
    await send(chain, chain.ownerKey, { functionName: 'setDelays', args: [0, 0] })
    await configure(merchantId, 3)
    now += 60_000
    await look()
    expect((await report()).changes).toEqual([])
  })
})

describe('hubs that are not the current one', () => {
  test('are looked at as long as they are known; what is no hub of this version is passed over', async () => {
    await database`insert into known_hub ${database([{ address: chain.usdc.address }, { address: addressOf(generatePrivateKey()) }])}`
    await openWatch()()
    expect((await report()).hub).toBe(chain.hub)
  })
})
