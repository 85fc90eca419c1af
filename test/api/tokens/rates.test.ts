import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { openRates } from '../../../api/tokens/rates.ts'
import { fetchRates } from '../../../api/tokens/source.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { type RateServer, startRateServer } from '../../support/servers/rateServer.ts'

/** Amounts in other currencies, with a source of rates on this machine. */

let rig: ApiRig
let server: RateServer

beforeAll(async () => {
  server = startRateServer()
  rig = await openRig({
    variables: { RATE_URL: server.url, RATE_CURRENCIES: 'EUR,JPY', RATE_SOURCE: 'desk' },
  })
})
afterAll(async () => {
  await rig.close()
  server.stop()
})
beforeEach(async () => {
  rig.setClock(null)
  await rig.database`truncate fiat_rate`
})

const AT = () => new Date()
const post = (body: Readonly<Record<string, unknown>>) =>
  rig.call('POST', '/v1/invoices', { body: { tokenSymbol: 'USDC', amountExpected: '25', ...body } })

async function offer(rates: Readonly<Record<string, unknown>>, at = AT()) {
  server.offer(rates, at)
  await rig.deps.rates.refresh()
  return at
}

async function warnings(): Promise<readonly string[]> {
  const { json } = await rig.call('GET', '/ready', { key: null })
  return (json.warnings ?? []).filter((text) => text.startsWith('rates:'))
}

async function expectNoRate(currency = 'EUR') {
  const { status, json, headers } = await post({ currency })
  expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'rate_unavailable', '10'])
}

describe('an amount in another currency', () => {
  test('is converted, rounded up, and keeps rate, time and source', async () => {
    const at = await offer({ 'EUR/USD': '1.0834', 'JPY/USD': '0.0064131' })
    expect(server.asked.at(-1)).toBe('?key=secret&pairs=EUR%2FUSD%2CJPY%2FUSD')
    const { status, json } = await post({ currency: 'EUR' })
    expect([status, json.data.amountExpected]).toEqual([201, '27.085'])
    const common = { at: at.toISOString(), source: 'desk' }
    expect(json.data.fiat).toEqual({ currency: 'EUR', amount: '25', rate: '1.0834', ...common })
    const yen = await post({ currency: 'JPY', amountExpected: 3 })
    expect(yen.json.data.amountExpected).toBe('0.01924')
    expect(await warnings()).toEqual([])
  })

  test('is refused without a rate, and one of the token or its currency is not', async () => {
    server.answer = () => new Response(null, { status: 500 })
    await rig.deps.rates.refresh()
    await expectNoRate()
    expect((await post({})).status).toBe(201)
    expect((await post({ currency: 'USD' })).status).toBe(201)
    const [text] = await warnings()
    expect(text).toContain('EUR/USD: there is none, and the source returned the status 500')
  })

  test('is refused at once when the last rate is too old, however often the source says it', async () => {
    const at = await offer({ 'EUR/USD': '1.0834', 'JPY/USD': '0.0064' })
    rig.setClock(new Date(at.getTime() + 600_001))
    await rig.deps.rates.refresh()
    await expectNoRate()
    expect((await warnings())[0]).toContain(`the newest is from ${at.toISOString()}`)
    rig.setClock(new Date(at.getTime() + 600_000))
    expect((await post({ currency: 'EUR' })).status).toBe(201)
  })

  test('is refused after a jump, which /ready names, until the source takes it back', async () => {
    await offer({ 'EUR/USD': '1.0834', 'JPY/USD': '0.0064' })
    await offer({ 'EUR/USD': '108.34', 'JPY/USD': '0.0064' })
    await expectNoRate()
    expect((await post({ currency: 'JPY', amountExpected: '100' })).status).toBe(201)
    expect(await warnings()).toEqual([
      expect.stringContaining('EUR/USD changed from 1.0834 to 108.34, more than 20 % within a day'),
    ])
    await offer({ 'EUR/USD': '1.09', 'JPY/USD': '0.0064' })
    expect((await post({ currency: 'EUR' })).json.data.fiat?.rate).toBe('1.09')
    expect(await warnings()).toEqual([])
  })

  test('is the original for a repeat, at another rate and without any', async () => {
    await offer({ 'EUR/USD': '1.0834' })
    const body = { currency: 'EUR', externalRef: crypto.randomUUID() }
    const first = await post(body)
    await offer({ 'EUR/USD': '1.1' })
    const again = await post(body)
    expect([again.status, again.text.includes('"rate":"1.0834"')]).toEqual([200, true])
    const [other, inDollars] = await Promise.all([
      post({ ...body, amountExpected: '25.01' }),
      post({ ...body, currency: 'USD' }),
    ])
    expect(other.json.details?.map(({ path }) => path)).toEqual(['amountExpected'])
    expect(inDollars.json.details?.map(({ path }) => path)).toEqual(['amountExpected', 'currency'])
    rig.setClock(new Date(Date.now() + 3_600_000))
    const late = await post(body)
    expect([late.status, late.json.data.id]).toEqual([200, first.json.data.id])
    await expectNoRate()
  })

  test('is one invoice for two requests of one externalRef at once', async () => {
    await offer({ 'EUR/USD': '1.0834' })
    const body = { currency: 'EUR', externalRef: crypto.randomUUID() }
    const answers = await Promise.all([post(body), post(body), post(body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1)
  })
})

describe('the source', () => {
  const ask = (limitMs = 2_000) =>
    fetchRates({ url: server.url, name: 'desk' }, ['EUR/USD'], () => new Date(), limitMs)
  const faultOf = async (limitMs?: number) => {
    const answer = await ask(limitMs)
    return answer.ok ? null : answer.fault
  }
  const GOOD = JSON.stringify({ at: new Date().toISOString(), rates: { 'EUR/USD': '1.08' } })

  test('is followed nowhere else', async () => {
    let visits = 0
    server.answer = ({ url }) => {
      if (!url.includes('/elsewhere')) return Response.redirect(new URL('/elsewhere', url), 302)
      visits += 1
      return new Response(GOOD)
    }
    expect([await faultOf(), visits]).toEqual(['the status 302', 0])
  })

  test('is cut off when its answer has no end', async () => {
    const chunk = new Uint8Array(16_384).fill(32)
    let sent = 0
    server.answer = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += chunk.length
            controller.enqueue(chunk)
          },
        }),
      )
    expect(await faultOf()).toBe('more than 65536 bytes')
    expect(sent).toBeLessThan(10_000_000)
  })

  test('has only so long for all of its answer, and is asked by one reading at a time', async () => {
    server.answer = async () => {
      await Bun.sleep(5_000)
      return new Response(GOOD)
    }
    expect(await faultOf(100)).toBe('no response within 100 ms')
    server.answer = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await Bun.sleep(60)
            controller.enqueue(new TextEncoder().encode(' '))
          },
        }),
      )
    expect(await faultOf(200)).toBe('no response within 200 ms')
    server.answer = async () => {
      await Bun.sleep(100)
      return new Response(GOOD)
    }
    const before = server.asked.length
    await Promise.all([rig.deps.rates.refresh(), rig.deps.rates.refresh()])
    expect(server.asked.length).toBe(before + 1)
  })

  test('says nothing with what is no JSON, and names no URL when it is away', async () => {
    server.answer = () => new Response('<html>1.08</html>')
    expect(await faultOf()).toContain('`at` must be an ISO 8601 time')
    const away = { url: 'http://127.0.0.1:1/?key=secret', name: 'desk' }
    const answer = await fetchRates(away, ['EUR/USD'], () => new Date())
    expect(answer).toEqual({ ok: false, fault: 'no connection' })
  })

  test('is asked again and again in the background, and by no one after the end', async () => {
    server.offer({ 'EUR/USD': '1.0834', 'JPY/USD': '0.0064' })
    const { config, database, log } = rig.deps
    const now = () => new Date()
    const rates = openRates({
      ...{ source: config.rates, ofTokens: () => ['USD'], database, log, now },
      refreshMs: 5,
    })
    const before = server.asked.length
    while (server.asked.length < before + 3) await Bun.sleep(5)
    expect(rates.quote('EUR', 'USD', now())?.rate).toBe('1.0834')
    await rates.close()
    const ended = server.asked.length
    await Bun.sleep(50)
    expect(server.asked.length).toBe(ended)
  })

  test('may be asked by another process: what that one has read is known here, too', async () => {
    await offer({ 'EUR/USD': '1.0834', 'JPY/USD': '0.0064' })
    const { config, database, log } = rig.deps
    const now = () => new Date()
    const rates = openRates({
      ...{ source: config.rates, ofTokens: () => ['USD'], database, log, now },
      refreshMs: null,
    })
    server.answer = () => new Response(null, { status: 503 })
    await rates.refresh()
    expect(rates.quote('EUR', 'USD', now())?.rate).toBe('1.0834')
  })
})
