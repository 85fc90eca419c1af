/**
 * A paid request on the running stack: a price is registered, the example server requires it, a stock
 * client pays, and the money is paid out. At the end all amounts are checked to the unit.
 */

import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { parseUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type MerchantConfig, readMerchant } from '../../chain/hub/registry.ts'
import { platformFee } from '../../core/base/fee.ts'
import { baseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { Description } from '../stack/description.ts'
import { startShop } from './shop.ts'
import {
  callApi,
  compare,
  compareGains,
  type DemoChain,
  eventually,
  type Holdings,
  holdingsOf,
  openDemoChain,
  payFromFaucet,
  say,
} from './stack.ts'

const NETWORK_ID = 'base-sepolia'
/** Prices are registered for public URLs, independent of the server's own address. */
const PUBLIC_URL = 'https://shop.example'
const PRICE = '0.01'
const FUNDS = '1'
/** The base unit that the hub leaves in a forwarder, to make later transfers to it cheaper. */
const LEFT_BEHIND = 1n

interface EndpointView {
  readonly endpointUrl: string
  readonly payTo: Address
}

/** The result of settle, forwarded by the server. */
interface Settled {
  readonly transaction: Hex
  readonly paymentId: string
}

interface Paid extends Settled {
  /** The payment header of the client. */
  readonly header: string
}

interface PaymentView {
  readonly status: string
  /** Null until the forwarder's payout is booked. */
  readonly fee: string | null
}

export async function demonstrateX402(stack: Description): Promise<void> {
  const chain = openDemoChain(stack, NETWORK_ID)
  const endpoint = await callApi<EndpointView>(stack, '/v1/x402/endpoints', {
    endpointUrl: `${PUBLIC_URL}/report`,
    asset: 'USDC',
    network: `eip155:${chain.chainId}`,
    amountUsd: PRICE,
  })
  say(`${endpoint.endpointUrl} costs ${PRICE} USDC, paid to the forwarder ${endpoint.payTo}`)
  const payer = privateKeyToAccount(generatePrivateKey())
  await payFromFaucet(stack, chain, lowerCaseAddress(payer.address), FUNDS)
  const shop = await startShop({ publicUrl: PUBLIC_URL })
  try {
    const url = `${shop.url}/report`
    await showPrice(url)
    const merchant = await registryEntry(stack, chain)
    const read = () =>
      holdingsOf(chain, {
        payer: lowerCaseAddress(payer.address),
        treasury: merchant.treasury,
        collector: stack.feeCollector,
        forwarder: endpoint.payTo,
      })
    const before = await read()
    const paid = await pay(url, payer)
    await showTransaction(chain, paid)
    await showRepeat(url, paid)
    const payment = await booked(stack, paid)
    report(payment, merchant, before, await read())
  } finally {
    await shop.stop()
  }
}

/** The hub's entry for the merchant, which is written after its first endpoint is registered. */
function registryEntry(stack: Description, { client }: DemoChain): Promise<MerchantConfig> {
  return eventually(
    () => readMerchant(client, stack.hub, stack.merchantId),
    ({ version }) => version > 0,
  )
}

async function showPrice(url: string): Promise<void> {
  const response = await fetch(url)
  if (response.status !== 402) throw new Error(`${url} returned ${response.status}, expected 402`)
  say(`GET ${url}: 402`)
  say(JSON.stringify(await response.json(), null, 2))
}

/** Pays with the stock `@x402/fetch`, and prints what it signs. */
async function pay(url: string, payer: PrivateKeyAccount): Promise<Paid> {
  let header = ''
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(payer))
    .onAfterPaymentCreation(async ({ paymentPayload }) => {
      header = Buffer.from(JSON.stringify(paymentPayload)).toString('base64')
      say('the client signs')
      say(JSON.stringify(paymentPayload.payload, null, 2))
    })
  const started = performance.now()
  const response = await wrapFetchWithPayment(fetch, client)(url)
  const seconds = ((performance.now() - started) / 1000).toFixed(2)
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}: ${body}`)
  say(`GET ${url} with the payment: 200 after ${seconds} s`)
  say(body)
  const settled: Settled = JSON.parse(response.headers.get('X-PAYMENT-RESPONSE') ?? '{}')
  return { ...settled, header }
}

async function showTransaction({ client }: DemoChain, { transaction }: Paid): Promise<void> {
  const receipt = await client.getTransactionReceipt({ hash: transaction })
  if (receipt.status !== 'success') throw new Error(`${transaction} was reverted`)
  say(`settled in ${transaction}, block ${receipt.blockNumber}, gas ${receipt.gasUsed}`)
}

async function showRepeat(url: string, { header }: Paid): Promise<void> {
  const response = await fetch(url, { headers: { 'X-PAYMENT': header } })
  const { error } = await response.json()
  if (response.status !== 402) throw new Error(`a header was accepted twice: ${response.status}`)
  say(`the same header again: 402, ${error}`)
}

/** The payment with its share of the fee, which is known once the payout is confirmed. */
async function booked(stack: Description, { paymentId }: Paid): Promise<PaymentView> {
  return eventually(
    () => callApi<PaymentView>(stack, `/v1/x402/payments/${paymentId}`),
    ({ fee }) => fee !== null,
  )
}

/** Compares the balance change of each account with the registry entry, to the unit. */
function report(
  { status, fee }: PaymentView,
  merchant: MerchantConfig,
  before: Holdings,
  after: Holdings,
): void {
  const price = parseUnits(PRICE, 6)
  const held = before.get('forwarder') ?? 0n
  const distributed = baseUnits(held + price - LEFT_BEHIND)
  const policy = { rateBps: merchant.feeBps, ceiling: merchant.feeCap }
  const charged = platformFee(distributed, policy)
  const wrong = compareGains(before, after, {
    payer: -price,
    treasury: distributed - charged,
    collector: charged,
    forwarder: LEFT_BEHIND - held,
  })
  const isFeeRight = compare('fee booked', parseUnits(fee ?? '0', 6), charged)
  if (status !== 'settled') throw new Error(`the payment is ${status}, expected settled`)
  if (wrong > 0 || !isFeeRight) throw new Error('some amounts are wrong')
  say('every unit is accounted for')
}
