import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'
import { checksumAddress } from '../../../../core/chain/evm.ts'
import { type FakeRpc, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import { whileMining } from '../../../support/x402/chain.ts'
import { serveStack } from '../../../support/x402/channels/served.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import {
  type AskedFor,
  openFlowShop,
  openStockShops,
  type StockShop,
} from '../../../support/x402/stockShops.ts'

/**
 * Stock servers and clients while the chain stands still for STANDSTILL_S (40) seconds, which is longer than a
 * call of settle waits: a payer who signs again whenever it is refused is charged once, and served once.
 */

const STANDSTILL_MS = 1_000 * Number(process.env.STANDSTILL_S ?? 40)
const FUNDS = 1_000_000n
/** When payers begin, in ms after the chain has stopped; what is before that is in the middle of it. */
const MOMENTS = [-300, -100, 0, 2_000]

let stack: X402Stack
let served: ReturnType<typeof serveStack>
let shops: Readonly<Record<string, StockShop>>
let reading: FakeRpc
let sending: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 'manual' },
    apiRpcUrl: (node) => {
      reading = startFakeRpc(node)
      return reading.url
    },
    workerRpcUrl: (node) => {
      sending = startFakeRpc(node)
      return sending.url
    },
  })
  served = serveStack(stack)
  const { chain, merchant } = stack
  const { name = '', version = '' } = chain.usdc.eip712 ?? {}
  const asked: AskedFor = {
    scheme: 'exact',
    network: 'eip155:84532',
    payTo: checksumAddress(merchant.forwarder),
    asset: checksumAddress(chain.usdc.address),
    amount: PRICE.toString(),
    maxTimeoutSeconds: 300,
    extra: { name, version },
    description: 'The report',
  }
  const all = await openStockShops(served.url, asked)
  const upfront = openFlowShop(served.url, asked, 'upfront')
  shops = { express: all['@x402/express'], hono: all['@x402/hono'], upfront }
  all['x402-express'].close()
  all['x402-hono'].close()
}, 180_000)

afterAll(async () => {
  for (const shop of Object.values(shops ?? {})) shop.close()
  await served?.close()
  await stack?.close()
  await reading?.stop()
  await sending?.stop()
}, 60_000)

interface Paid {
  readonly payer: PrivateKeyAccount
  readonly tries: number
}

/** Asks until it is served, with a new signature each time. */
async function payUntilServed(url: string, payer: PrivateKeyAccount): Promise<Paid> {
  const schemes = [{ network: 'eip155:*', client: new ExactEvmScheme(payer) }] as const
  const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes: [...schemes] })
  for (let tries = 1; tries < 60; tries += 1) {
    const response = await pay(url).catch(() => null)
    if (response?.status === 200) return { payer, tries }
    await Bun.sleep(1_000)
  }
  throw new Error('the payer was never served')
}

/** Silent nodes neither hear nor answer. */
const SILENT = () => ({ type: 'drop_request' }) as const
const QUIET = () => {}

describe.each([
  ['no block comes', QUIET, QUIET],
  ['the worker’s node is silent', () => sending.rule(SILENT), () => sending.rule()],
  [
    'nothing that is sent arrives',
    () =>
      sending.rule(({ method }) => (method === 'eth_sendRawTransaction' ? SILENT() : undefined)),
    () => sending.rule(),
  ],
  ['the API’s node is silent', () => reading.rule(SILENT), () => reading.rule()],
] as const)('while %s', (_, stop, resume) => {
  test(`for ${STANDSTILL_MS / 1_000} s, each payer is charged once and served once`, async () => {
    const wanted = await Promise.all(
      Object.entries(shops).flatMap(([shop, { url }]) =>
        MOMENTS.map(async (moment) => ({ shop, url, moment, payer: await stack.newPayer(FUNDS) })),
      ),
    )
    const begins = performance.now() + 1_000
    const all = wanted.map(async ({ url, moment, payer }) => {
      await Bun.sleep(begins + moment - performance.now())
      return payUntilServed(url, payer)
    })
    await whileMining(stack, Bun.sleep(begins - performance.now()))
    stop()
    await Bun.sleep(STANDSTILL_MS)
    resume()
    const paid = await whileMining(stack, Promise.all(all))
    const charged = await Promise.all(
      wanted.map(async ({ shop, moment, payer }, i) => {
        const left = await stack.chain.balance(payer.address)
        return { shop, moment, tries: paid[i]?.tries, charged: FUNDS - left }
      }),
    )
    console.log(charged.map((one) => `${one.shop} ${one.moment}: ${one.tries} tries`).join('\n'))
    expect(charged.filter((one) => one.charged !== PRICE)).toEqual([])
    // Nothing comes later.
    await whileMining(stack, Bun.sleep(3_000))
    const later = await Promise.all(wanted.map(({ payer }) => stack.chain.balance(payer.address)))
    expect(later.filter((left) => left !== FUNDS - PRICE)).toEqual([])
  }, 300_000)
})
