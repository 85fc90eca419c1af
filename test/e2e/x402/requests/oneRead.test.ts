import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Authorization } from '../../../../core/x402/terms.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import { play } from '../../../support/servers/provider.ts'
import { randomAddress, signAuthorization } from '../../../support/x402/authorizations.ts'
import { type Presented, present } from '../../../support/x402/cases.ts'
import { submitByOther } from '../../../support/x402/chain.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** What a call may ask a node when an authorization is used and our records don't know how. */

let stack: X402Stack
/** What the API reads through; it counts. */
let reading: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    apiRpcUrl: (node) => {
      reading = startFakeRpc(node)
      return reading.url
    },
    variables: { REQUEST_BUDGET: '2000', TRUSTED_PROXIES: '127.0.0.1/32' },
  })
  // A URL is asked which chain it is before its answers count, whoever comes first.
  await stack.verify((await present(stack)).body)
}, 120_000)

afterEach(() => {
  reading.rule()
  reading.requests()
})

afterAll(async () => {
  await stack.close()
  await reading.stop()
})

/** How many requests the API has sent while something was done. */
async function requestsOf(act: () => Promise<unknown>): Promise<number> {
  const before = reading.requestCount()
  await act()
  return reading.requestCount() - before
}

/** An authorization that was used up by paying another party. */
async function usedElsewhere(terms: Partial<Authorization> = {}): Promise<Presented> {
  const presented = await present(stack, { terms })
  const authorization = { ...presented.authorization, to: randomAddress() }
  const signature = await signAuthorization(stack.chain, presented.payer, authorization)
  await submitByOther(stack, { authorization, signature })
  return presented
}

describe('verify', () => {
  test('asks at most three times, and not again while the answer is remembered', async () => {
    const presented = await usedElsewhere()
    const verify = async () =>
      expect(await stack.verify(presented.body)).toMatchObject({
        invalidReason: 'authorization_used',
      })
    const counts = []
    for (let i = 0; i < 3; i += 1) counts.push(await requestsOf(verify))
    expect(counts).toEqual([3, 1, 1])
  })

  test.each([100, 10])(
    'asks no more where a range has at most %p blocks',
    async (most) => {
      if ((await stack.chain.client.getBlockNumber()) < 150n) await stack.chain.mine(150)
      play(reading, { logRange: { most, words: 'infura' } })
      for (let i = 0; i < 5; i += 1) {
        const { body } = await usedElsewhere({ validAfter: 0n })
        const count = await requestsOf(async () => {
          expect(await stack.verify(body)).toMatchObject({ invalidReason: 'authorization_used' })
        })
        expect(count).toBeLessThanOrEqual(3)
      }
    },
    120_000,
  )

  test('asks once for all who ask at the same time', async () => {
    const presented = await usedElsewhere()
    const before = reading.calls.get('eth_getLogs') ?? 0
    await Promise.all(Array.from({ length: 8 }, () => stack.verify(presented.body)))
    // One for the range, and one for the block in which it was found.
    expect((reading.calls.get('eth_getLogs') ?? 0) - before).toBe(2)
  })
})

describe('a provider that allows narrow ranges only', () => {
  test('is asked for less the next time, until it answers', async () => {
    play(reading, { logRange: { most: 100, words: 'infura' } })
    const presented = await present(stack, { terms: { validAfter: 0n } })
    const transaction = await submitByOther(stack, presented)
    const answer = await eventually(
      () => stack.settle(presented.body),
      ({ success }) => success,
    )
    expect(answer.transaction).toBe(transaction)
  }, 120_000)
})

test('a look costs a part of the budget of the address, and one that is remembered costs nothing', async () => {
  const cases: Presented[] = []
  for (let i = 0; i < 25; i += 1) cases.push(await usedElsewhere())
  // Together, because an address gets more while time passes.
  const statuses = await Promise.all(
    cases.map(async ({ body }) => {
      const init = {
        method: 'POST',
        // Of an address that nothing was looked up for yet.
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' },
        body: JSON.stringify(body),
      }
      return (await stack.fetch('/v1/x402/verify', init)).status
    }),
  )
  const admitted = statuses.indexOf(200)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(await stack.verify(cases[admitted]?.body)).toMatchObject({
    invalidReason: 'authorization_used',
  })
}, 120_000)
