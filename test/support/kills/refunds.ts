import { beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { hubMovements } from '../../../chain/hub/movements.ts'
import { asMerchantId, type MerchantId, type RefundId } from '../../../core/base/ids.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { openDatabase } from '../../../store/database/database.ts'
import {
  block,
  CHAINS,
  type Chains,
  expectBooksOf,
  isAtRest,
  openCase,
  type RefundCase,
  units,
  type Wish,
} from '../invoice/refundCases.ts'
import { keepingLogs, running } from '../running/stack.ts'
import {
  callApi,
  type DevStack,
  eventually,
  expectReconciled,
  getInvoice,
  type Part,
  remit,
} from '../servers/devStack.ts'
import { openPayer } from '../x402/payer.ts'

/**
 * Refunds of every kind while API, worker and Redis are killed at random, asked for by callers that
 * repeat themselves until they are answered. Each is paid once, or failed and is never paid. The full
 * count is run with REFUND_COUNT=200 REFUND_KILLS=30.
 */

const REFUNDS = Number(process.env.REFUND_COUNT ?? 24)
const KILLS = Number(process.env.REFUND_KILLS ?? 3)
const PARTS: readonly Part[] = ['api', 'worker', 'redis']
/** From one kill to the next, on average. */
const PAUSE_MS = 700
/** Longer than a refund is good for after it was signed. */
const LIFETIME_S = 1_900
/** Which part is killed often starts later each time, and may be killed again while it starts. */
const TIMEOUT_S = 60 + 15 * KILLS
const TREASURY = addressOf(generatePrivateKey())

let stack: DevStack
let shop: { readonly stack: DevStack; readonly merchantId: MerchantId }
let chains: Chains

/** A refund that was asked for, and of what. */
interface Asked extends Wish {
  readonly of: RefundCase
  readonly id: RefundId
}

export function refunds(): void {
  describe('refunds', () => {
    beforeAll(async () => {
      stack = running()
      chains = {
        'base-sepolia': await openPayer(stack.description, 'base-sepolia'),
        sepolia: await openPayer(stack.description, 'sepolia'),
      }
      // Nothing is swept before this merchant has a recipient, so that an excess is still there.
      const { out } = await remit(stack, 'merchant', 'create', '--name', 'Shop', '--json')
      const { id, secretKey } = JSON.parse(out)
      const description = { ...stack.description, secretKey: String(secretKey) }
      shop = { stack: { ...stack, description }, merchantId: asMerchantId(String(id)) }
    }, 180_000)

    test(
      `${REFUNDS} refunds survive ${KILLS} kills: each is paid once, or failed and never paid`,
      keepingLogs(async () => {
        const fees = await held(stack.description.feeCollector)
        const heads = await headsOf()
        const cases = await openCases()
        const wishes = cases.flatMap((of) => of.wishes.map((wish) => ({ of, wish })))
        const kills = killAtRandom()
        const asked = await Promise.all(
          wishes.map(async ({ of, wish }, i): Promise<Asked> => {
            await Bun.sleep((i / wishes.length) * KILLS * PAUSE_MS)
            return { ...wish, of, id: await askWithRetries(of, wish) }
          }),
        )
        // What is left of overpaid invoices is settled while refunds are still on their way.
        const recipient = ['--merchant', shop.merchantId, '--address', TREASURY]
        expect(await remit(stack, 'recipient', 'set', ...recipient)).toMatchObject({ code: 0 })
        console.log('killed', await kills)
        await untilSigned()
        await eventually(
          () => refundsOf(cases),
          (refunds) =>
            asked.every(({ id, fails }) => fails || refunds.get(id)?.status === 'confirmed') &&
            refunds.size === asked.length,
          90_000,
        )
        await letTimeRunOut()
        await expectEnds(asked, cases)
        await expectPaidOnce(asked, heads)
        await expectBalances(cases, fees)
        await expectReconciled(stack)
      }),
      1_500_000,
    )
  })
}

/** Invoices of every kind, paid and confirmed, with so many refunds to be asked for in all. */
async function openCases(): Promise<RefundCase[]> {
  const cases: Promise<RefundCase>[] = []
  for (let left = REFUNDS; left > 0; ) {
    const opened = openCase(shop.stack, chains, cases.length, left)
    cases.push(opened)
    left -= (await opened).wishes.length
  }
  const opened = await Promise.all(cases)
  await Promise.all(opened.map(({ pay }) => pay()))
  await Promise.all(
    opened.map(({ invoiceId, isReady }) =>
      eventually(() => getInvoice(shop.stack, invoiceId), isReady),
    ),
  )
  await block(
    chains['base-sepolia'],
    stack.description,
    opened.filter(({ wishes }) => wishes.some(({ fails }) => fails)).map(({ payer }) => payer),
  )
  return opened
}

/** Asks twice at once until both are answered: under one key there is one refund. */
async function askWithRetries(of: RefundCase, wish: Wish): Promise<RefundId> {
  const { transactions, otherDeposits } = await requestScreening<InvoiceJson>(
    `/v1/invoices/${of.invoiceId}`,
  )
  const payment = [...transactions, ...otherDeposits].find(({ chain }) => chain === wish.networkId)
  const body = {
    amount: wish.amount,
    address: of.payer,
    idempotencyKey: `back on ${wish.networkId}`,
    ...(wish.isOfOnePayment ? { transactionId: payment?.id } : {}),
  }
  const path = `/v1/invoices/${of.invoiceId}/refunds`
  const answers = await Promise.all(
    [body, body].map((same) => requestScreening<RefundJson>(path, same)),
  )
  const [first, second] = answers
  if (!first || first.id !== second?.id) throw new Error(`two refunds: ${JSON.stringify(answers)}`)
  return first.id
}

const requestScreening = <T>(path: string, body?: unknown) =>
  callApi<T>(shop.stack, path, body, TIMEOUT_S)

/** Kills parts at random moments, so many times in all, each part about as often as the others. */
async function killAtRandom(): Promise<Record<string, number>> {
  const counted = new Map(PARTS.map((part) => [part, 0]))
  for (let done = 0; done < KILLS; ) {
    await Bun.sleep(PAUSE_MS * (0.2 + 1.6 * Math.random()))
    const fewest = Math.min(...counted.values())
    const open = PARTS.filter((part) => (counted.get(part) ?? 0) <= fewest)
    const part = open[Math.floor(Math.random() * open.length)]
    if (part === undefined || !stack.kill(part)) continue
    counted.set(part, fewest + 1)
    done += 1
  }
  return Object.fromEntries(counted)
}

async function refundsOf(cases: readonly RefundCase[]): Promise<Map<string, RefundJson>> {
  const lists = await Promise.all(
    cases.map(({ invoiceId }) =>
      callApi<RefundJson[]>(shop.stack, `/v1/invoices/${invoiceId}/refunds`),
    ),
  )
  return new Map(lists.flat().map((refund) => [refund.id, refund]))
}

/** Until every refund has its deadline; before that, time that passes ends nothing. */
async function untilSigned(): Promise<void> {
  const database = openDatabase(stack.description.databaseUrl, { name: 'test' })
  await eventually(
    () => database`select id from refund where deadline is null`,
    (unsigned) => unsigned.length === 0,
    90_000,
  )
  await database.end()
}

/** Under which numbers the hubs know refunds. */
async function orderNumbers(): Promise<Map<RefundId, bigint>> {
  const database = openDatabase(stack.description.databaseUrl, { name: 'test' })
  const rows = await database<{ id: RefundId; orderNumber: bigint }[]>`
    select id, order_number from refund where order_number is not null`
  await database.end()
  return new Map(rows.map(({ id, orderNumber }) => [id, orderNumber]))
}

async function letTimeRunOut(): Promise<void> {
  const { rpc } = chains['base-sepolia']
  await rpc('evm_increaseTime', [LIFETIME_S])
  await rpc('evm_mine')
}

/** Each has ended as it must, was told of once at each end, and invoices are settled. */
async function expectEnds(asked: readonly Asked[], cases: readonly RefundCase[]): Promise<void> {
  for (const { id, fails, of } of asked) {
    const status = fails ? 'failed' : 'confirmed'
    await eventually(
      async () => (await refundsOf([of])).get(id)?.status,
      (now) => now === status,
      90_000,
    )
    const told = await eventually(
      () => callApi<{ type: string }[]>(shop.stack, `/v1/events?objectId=${id}`),
      (events) => events.length > 1,
    )
    const last = fails ? 'refund.failed' : 'refund.completed'
    expect(told.map(({ type }) => type)).toEqual(['refund.created', last])
  }
  for (const { invoiceId } of cases) {
    await eventually(() => getInvoice(shop.stack, invoiceId), isAtRest, 90_000)
  }
}

type Heads = Readonly<Record<keyof Chains, bigint>>

/** The newest block of each chain. */
async function headsOf(): Promise<Heads> {
  const head = (id: keyof Chains) => chains[id].client.getBlockNumber({ cacheTime: 0 })
  return { 'base-sepolia': await head('base-sepolia'), sepolia: await head('sepolia') }
}

/** Since then, what the hubs say: every refund that did not fail once, to its payer, and nothing else. */
async function expectPaidOnce(asked: readonly Asked[], heads: Heads): Promise<void> {
  const paid: object[] = []
  const numbers = await orderNumbers()
  for (const networkId of CHAINS) {
    const { client } = chains[networkId]
    const moved = await hubMovements(
      client,
      [stack.description.hub],
      heads[networkId] + 1n,
      await client.getBlockNumber(),
    )
    for (const { type, refundId, recipient, amount } of moved) {
      if (type === 'refunded') paid.push({ refundId, recipient, amount, networkId })
    }
  }
  const due = asked
    .filter(({ fails }) => !fails)
    .map(({ id, of, amount, networkId }) => ({
      refundId: numbers.get(id),
      recipient: of.payer,
      amount: units(amount),
      networkId,
    }))
  const inOrder = (rows: readonly object[]) =>
    rows.map((row) => Object.values(row).join(' ')).toSorted()
  expect(inOrder(paid)).toEqual(inOrder(due))
}

/** Payers, deposits, merchant and collector hold what they should, to the unit. */
async function expectBalances(cases: readonly RefundCase[], earlierFees: bigint): Promise<void> {
  let remitted = 0n
  let fees = 0n
  for (const one of cases) {
    const books = await expectBooksOf(one, await getInvoice(shop.stack, one.invoiceId), chains)
    remitted += books.remitted
    fees += books.fee
  }
  expect(await held(TREASURY)).toBe(remitted)
  expect((await held(stack.description.feeCollector)) - earlierFees).toBe(fees)
}

/** On all chains together. */
async function held(holder: string): Promise<bigint> {
  const balances = await Promise.all(CHAINS.map((id) => chains[id].balance(holder)))
  return balances.reduce((all, balance) => all + balance, 0n)
}
