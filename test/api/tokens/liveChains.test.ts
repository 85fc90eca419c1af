import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectDetail } from '../../support/api/answers.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** In live not every chain has every token: Base has no USDT. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig({
    variables: {
      REMIT_ENV: 'live',
      RPC_URL_BASE: 'http://127.0.0.1:1',
      RPC_URL_POLYGON: 'http://127.0.0.1:1',
    },
  })
})
afterAll(() => rig.close())

async function chainsOf(body: object): Promise<string[]> {
  const invoice = await rig.create({ tokenSymbol: 'USDT', ...body })
  return invoice.addresses.map(({ networkId }) => networkId)
}

describe('an invoice in a token that only some chains have', () => {
  test('is offered on those chains when it names none', async () => {
    expect(await chainsOf({})).toEqual(['polygon'])
  })

  test('drops the chains without the token when it names them too', async () => {
    expect(await chainsOf({ chains: ['base', 'polygon'] })).toEqual(['polygon'])
  })

  test('is refused with 400 "no supported chains for token" when none is left', async () => {
    const answer = await rig.call('POST', '/v1/invoices', {
      body: { tokenSymbol: 'USDT', amountExpected: 1, chains: ['base'] },
    })
    expectDetail(answer, 'no supported chains for token', 'tokenSymbol')
  })

  test('is refused with 400 "unknown chain" for a chain that is not switched on', async () => {
    const body = { tokenSymbol: 'USDT', amountExpected: 1, chains: ['ethereum'] }
    const answer = await rig.call('POST', '/v1/invoices', { body })
    expectDetail(answer, 'unknown chain', 'chains.0', 'must be one of base, polygon')
  })
})

describe('an amount that is not worth its gas', () => {
  test('is offered on the chains that take it', async () => {
    expect(await chainsOf({ tokenSymbol: 'USDC', amountExpected: '0.07' })).toEqual(['polygon'])
  })

  test('is refused with 400 "invalid request body" and the least of each chain', async () => {
    const body = { tokenSymbol: 'USDC', amountExpected: '0.01' }
    const answer = await rig.call('POST', '/v1/invoices', { body })
    const message = 'must be at least 0.05 on polygon, 0.1 on base: less is not worth its gas'
    expectDetail(answer, 'invalid request body', 'amountExpected', message)
  })
})

test('the list of tokens names only the chains that have them', async () => {
  const answer = await rig.call('GET', '/v1/utils/tokens', { key: null })
  const tokens: { symbol: string; chains: { networkId: string }[] }[] = JSON.parse(answer.text)
  const chains = tokens.map(({ symbol, chains }) => [symbol, chains.map((c) => c.networkId)])
  expect(chains).toEqual([
    ['USDC', ['base', 'polygon']],
    ['USDT', ['polygon']],
  ])
})
