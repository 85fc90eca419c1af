import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Process } from '../kernel.ts'
import { PAYER_ACCOUNTS } from '../keys.ts'
import type { World } from '../world.ts'
import { insist } from './callers.ts'
import { type InvoiceRecord, LATE_WAYS, type Merchant, type Records } from './records.ts'
import { giveBack } from './refunds.ts'
import { sendTokens } from './wallets.ts'

/** What merchants and payers do. */

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
  'again',
  'late',
  'late',
  'ended',
  'never',
] as const

const EXCESS: ReadonlySet<string> = new Set(['too much', 'twice'])

/** An invoice from its creation until its payer has done what they do, and perhaps has it back. */
export async function payInvoice(world: World, actor: Process, records: Records): Promise<void> {
  const { random } = actor
  const way = random.pick(WAYS)
  const expiresMs = way === 'late' ? random.between(8_000, 20_000) : 1_200_000
  const amount = BigInt(random.between(100, 5_000)) * 10_000n
  const payer = random.pick(PAYER_ACCOUNTS)
  const opened = await openInvoice(world, actor, records, { way, expiresMs, amount, payer })
  if (opened === null) return
  const { record } = opened
  await Bun.sleep(
    way === 'late' ? expiresMs + random.between(-4_000, 8_000) : random.between(100, 10_000),
  )
  const ending = way === 'ended' ? pause(actor).then(() => endInvoice(world, actor, record)) : null
  const sent: Hex[] = []
  for (const share of sharesOf(way, amount, actor)) {
    if (way === 'ended') await pause(actor)
    sent.push(await sendTokens(world, actor, payer, record.deposit, share))
    world.count('transfers')
    // What comes again later is swept by itself.
    await Bun.sleep(way === 'again' ? random.between(10_000, 20_000) : random.between(100, 6_000))
  }
  await ending
  const isBack = way === 'partly' || LATE_WAYS.has(way) ? random.isLikely(0.5) : EXCESS.has(way)
  if (isBack) await giveBack(world, actor, record, payer, sent)
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
  // Some ask twice at once.
  const [data, rival] = await Promise.all([
    createInvoice(world, actor, merchant, body),
    random.isLikely(0.1) ? createInvoice(world, actor, merchant, body) : null,
  ])
  if (data === null) {
    records.expired.push(body.externalRef)
    return null
  }
  // Some merchants ask again, as after an answer that was lost.
  const again = random.isLikely(0.2) ? await createInvoice(world, actor, merchant, body) : null
  for (const other of [again, rival])
    if (other !== null && other.id !== data.id)
      throw new Error(`invoice ${data.id} was created again as ${other.id}`)
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

export async function endInvoice(
  world: World,
  actor: Process,
  { id, merchant }: InvoiceRecord,
): Promise<void> {
  const { status } = await insist(world, actor, 'POST', `/v1/invoices/${id}/expire`, {
    ...{ key: merchant.key, body: {} },
  })
  world.count(`ended with ${status}`)
}

/** Up to some seconds, in which something else may happen first. */
export function pause({ random }: Process): Promise<void> {
  return Bun.sleep(random.between(0, 4_000))
}

export function inTokens(amount: bigint): string {
  const digits = amount.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}
