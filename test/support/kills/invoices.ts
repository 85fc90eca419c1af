import { beforeAll, describe, expect, test } from 'bun:test'
import { parseUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { CheckoutView, PayerAuthorization } from '../../../core/checkout/view.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { keepingLogs, running } from '../running/stack.ts'
import {
  callApi,
  createInvoice,
  type DevStack,
  eventually,
  expectReconciled,
  getInvoice,
  type Part,
} from '../servers/devStack.ts'
import { paymentFor, visit } from '../x402/invoices.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { payloadOf } from '../x402/paymentHeader.ts'

/**
 * Invoices are paid in every way there is while processes are killed at random. At the end every
 * invoice must be in its right state and every unit where it belongs. One of each way is paid by default; the full count
 * is run with CRASH_INVOICES=200 CRASH_KILLS=10.
 */

const INVOICES = Number(process.env.CRASH_INVOICES ?? 7)
const KILLS = Number(process.env.CRASH_KILLS ?? 1)
const PARTS: readonly Part[] = ['api', 'indexer', 'worker', 'redis']
const PAUSE_MS = 1_000
/** How long a payer repeats a payment. */
const PATIENCE_MS = 240_000

let stack: DevStack
let base: Payer
let sepolia: Payer

interface Case {
  /** Pays the invoice; amounts are in USDC. */
  readonly pay: (invoice: InvoiceJson, deposit: string) => Promise<void>
  readonly expected: Partial<InvoiceJson>
}

/** Each invoice asks for 10 USDC and bears a fee of 0.05. */
const CASES: Readonly<Record<string, Case>> = {
  exact: {
    pay: async (_, deposit) => void (await base.mined(await base.send(deposit, '10'))),
    expected: completed('10', '0', '9.95'),
  },
  partialThenFull: {
    pay: async (_, deposit) => {
      await sepolia.mined(await sepolia.send(deposit, '3'))
      await sepolia.send(deposit, '7')
    },
    expected: completed('10', '0', '9.95'),
  },
  over: {
    pay: async (_, deposit) => void (await base.send(deposit, '12.5')),
    expected: completed('12.5', '2.5', '12.45'),
  },
  twoChains: {
    pay: async (_, deposit) => {
      await Promise.all([base.send(deposit, '4'), sepolia.send(deposit, '6')])
    },
    expected: completed('10', '0', '9.95'),
  },
  byX402: { pay: payByX402, expected: completed('10', '0', '9.95') },
  onPage: { pay: payOnPage, expected: completed('10', '0', '9.95') },
  late: {
    pay: async (invoice, deposit) => {
      await callApi(stack, `/v1/invoices/${invoice.id}/expire`, {})
      // A block of the second in which the invoice was closed would still be on time.
      await Bun.sleep(1_100)
      await base.send(deposit, '10')
    },
    expected: {
      status: 'pending',
      receivedAmount: '0',
      lateAmount: '10',
      amountRemitted: '0',
      pendingAmount: null,
    },
  },
}

function completed(received: string, over: string, remitted: string): Partial<InvoiceJson> {
  return {
    status: 'completed',
    receivedAmount: received,
    overpaidAmount: over,
    amountRemitted: remitted,
    pendingAmount: null,
    lateAmount: '0',
  }
}

export function invoices(): void {
  describe('invoices', () => {
    beforeAll(async () => {
      stack = running()
      base = await openPayer(stack.description, 'base-sepolia')
      sepolia = await openPayer(stack.description, 'sepolia')
    }, 180_000)

    test(
      `${INVOICES} invoices survive ${KILLS} kills of each part`,
      keepingLogs(async () => {
        const { recipient } = await createInvoice(stack, {
          tokenSymbol: 'USDC',
          amountExpected: '10',
        })
        const earlier = await collected(recipient?.address ?? '')
        const names = Object.keys(CASES)
        const kills = killAtRandom()
        const invoices = new Map<string, Case>()
        for (let i = 0; i < INVOICES; i += 1) {
          const found = CASES[names[i % names.length] ?? '']
          if (!found) throw new Error('there are no cases')
          const invoice = await createInvoice(stack, {
            tokenSymbol: 'USDC',
            amountExpected: '10',
            externalRef: `crash-${i}`,
          })
          await found.pay(invoice, invoice.addresses[0]?.address ?? '')
          invoices.set(invoice.id, found)
        }
        const counted = await kills
        console.log('killed', counted)
        for (const part of PARTS) expect(counted[part]).toBeGreaterThanOrEqual(KILLS)

        for (const [id, { expected }] of invoices) {
          const final = await eventually(
            () => getInvoice(stack, id),
            (now) =>
              isMatch(now, expected) && now.transactions.every((t) => t.status === 'confirmed'),
            90_000,
          )
          expect(final).toMatchObject(expected)
        }
        await expectMerchantPaid(invoices, earlier)
        await expectReconciled(stack)
      }),
      900_000,
    )
  })
}

/** Signs what the invoice requires, and repeats it until there is a receipt; signs again where nothing was begun. */
async function payByX402(invoice: InvoiceJson): Promise<void> {
  const payer = await newPayer()
  const { x402Url } = { x402Url: '', ...invoice }
  const { apiUrl } = stack.description
  const api = { fetch: (path: string, init?: RequestInit) => fetch(apiUrl + path, init) }
  let payment: string | null = null
  const attempt = async () => {
    payment ??= await paymentFor(api, x402Url, payer)
    const { accepts, status } = await visit(api, x402Url, payment)
    if (accepts !== null) payment = null
    return status
  }
  await patiently(attempt, (status) => status === 200)
}

/** The same on its page. */
async function payOnPage(invoice: InvoiceJson): Promise<void> {
  const payer = await newPayer()
  const { checkoutUrl } = { checkoutUrl: '', ...invoice }
  const session = `/v1/checkout/sessions/${checkoutUrl.split('/').at(-1)}`
  let body: object | null = null
  const attempt = async () => {
    body ??= await signedBody(await callApi<CheckoutView>(stack, session), payer)
    const path = `${session}/authorizations`
    const { status, transaction } = await callApi<PayerAuthorization>(stack, path, body)
    const isBegun = status === 'received' || status === 'sent' || status === 'settled'
    if (!isBegun && transaction === null) body = null
    return status
  }
  await patiently(attempt, (status) => status === 'settled')
}

/** Payers don't use up their limits while a part is down. */
function patiently<T>(attempt: () => Promise<T>, isDone: (seen: T | null) => boolean) {
  const paused = async () => {
    const seen = await attempt().catch(() => null)
    if (!isDone(seen)) await Bun.sleep(PAUSE_MS)
    return seen
  }
  return eventually(paused, isDone, PATIENCE_MS)
}

async function signedBody({ payment }: CheckoutView, payer: PrivateKeyAccount): Promise<object> {
  const option = payment?.addresses.find(({ networkId }) => networkId === 'base-sepolia')
  if (!option?.signature) throw new Error('nothing can be signed now')
  const { name, version, value: amount } = option.signature
  const { address: payTo, tokenAddress: asset, chainId, networkId } = option
  const network = `eip155:${chainId}` as const
  const { authorization, signature } = await payloadOf(
    { network, asset, payTo, amount, extra: { name, version } },
    payer,
  )
  const { to: _, ...signed } = authorization
  return { networkId, ...signed, signature }
}

async function newPayer(): Promise<PrivateKeyAccount> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await base.mined(await base.send(payer.address, '10'))
  return payer
}

/** Kills one part after the other in random order, each as often as asked for. */
async function killAtRandom(): Promise<Record<Part, number>> {
  const counted: Record<Part, number> = { api: 0, indexer: 0, worker: 0, redis: 0, postgres: 0 }
  for (;;) {
    const open = PARTS.filter((part) => counted[part] < KILLS)
    const part = open[Math.floor(Math.random() * open.length)]
    if (!part) return counted
    await Bun.sleep(PAUSE_MS * (0.5 + Math.random()))
    if (stack.kill(part)) counted[part] += 1
  }
}

interface Collected {
  readonly merchant: bigint
  readonly collector: bigint
}

/** The merchant and the collector have got exactly what the invoices say, on both chains together. */
async function expectMerchantPaid(
  invoices: ReadonlyMap<string, Case>,
  earlier: Collected,
): Promise<void> {
  let remitted = 0n
  let fees = 0n
  for (const { expected } of invoices.values()) {
    if (expected.status !== 'completed') continue
    remitted += parseUnits(expected.amountRemitted ?? '0', 6)
    fees += 50_000n
  }
  const first = [...invoices.keys()][0] ?? ''
  const now = await collected((await getInvoice(stack, first)).recipient?.address ?? '')
  expect(now.merchant - earlier.merchant).toBe(remitted)
  expect(now.collector - earlier.collector).toBe(fees)
}

/** What both hold on the two chains together. */
async function collected(merchant: string): Promise<Collected> {
  const held = async (holder: string) =>
    (await base.balance(holder)) + (await sepolia.balance(holder))
  return {
    merchant: await held(merchant),
    collector: await held(stack.description.feeCollector),
  }
}

function isMatch(now: InvoiceJson, expected: Partial<InvoiceJson>): boolean {
  return Object.entries(expected).every(
    ([field, value]) => Object.entries(now).find(([name]) => name === field)?.[1] === value,
  )
}
