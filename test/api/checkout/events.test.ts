import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { announceHead } from '../../../store/chain/heads.ts'
import { expectError } from '../../support/api/answers.ts'
import { choose, newSession, sessionIn, viewOf } from '../../support/api/checkoutCalls.ts'
import { followSession } from '../../support/api/checkoutEvents.ts'
import { confirm, followChains, pay, randomHash } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig({ variables: { CHECKOUT_STREAMS_PER_CLIENT: '3' } })
  await followChains(rig)
}, 120_000)

afterAll(() => rig.close())

function pageOf(invoice: InvoiceJson): string {
  return sessionIn(JSON.parse(JSON.stringify(invoice)).checkoutUrl)
}

describe('a page that follows its session', () => {
  test('is pushed the whole view at once and after every change', async () => {
    const { id } = await newSession(rig)
    const page = await followSession(rig, id)
    expect(await page.next()).toMatchObject({ id, state: 'choosing' })
    await choose(rig, id, 'USDC')
    const waiting = await page.next()
    expect(waiting).toMatchObject({ state: 'waiting', payment: { due: '10' } })
    const list = await rig.call('GET', `/v1/invoices?reference=${waiting.payment?.reference}`)
    const invoice = list.list.data[0] as InvoiceJson
    await pay(rig, invoice, 10_000_000n)
    const seen = await page.next()
    expect(seen).toMatchObject({ state: 'seen', payment: { pending: '10' } })
    expect(seen.version).toBeGreaterThan(waiting.version)
    await confirm(rig, invoice)
    expect((await page.next()).state).toBe('paid')
    await page.stop()
  })

  test('sees each block on top of a payment', async () => {
    const invoice = await rig.create()
    const blockNumber = 1_000n
    await pay(rig, invoice, 10_000_000n, { blockNumber })
    const page = await followSession(rig, pageOf(invoice))
    expect((await page.next()).payment?.transfers).toMatchObject([{ confirmations: 1 }])
    await mine(blockNumber + 1n)
    expect((await page.next()).payment?.transfers).toMatchObject([{ confirmations: 2 }])
    await mine(blockNumber + 9n)
    const [transfer] = (await page.next()).payment?.transfers ?? []
    expect(transfer).toMatchObject({ confirmations: 3, confirmationsNeeded: 3, status: 'pending' })
    await page.stop()
  })

  test('sees that the merchant has ended it, and that its time is over', async () => {
    const invoice = await rig.create()
    const page = await followSession(rig, pageOf(invoice))
    expect((await page.next()).state).toBe('waiting')
    await rig.call('POST', `/v1/invoices/${invoice.id}/expire`)
    expect((await page.next()).state).toBe('expired')
    await page.stop()
    const { id } = await newSession(rig)
    const second = await followSession(rig, id)
    expect((await second.next()).state).toBe('choosing')
    rig.setClock(new Date(Date.now() + 2 * 86_400_000))
    expect((await second.next()).state).toBe('expired')
    rig.setClock(null)
    await second.stop()
  })

  test('of an address that has enough of them open is refused, until one is closed', async () => {
    const { id } = await newSession(rig)
    const pages = await Promise.all([1, 2, 3].map(() => followSession(rig, id)))
    const refused = await rig.call('GET', `/v1/checkout/sessions/${id}/events`, { key: null })
    expectError(refused, 429, 'too many streams')
    expect(refused.headers.get('retry-after')).toBe('30')
    await pages[0]?.stop()
    const again = await followSession(rig, id)
    expect(again.status).toBe(200)
    for (const page of [...pages, again]) await page.stop()
  })
})

test('readers that leave while their request is handled take no place', async () => {
  const { id } = await newSession(rig)
  for (let i = 0; i < 3; i += 1) {
    await rig.fetch(`/v1/checkout/sessions/${id}/events`, { signal: AbortSignal.abort() })
  }
  const page = await followSession(rig, id)
  expect((await page.next()).state).toBe('choosing')
  await page.stop()
})

test('a page that polls is told when nothing has changed', async () => {
  const { id } = await newSession(rig)
  const path = `/v1/checkout/sessions/${id}`
  const first = await rig.call('GET', path, { key: null })
  const tag = first.headers.get('etag') ?? ''
  const headers = { 'if-none-match': tag }
  // Proxies that compress make a tag weak.
  for (const named of [tag, `W/${tag}`, `"x", W/"y,z",W/${tag}`, '*']) {
    const same = await rig.call('GET', path, { key: null, headers: { 'if-none-match': named } })
    expect([named, same.status, same.text]).toEqual([named, 304, ''])
  }
  await choose(rig, id)
  expect((await rig.call('GET', path, { key: null, headers })).status).toBe(200)
  expect((await viewOf(rig, id)).state).toBe('waiting')
})

/** A new head is announced, as the indexer does it. */
async function mine(number: bigint): Promise<void> {
  const head = {
    number,
    hash: randomHash(),
    parentHash: randomHash(),
    time: new Date(),
    baseFeePerGas: 1n,
    gasLimit: 30_000_000n,
  }
  await announceHead(rig.database, 'base-sepolia', head, [])
}
