import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { expectError } from '../../support/api/answers.ts'
import { newPrice, newSession } from '../../support/api/checkoutCalls.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** Who is given a network of addresses uses up no more of what payers share than who has one address. */

const [PER_DAY, PER_CLIENT] = [20, 2]

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig({
    variables: {
      RATE_LIMIT_SESSIONS: '1000',
      CHECKOUT_UNPAID_PER_DAY: String(PER_DAY),
      CHECKOUT_UNPAID_PER_CLIENT: String(PER_CLIENT),
      CHECKOUT_STREAMS_PER_CLIENT: '2',
      CHECKOUT_STREAMS: '20',
    },
  })
}, 120_000)
afterAll(() => rig.close())

let choice: (from: string) => Promise<number>
let session: () => Promise<string>
beforeEach(async () => {
  const { secretKey, publishableKey } = await rig.newMerchant()
  const { id: price } = await newPrice(rig, {}, secretKey)
  session = async () => (await newSession(rig, { price }, publishableKey)).id
  choice = async (from) => {
    const id = await session()
    rig.setPeer(from)
    const answer = await rig.call('POST', `/v1/checkout/sessions/${id}/choice`, {
      key: null,
      body: { tokenSymbol: 'USDC' },
    })
    if (answer.status !== 200) expectError(answer, 429, 'too many unpaid invoices')
    return answer.status
  }
})

async function times(count: number, from: (n: number) => string): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push(await choice(from(n)))
  return statuses
}

test('the /64s of one /56 leave as many invoices unpaid as one of them, and its /48 twice as many', async () => {
  const ofOne56 = await times(10, (n) => `2001:db8:1:10${n}::1`)
  expect(ofOne56).toEqual([200, 200, ...Array.from({ length: 8 }, () => 429)])
  expect(await times(3, (n) => `2001:db8:1:20${n}::1`)).toEqual([200, 200, 429])
  expect(await choice('2001:db8:1:300::1')).toBe(429)
  expect(await choice('2001:db8:2:300::1')).toBe(200)
})

test('so do the addresses of one /24', async () => {
  expect(await times(5, (n) => `203.0.113.${n}`)).toEqual([200, 200, 200, 200, 429])
  expect(await choice('203.0.114.1')).toBe(200)
})

test('the last tenth of a day is for networks without an unpaid invoice', async () => {
  const own = (n: number) => `2001:db8:${(100 + n).toString(16)}::1`
  expect(await times(18, own)).not.toContain(429)
  // The party that left one unpaid gets nothing of the reserve, and others one each.
  expect(await choice(own(0))).toBe(429)
  expect(await choice('198.51.100.1')).toBe(200)
  expect(await choice('198.51.100.2')).toBe(429)
  expect(await choice('192.0.2.1')).toBe(200)
  expect(await choice('192.0.3.1')).toBe(429)
})

test('those who choose at the same moment are counted together', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, session))
  const answers = await Promise.all(
    ids.map((id, n) => {
      rig.setPeer(`2001:db8:5:10${n}::1`)
      return rig.call('POST', `/v1/checkout/sessions/${id}/choice`, {
        key: null,
        body: { tokenSymbol: 'USDC' },
      })
    }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(PER_CLIENT)
})

test('the /64s of one /56 keep open as many streams as one of them', async () => {
  const id = await session()
  const open = async (from: string) => {
    rig.setPeer(from)
    return await rig.fetch(`/v1/checkout/sessions/${id}/events`)
  }
  const streams = []
  for (let n = 0; n < 4; n++) streams.push(await open(`2001:db8:6:10${n}::1`))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 429, 429])
  streams.push(await open('2001:db8:7::1'))
  expect(streams.at(-1)?.status).toBe(200)
  await streams[0]?.body?.cancel()
  streams.push(await open('2001:db8:6:109::1'))
  expect(streams.at(-1)?.status).toBe(200)
  for (const { body } of streams) await body?.cancel().catch(() => {})
})
