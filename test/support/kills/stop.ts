import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { formatUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { remit as remitElsewhere } from '../cli/run.ts'
import { keepingLogs, running } from '../running/stack.ts'
import {
  callApi,
  createInvoice,
  type DevStack,
  eventually,
  expectReconciled,
  getInvoice,
  remit,
} from '../servers/devStack.ts'
import { randomHex, TRANSFER_WITH_AUTHORIZATION } from '../x402/authorizations.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { v2Body } from '../x402/requests.ts'

/**
 * The guardian stops the hub while invoices are paid, requests are paid for and refunds are asked for.
 * Nothing is lost, everything says why it waits, and goes on by itself once the owner resumes. A larger run:
 * STOP_COUNT=100.
 */

/** Of invoices, paid requests and refunds each; half of them during the stop. */
const COUNT = Number(process.env.STOP_COUNT ?? 6)
const TIMEOUT_MS = 60_000 + 4_000 * COUNT
const NETWORK = 'base-sepolia'
const INVOICE = 10_000_000n
const PARTIAL = 3_000_000n
const PRICE = 10_000n
const TREASURY = addressOf(generatePrivateKey())
const DAY_S = 86_400n

const guardianKey = generatePrivateKey()
export const OPERATOR_TOKEN = crypto.randomUUID()
let stack: DevStack
let shop: DevStack
let base: Payer
let database: Database
let payer: PrivateKeyAccount
let payTo: string

export function stop(): void {
  describe('a stop of the hub', () => {
    beforeAll(async () => {
      stack = running()
      base = await openPayer(stack.description, NETWORK)
      database = openDatabase(stack.description.databaseUrl, { name: 'test' })
      const recipient = ['--recipient', checksumAddress(TREASURY)]
      const made = await remit(
        stack,
        'merchant',
        'create',
        '--name',
        'Shop',
        ...recipient,
        '--json',
      )
      const { secretKey } = JSON.parse(made.out)
      shop = { ...stack, description: { ...stack.description, secretKey: String(secretKey) } }
      payer = privateKeyToAccount(generatePrivateKey())
      await base.mined(await base.send(payer.address, formatUnits(PRICE * BigInt(COUNT), 6)))
      payTo = await openEndpoint()
    }, 240_000)

    afterAll(() => database?.end())

    test(
      'a stop of everything during traffic loses nothing, says why, and ends by itself',
      keepingLogs(async () => {
        const collected = await base.balance(stack.description.feeCollector)
        const half = Math.ceil(COUNT / 2)
        const before = await traffic(half)
        await stopAll()
        const during = await traffic(COUNT - half)
        const sold = [...before.invoices, ...during.invoices]
        const refunded = [...before.partials, ...during.partials]

        await everythingSaysWhyItWaits(during)
        await nothingHasFailed()

        const resumed = await remit(stack, 'hub', 'resume', '--chain', NETWORK, '--json')
        expect(JSON.parse(resumed.out)).toMatchObject({ sent: true })
        for (const id of sold) {
          await eventually(
            () => getInvoice(shop, id),
            ({ status }) => status === 'completed',
            TIMEOUT_MS,
          )
        }
        for (const id of refunded) {
          await eventually(
            () => refundsOf(id),
            ([refund]) => refund?.status === 'confirmed' && refund.waiting === null,
            TIMEOUT_MS,
          )
        }
        await eventually(unfinishedWork, ({ length }) => length === 0, TIMEOUT_MS)
        await nothingHasFailed()
        await expectBooks(collected, [...sold, ...refunded])
      }),
      900_000,
    )
  })
}

interface Traffic {
  readonly invoices: readonly string[]
  /** Paid in part, and the part is asked back. */
  readonly partials: readonly string[]
}

/** So many of each: an invoice that is paid, a request that is paid for, and a refund. */
async function traffic(count: number): Promise<Traffic> {
  const invoices: string[] = []
  const partials: string[] = []
  for (let i = 0; i < count; i += 1) {
    invoices.push(await paidInvoice('10'))
    partials.push(await paidInvoice('3'))
    expect(await payRequest()).toMatchObject({ success: true })
  }
  for (const id of partials) {
    const address = privateKeyToAccount(stack.description.faucetPrivateKey).address
    await callApi(shop, `/v1/invoices/${id}/refunds`, { amount: '3', address, idempotencyKey: id })
  }
  return { invoices, partials }
}

/** An invoice of 10 of which so much was paid and is confirmed. */
async function paidInvoice(amount: string): Promise<string> {
  const { id, addresses } = await createInvoice(shop, { tokenSymbol: 'USDC', amountExpected: '10' })
  await base.mined(await base.send(addresses[0]?.address ?? '', amount))
  await eventually(
    () => getInvoice(shop, id),
    ({ receivedAmount }) => receivedAmount === amount,
    TIMEOUT_MS,
  )
  return id
}

async function openEndpoint(): Promise<string> {
  const endpoint = await callApi<{ payTo: string }>(shop, '/v1/x402/endpoints', {
    endpointUrl: 'https://shop.example/stop',
    asset: 'USDC',
    network: `eip155:${await base.client.getChainId()}`,
    amountUsd: '0.01',
  })
  return endpoint.payTo
}

async function payRequest(): Promise<unknown> {
  const chain = stack.description.chains.find(({ networkId }) => networkId === NETWORK)
  const usdc = chain?.tokens.USDC
  if (chain === undefined || usdc === undefined) throw new Error('the stack has no USDC')
  const { timestamp } = await base.client.getBlock()
  const authorization = {
    from: lowerCaseAddress(payer.address),
    to: lowerCaseAddress(payTo),
    value: PRICE,
    validAfter: 0n,
    validBefore: timestamp + DAY_S,
    nonce: randomHex(32),
  }
  const { name = '', version = '' } = usdc
  const domain = { name, version, chainId: chain.chainId, verifyingContract: usdc.address }
  const signature = await payer.signTypedData({
    domain,
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
  const requirements = {
    scheme: 'exact',
    network: `eip155:${chain.chainId}`,
    amount: PRICE.toString(),
    asset: usdc.address,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name, version },
  }
  const body = JSON.stringify(v2Body(requirements, authorization, signature))
  const headers = { 'content-type': 'application/json' }
  const url = `${stack.description.apiUrl}/v1/x402/settle`
  return eventually(
    async () => (await fetch(url, { method: 'POST', headers, body })).json(),
    ({ error }) => error !== 'settlement_pending' && error !== 'unexpected_settle_error',
    TIMEOUT_MS,
  )
}

/** The owner appoints a guardian, who stops everything from a machine that has nothing but its key. */
async function stopAll(): Promise<void> {
  const guardian = addressOf(guardianKey)
  const at = ['--chain', NETWORK, '--json']
  const account = checksumAddress(guardian)
  const appointed = await remit(stack, 'hub', 'propose', 'set-guardian', account, ...at)
  expect(JSON.parse(appointed.out)).toMatchObject({ sent: true })
  await base.rpc('anvil_setBalance', [guardian, '0xde0b6b3a7640000'])
  const rpcUrl = stack.description.chains.find(({ networkId }) => networkId === NETWORK)?.rpcUrl
  const own = {
    HUB_ADDRESS: stack.description.hub,
    HUB_GUARDIAN_KEY: guardianKey,
    RPC_URL_BASE_SEPOLIA: rpcUrl ?? '',
  }
  const stopped = await remitElsewhere(own, 'hub', 'stop', ...at)
  expect(stopped.json()).toMatchObject({
    sent: true,
    does: 'stop sweeps, distributions, refunds, registry',
  })
}

async function refundsOf(invoiceId: string): Promise<RefundJson[]> {
  return callApi(shop, `/v1/invoices/${invoiceId}/refunds`)
}

/** Merchants, operators and rows each know that it is the stop. */
async function everythingSaysWhyItWaits({ invoices, partials }: Traffic): Promise<void> {
  for (const id of partials) {
    await eventually(
      () => refundsOf(id),
      ([refund]) => refund?.status === 'open' && refund.waiting?.reason === 'stopped',
      TIMEOUT_MS,
    )
  }
  for (const id of invoices) expect(await getInvoice(shop, id)).toMatchObject({ status: 'paid' })
  const waiting = await eventually(
    unfinishedWork,
    (items) => items.length > 0 && items.every(({ hubWait }) => hubWait === 'stopped'),
    TIMEOUT_MS,
  )
  const kinds = new Set(waiting.map(({ kind }) => kind))
  expect([...kinds].toSorted()).toEqual(['distribute', 'refund', 'sweep'])
  for (const { result } of waiting) {
    // Told by the hub's state before it is tried, or by the hub when it was stopped a moment before.
    expect(result).toEqual({ waits: expect.stringMatching(/has stopped|IsStopped/) })
  }
  const ready = await fetch(`${stack.description.apiUrl}/ready`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  })
  expect(ready.status).toBe(200)
  const { warnings } = (await ready.json()).data
  for (const part of ['sweeps', 'distributions', 'refunds']) {
    const words = `${NETWORK}: ${part} are stopped on the hub by the guardian`
    expect(warnings).toContainEqual(expect.stringContaining(words))
  }
}

/** What is not at its end on the chain. */
function unfinishedWork() {
  return database<{ kind: string; hubWait: string | null; result: unknown }[]>`
    select kind, hub_wait, result from work_item
    where network_id = ${NETWORK} and state in ('queued', 'assigned')`
}

/** A payout that comes just after another one finds nothing left, which is how it should be. */
async function nothingHasFailed(): Promise<void> {
  const rows = await database`
    select 'work' as what, kind, result::text from work_item
    where state in ('failed', 'review')
      and not (kind = 'distribute' and result->>'error' like 'NothingToDistribute(%')
    union all select 'sweep', status, error from settlement where status = 'failed' and not replanned
    union all select 'refund', status, error from refund where status = 'failed'
    union all select 'payment', status, null from x402_payment where status = 'failed'`
  expect([...rows]).toEqual([])
}

/** Every unit is where it belongs, on the chain, and the ledger says the same. */
async function expectBooks(collected: bigint, ids: readonly string[]): Promise<void> {
  const deposits = await Promise.all(
    ids.map(async (id) => (await getInvoice(shop, id)).addresses[0]?.address ?? ''),
  )
  for (const deposit of deposits) expect(await base.balance(deposit)).toBe(0n)
  const [treasury, collector, forwarder] = await Promise.all([
    base.balance(TREASURY),
    base.balance(stack.description.feeCollector),
    base.balance(payTo),
  ])
  // The hub leaves one unit in a forwarder.
  expect(forwarder).toBeLessThanOrEqual(1n)
  const paid = BigInt(COUNT) * (INVOICE + PRICE)
  expect(treasury + (collector - collected) + forwarder).toBe(paid)
  const refunds = await database<{ amount: bigint }[]>`
    select amount from refund where status = 'confirmed'`
  expect(refunds.map(({ amount }) => amount)).toEqual(Array(COUNT).fill(PARTIAL))
  await expectReconciled(stack)
}
