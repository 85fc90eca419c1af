import { encodeFunctionData, erc20Abi, keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { createMerchant } from '../../../store/access/merchants.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { prepareForwarder, registerForwarder } from '../../../store/hub/forwarders.ts'
import type { Process } from '../kernel.ts'
import { PAYER_ACCOUNTS } from '../keys.ts'
import { RECEIVERS, type World } from '../world.ts'
import { insist } from './callers.ts'
import type { InvoiceRecord, Merchant, Records } from './records.ts'
import { giveBack } from './refunds.ts'

/** What merchants and payers do. */

/** The operator's part: merchants who are paid by invoices and by x402. */
export async function openMerchants(
  world: World,
  actor: Process,
  count: number,
): Promise<Merchant[]> {
  const database = openDatabase(world.database.url, {
    name: 'operator',
    poolSize: 1,
    silenceMs: 10_000,
  })
  const { hub } = world.chain
  const merchants: Merchant[] = []
  const [api] = world.apis
  if (api === undefined) throw new Error('there is no API')
  for (let i = 0; i < count; i += 1) {
    const recipient = addressOf(actor.random.hex(32))
    const created = await createMerchant(database, api.config, { name: `Shop ${i}`, recipient })
    if (!created.ok) throw new Error(created.message)
    const { id } = created.merchant
    const forwarder = await database.begin(async (sql) => {
      const address = await registerForwarder(sql, hub.hub, id)
      await prepareForwarder(sql, id, hub.networkId)
      return address
    })
    merchants.push({ id, key: created.secretKey, recipient, forwarder })
  }
  await database.end({ timeout: 1 })
  return merchants
}

/** Sends tokens as a payer, outside of the product. */
export function sendTokens(
  world: World,
  actor: Process,
  payer: PrivateKeyAccount,
  to: Address,
  amount: bigint,
): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return sendCall(world, actor, payer, { to: world.chain.hub.usdc.address, data, gas: 120_000n })
}

interface Call {
  readonly to: Address
  readonly data: Hex
  readonly gas: bigint
}

/** Sends a transaction as a payer, outside of the product. */
export async function sendCall(
  world: World,
  actor: Process,
  payer: PrivateKeyAccount,
  call: Call,
): Promise<Hex> {
  const { node } = world.chain.hub
  return world.outside(actor, async () => {
    const mined = await node.rpc('eth_getTransactionCount', [payer.address, 'latest'])
    const nonce = Math.max(Number(mined), world.nonces.get(payer.address) ?? 0)
    world.nonces.set(payer.address, nonce + 1)
    const raw = await payer.signTransaction({
      ...{ type: 'eip1559', chainId: node.chainId, nonce, ...call },
      ...{ maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
    })
    const hash = keccak256(raw)
    world.sent.set(hash, raw)
    await world.chain.ask({ method: 'eth_sendRawTransaction', params: [raw] })
    return hash
  })
}

/** How a payer pays an invoice. */
const WAYS = [
  'exact',
  'exact',
  'exact',
  'partly',
  'in parts',
  'too much',
  'twice',
  'again',
  'late',
  'late',
  'never',
] as const

const EXCESS: ReadonlySet<string> = new Set(['too much', 'twice'])

/** An invoice from its creation until its payer has done what they do, and perhaps has it back. */
export async function payInvoice(world: World, actor: Process, records: Records): Promise<void> {
  const { random } = actor
  const way = random.pick(WAYS)
  const expiresMs = way === 'late' ? random.between(10_000, 30_000) : 1_200_000
  const amount = BigInt(random.between(100, 5_000)) * 10_000n
  const payer = random.pick(PAYER_ACCOUNTS)
  const opened = await openInvoice(world, actor, records, { way, expiresMs, amount, payer })
  if (opened === null) return
  const { record } = opened
  await Bun.sleep(
    way === 'late' ? expiresMs + random.between(-4_000, 8_000) : random.between(100, 10_000),
  )
  for (const share of sharesOf(way, amount, actor)) {
    await sendTokens(world, actor, payer, record.deposit, share)
    world.count('transfers')
    // What comes again later is swept by itself.
    await Bun.sleep(way === 'again' ? random.between(15_000, 30_000) : random.between(100, 6_000))
  }
  const isBack = way === 'partly' || way === 'late' ? random.isLikely(0.5) : EXCESS.has(way)
  if (isBack) await giveBack(world, actor, record, payer)
}

export interface Opened {
  readonly record: InvoiceRecord
  /** Of its checkout page. */
  readonly session: string
}

interface Wanted extends Pick<InvoiceRecord, 'way' | 'amount' | 'payer'> {
  readonly expiresMs: number
}

/** Creates an invoice of a merchant, sometimes twice; null when its time was over before there was an answer. */
export async function openInvoice(
  world: World,
  actor: Process,
  records: Records,
  { expiresMs, ...wanted }: Wanted,
): Promise<Opened | null> {
  const { random } = actor
  const merchant = random.pick(records.merchants)
  const body = {
    ...{ tokenSymbol: 'USDC', amountExpected: inTokens(wanted.amount), externalRef: random.uuid() },
    expiresAt: new Date(Date.now() + expiresMs).toISOString(),
  }
  const data = await createInvoice(world, actor, merchant, body)
  if (data === null) {
    records.expired.push(body.externalRef)
    return null
  }
  // Some merchants ask again, as after an answer that was lost.
  if (random.isLikely(0.2)) {
    const again = await createInvoice(world, actor, merchant, body)
    if (again !== null && again.id !== data.id)
      throw new Error(`invoice ${data.id} was created again as ${again.id}`)
  }
  const deposit = lowerCaseAddress(`0x${String(data.addresses[0].address).slice(2)}`)
  const what = { ...wanted, merchant, id: String(data.id), deposit }
  const record: InvoiceRecord = { ...what, refunds: [], seen: [], shown: [] }
  records.invoices.push(record)
  world.count('invoices')
  return { record, session: String(data.checkoutUrl).split('/').at(-1) ?? '' }
}

/** The invoice; null when its time was over before there was an answer. */
async function createInvoice(
  world: World,
  actor: Process,
  { key }: Merchant,
  body: { readonly expiresAt: string },
) {
  const { status, json } = await insist(world, actor, 'POST', '/v1/invoices', { key, body })
  // Clocks differ.
  if (status === 400 && Date.parse(body.expiresAt) < Date.now() + 10_000) return null
  if (status !== 201 && status !== 200)
    throw new Error(`an invoice was refused: ${JSON.stringify(json)}`)
  return Object(json).data
}

function sharesOf(way: (typeof WAYS)[number], amount: bigint, { random }: Process): bigint[] {
  const part = (amount * BigInt(random.between(1, 99))) / 100n
  switch (way) {
    case 'never':
      return []
    case 'partly':
      return [part]
    case 'in parts':
      return [part, amount - part]
    case 'too much':
      return [amount + part]
    case 'twice':
    case 'again':
      return [amount, amount]
    default:
      return [amount]
  }
}

/** Has a merchant's events sent to receivers of its own. */
export async function openReceivers(
  world: World,
  actor: Process,
  merchant: Merchant,
): Promise<void> {
  for (const host of RECEIVERS) {
    const body = { url: `http://${host}/${merchant.id}` }
    const answer = await insist(world, actor, 'POST', '/v1/webhooks/endpoints', {
      key: merchant.key,
      body,
    })
    if (answer.status !== 201)
      throw new Error(`an endpoint was refused: ${JSON.stringify(answer.json)}`)
  }
}

export function inTokens(amount: bigint): string {
  const digits = amount.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

/** Rows that several processes write. */
const LOCKED = [
  'invoice',
  'chain_state',
  'relayer_key',
  'work_item',
  'x402_payment',
  'webhook_endpoint',
]

/** An operator's session that locks rows now and then, some of them for longer than others wait. */
export async function lockRows(world: World, actor: Process): Promise<void> {
  const { lockEveryMs } = world.faults.rates
  if (lockEveryMs === Number.POSITIVE_INFINITY) return
  const options = { name: 'support', poolSize: 1, silenceMs: 10_000 }
  const database = openDatabase(world.database.url, options)
  for (;;) {
    await Bun.sleep(actor.random.between(1, 2 * lockEveryMs))
    if (world.faults.isOver) return
    const table = actor.random.pick(LOCKED)
    const ms = actor.random.isLikely(0.2) ? 11_000 : actor.random.between(50, 2_000)
    const work = database.begin(async (sql) => {
      await sql`select from ${sql(table)} limit 5 for update`
      await Bun.sleep(ms)
    })
    // It may lose against others itself.
    await work.catch(() => undefined)
    world.count('locks')
  }
}
