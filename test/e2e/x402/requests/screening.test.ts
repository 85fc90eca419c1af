import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { type Address, lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { parseWorkerConfig } from '../../../../core/config/worker.ts'
import { decideScreening } from '../../../../store/screening/screenings.ts'
import { startScreener } from '../../../../workers/screening/actor.ts'
import type { Actor } from '../../../../workers/turns/loop.ts'
import { asWorker, databaseUrlOf } from '../../../support/servers/database.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import {
  type ScreeningServer,
  says,
  startScreeningServer,
} from '../../../support/servers/screeningServer.ts'
import { type Presented, present } from '../../../support/x402/cases.ts'
import { channelPayer, openChannelShop } from '../../../support/x402/channels/shop.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** A payer's requests are settled when the operator's service has let the payer pass, and not before. */

const SILENT = pino({ level: 'silent' })
const service: ScreeningServer = startScreeningServer()
let stack: X402Stack
let screener: Actor

beforeAll(async () => {
  stack = await startX402Stack({ variables: service.variables })
  screener = begin()
}, 120_000)

afterAll(async () => {
  await screener.stop()
  await stack.close()
  service.stop()
})

function begin(): Actor {
  const variables = {
    ...stack.chain.variables(),
    ...service.variables,
    DATABASE_URL: databaseUrlOf(stack.database),
    REDIS_URL: 'redis://unset',
    RPC_URL_BASE_SEPOLIA: stack.chain.node.url,
  }
  const parsed = parseWorkerConfig(variables)
  if (!parsed.ok || parsed.config.screening === null) throw new Error('nobody is screened')
  return startScreener({
    database: asWorker(stack.database),
    workerId: 'test',
    log: SILENT,
    source: parsed.config.screening,
    environment: 'sandbox',
    onFatal: (error) => {
      throw error
    },
  })
}

const pay = async (payer?: Presented['payer']) =>
  present(stack, payer === undefined ? {} : { payer })

test('whoever passes is asked about once and pays as often as they like', async () => {
  const { payer, body, ...first } = await pay()
  expect(await stack.verify(body)).toMatchObject({ isValid: true })
  expect(await stack.settle(body)).toMatchObject({ success: true })
  const again = await pay(payer)
  expect(await stack.settle(again.body)).toMatchObject({ success: true })
  expect(service.asked.filter((one) => one === first.authorization.from)).toHaveLength(1)
})

test('a payer on hold is refused by verify and settle, and nothing is claimed', async () => {
  service.answer = () => says('hold')
  const { body, authorization } = await pay()
  expect(await stack.verify(body)).toMatchObject({ invalidReason: 'payer_on_hold' })
  expect(await stack.settle(body)).toMatchObject({ success: false, error: 'payer_on_hold' })
  expect(await claims(authorization.from)).toBe(0)
  await decideScreening(stack.database, authorization.from, 'allow', null)
  expect(await stack.settle(body)).toMatchObject({ success: true })
  expect(await claims(authorization.from)).toBe(1)
})

test('while there is no answer the caller may try again, and pays once', async () => {
  service.answer = () => new Promise(() => {})
  const { payer, body, authorization } = await pay()
  const before = await stack.chain.balance(payer.address)
  expect(await stack.settle(body)).toMatchObject({ error: 'unexpected_settle_error' })
  expect(await claims(authorization.from)).toBe(0)
  // The process that asked has died, and its successor asks again.
  await screener.stop()
  service.answer = () => says('allow')
  await stack.database`update screening set ask_at = now() where ask_at is not null`
  screener = begin()
  const settled = await eventually(
    () => stack.settle(body),
    ({ success }) => success,
  )
  expect(settled.success).toBe(true)
  expect(await claims(authorization.from)).toBe(1)
  expect(before - (await stack.chain.balance(payer.address))).toBe(PRICE)
})

test('nothing of a payer who is held goes into a channel', async () => {
  service.answer = () => says('hold')
  const api = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = method === 'POST' ? { body: await request.text() } : {}
      return stack.fetch(pathname + search, { method, headers, ...body })
    },
  })
  const shop = openChannelShop({
    facilitator: `http://127.0.0.1:${api.port}/v1/x402`,
    payTo: stack.merchant.forwarder,
    price: 70n,
    chain: stack.chain,
  })
  try {
    const payer = await stack.newPayer(100_000n)
    const { pay } = channelPayer(payer, stack.chain.client)
    expect((await pay(shop.url)).status).toBe(402)
    expect(await stack.chain.balance(payer.address)).toBe(100_000n)
    const address = lowerCaseAddress(payer.address)
    expect(service.asked.filter((one) => one === address)).toHaveLength(1)
    await decideScreening(stack.database, address, 'allow', null)
    expect((await pay(shop.url)).status).toBe(200)
  } finally {
    shop.close()
    await api.stop(true)
  }
})

async function claims(payer: Address): Promise<number> {
  const rows = await stack.database`select 1 from x402_payment where payer = ${payer}`
  return rows.length
}
