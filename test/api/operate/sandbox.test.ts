import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** What is refused. That the rest works is seen on a running stack: test/support/running/scenarios.ts. */

let rig: ApiRig
let live: ApiRig
beforeAll(async () => {
  rig = await openRig()
  live = await openRig({ variables: { REMIT_ENV: 'live', RPC_URL_BASE: 'http://127.0.0.1:1' } })
})
afterAll(async () => {
  await rig.close()
  await live.close()
})

const FAUCET = {
  address: '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  networkId: 'base-sepolia',
  tokenSymbol: 'USDC',
  amount: '1',
}

function refusal(answer: Awaited<ReturnType<ApiRig['call']>>): unknown[] {
  return [answer.status, answer.json.error]
}

test('live has neither scenarios nor a faucet', async () => {
  for (const path of ['/v1/sandbox/faucet', '/v1/sandbox/scenarios']) {
    expect(refusal(await live.call('POST', path, { body: {} }))).toEqual([404, 'not found'])
  }
  expect((await live.call('GET', '/openapi.json')).text).not.toContain('sandbox/')
})

describe('the faucet refuses', () => {
  const post = (change: Readonly<Record<string, unknown>>) =>
    rig.call('POST', '/v1/sandbox/faucet', { body: { ...FAUCET, ...change } })

  test('chains that are no development chains', async () => {
    expect(refusal(await post({}))).toEqual([409, 'chain not local'])
  })

  test.each([
    [{ networkId: 'atlantis' }, 'unknown chain'],
    [{ tokenSymbol: 'DOGE' }, 'no supported chains for token'],
    [{ address: '0x12' }, 'invalid recipient address'],
    [{ amount: '0' }, 'invalid request body'],
    [{ to: '0x12' }, 'invalid request body'],
  ])('%p', async (change, error) => {
    expect(refusal(await post(change))).toEqual([400, error])
  })

  test('strangers', async () => {
    const answer = await rig.call('POST', '/v1/sandbox/faucet', { key: null, body: FAUCET })
    expect(answer.status).toBe(401)
  })
})

describe('a scenario is refused', () => {
  const post = (body: Readonly<Record<string, unknown>>, key?: string) =>
    rig.call('POST', '/v1/sandbox/scenarios', { body, ...(key === undefined ? {} : { key }) })

  test('without a development chain', async () => {
    const { id: invoiceId } = await rig.create()
    const answer = await post({ invoiceId, scenario: 'exact' })
    expect(refusal(answer)).toEqual([409, 'scenario not possible'])
    expect(answer.json.details?.[0]?.message).toContain('development chain')
  })

  test('when no one knows its name', async () => {
    const { id: invoiceId } = await rig.create()
    const answer = await post({ invoiceId, scenario: 'jackpot' })
    expect(refusal(answer)).toEqual([400, 'invalid request body'])
    expect(answer.json.details?.[0]?.message).toContain('exact, partial')
  })

  test("against another merchant's invoice", async () => {
    const { id: invoiceId } = await rig.create()
    const { secretKey } = await rig.newMerchant()
    const body = { invoiceId, scenario: 'exact' }
    expect(refusal(await post(body, secretKey))).toEqual([404, 'invoice not found'])
    expect(refusal(await post({ ...body, invoiceId: 'x' }))).toEqual([400, 'invalid invoice id'])
  })
})
