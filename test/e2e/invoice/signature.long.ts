import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { checksumAddress, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { type FakeRpc, NOTHING_ARRIVES, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { issuerDoes, submitByOther } from '../../support/x402/chain.ts'
import { requirementsFor, v2Body } from '../../support/x402/requests.ts'
import {
  AMOUNT,
  newInvoice,
  type OpenInvoice,
  post,
  recordPaid,
  type SignedBody,
  sign,
  untilShown,
  viewOf,
} from '../../support/x402/signedInvoices.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'
import { AGREEING_WALLET, placeCode, REFUSING_WALLET } from '../../support/x402/walletCode.ts'

/** Invoices that are paid by a signature on their page: a relayer pays for the gas. */

let stack: X402Stack
/** What the worker sends by. */
let sending: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    variables: { GASLESS_UNPAID_PER_CLIENT: '1000', RATE_LIMIT_PAYERS: '100000' },
    workerRpcUrl: (node) => {
      sending = startFakeRpc(node)
      return sending.url
    },
  })
}, 120_000)

afterAll(async () => {
  await stack.close()
  await sending.stop()
})

async function statusOf({ id }: OpenInvoice): Promise<string> {
  const [row] = await stack.database<
    { status: string }[]
  >`select status from invoice where id = ${id}`
  return row?.status ?? 'missing'
}

/** What our own transactions and the chain have done for an invoice. */
async function effectOf({ id, deposit }: OpenInvoice) {
  const [row] = await stack.database<{ transactions: number }[]>`
    select count(distinct w.carried_by)::integer as transactions from invoice_authorization a
    join work_item w on w.subject_id = a.id where a.invoice_id = ${id}`
  return { ...row, received: await stack.chain.balance(deposit) }
}

describe('an account without the chain’s coin', () => {
  test('pays an invoice by one signature, which is completed like any other', async () => {
    const payer = await stack.newPayer(AMOUNT)
    const invoice = await newInvoice(stack)
    const [address] = (await viewOf(stack, invoice)).payment?.addresses ?? []
    const { eip712 } = stack.chain.usdc
    expect(address?.signature).toEqual({
      ...{ name: eip712?.name ?? '', version: eip712?.version ?? '' },
      ...{ value: AMOUNT.toString(), maxSeconds: 300 },
    })
    const signed = await sign(stack, invoice, payer)
    expect(await post(stack, invoice, signed)).toMatchObject({
      ...{ method: 'signature', amount: '2.5', reason: null, networkId: 'base-sepolia' },
      payer: checksumAddress(signed.authorization.from),
    })
    const settled = await untilShown(stack, invoice, 'settled')
    // Until the ledger has the transfer, nothing more is asked for.
    const during = (await viewOf(stack, invoice)).payment?.addresses[0]
    expect(during?.signature).toBeNull()
    expect(await effectOf(invoice)).toEqual({ transactions: 1, received: AMOUNT })
    await recordPaid(stack, invoice)
    await eventually(
      () => statusOf(invoice),
      (status) => status === 'completed',
    )
    const { payment, state } = await viewOf(stack, invoice)
    expect(state).toBe('completed')
    expect(payment?.transfers).toMatchObject([
      {
        hash: settled.transaction,
        amount: '2.5',
        sender: checksumAddress(signed.authorization.from),
      },
    ])
    // It is the payment's own transfer, and no x402 payment.
    const [linked] = await stack.database`
      select a.method from payment p join invoice_authorization a
        on a.network_id = p.network_id and a.tx_hash = p.tx_hash and a.log_index = p.log_index
      where p.invoice_id = ${invoice.id}`
    expect(linked).toEqual({ method: 'signature' })
    const others = await stack.database`select from x402_payment where pay_to = ${invoice.deposit}`
    expect(others).toHaveLength(0)
  }, 60_000)

  test('has the same answer to the same signature again, and moves nothing twice', async () => {
    const payer = await stack.newPayer(2n * AMOUNT)
    const invoice = await newInvoice(stack)
    const signed = await sign(stack, invoice, payer)
    const all = await Promise.all(Array.from({ length: 10 }, () => post(stack, invoice, signed)))
    expect(all.filter(({ status }) => status === 'refused')).toEqual([])
    const settled = await untilShown(stack, invoice, 'settled')
    expect(await post(stack, invoice, signed)).toEqual(settled)
    expect(await effectOf(invoice)).toEqual({ transactions: 1, received: AMOUNT })
  }, 60_000)
})

test('fifty payers of one invoice pay it once, and the others keep their money', async () => {
  const invoice = await newInvoice(stack)
  const payers = await Promise.all(Array.from({ length: 50 }, () => stack.newPayer(AMOUNT)))
  const all = await Promise.all(payers.map((payer) => sign(stack, invoice, payer)))
  const answers = await Promise.all(all.map((signed) => post(stack, invoice, signed)))
  const refused = answers.filter(({ status }) => status === 'refused')
  expect(refused).toHaveLength(49)
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['in_flight']))
  await untilShown(stack, invoice, 'settled')
  expect(await effectOf(invoice)).toEqual({ transactions: 1, received: AMOUNT })
}, 60_000)

test('invoices of many payers share a transaction, at 66,000 gas each at most', async () => {
  const invoices = await Promise.all(Array.from({ length: 42 }, () => newInvoice(stack)))
  const signed = await Promise.all(
    invoices.map(async (invoice) => sign(stack, invoice, await stack.newPayer(AMOUNT))),
  )
  // What is claimed while others are in flight is collected.
  sending.rule(NOTHING_ARRIVES)
  await Promise.all(invoices.map((invoice, i) => post(stack, invoice, signed[i] ?? { body: {} })))
  sending.rule()
  for (const invoice of invoices) await untilShown(stack, invoice, 'settled')
  const ids = invoices.map(({ id }) => id)
  const [largest] = await stack.database<{ hash: Hex; payments: number }[]>`
    select tx_hash as hash, count(*)::integer as payments from invoice_authorization
    where invoice_id = any(${ids}::uuid[]) group by tx_hash order by payments desc`
  if (largest === undefined) throw new Error('nothing was sent')
  const { gasUsed } = await stack.chain.client.getTransactionReceipt({ hash: largest.hash })
  expect(largest.payments).toBeGreaterThanOrEqual(20)
  // Two slots that were empty, the nonce's and the deposit's balance, take 44,200 of it.
  expect(Number(gasUsed) / largest.payments).toBeLessThanOrEqual(66_000)
}, 90_000)

test('a payer with just enough signs again, as long as nothing was sent', async () => {
  const [payer, invoice] = [await stack.newPayer(AMOUNT), await newInvoice(stack)]
  const [first, second] = [await sign(stack, invoice, payer), await sign(stack, invoice, payer)]
  sending.requests(() => ({ type: 'status', status: 503 }))
  await Bun.sleep(1_000)
  const answers = [await post(stack, invoice, first), await post(stack, invoice, second)]
  sending.requests()
  expect(answers).toMatchObject([{ status: 'received' }, { status: 'received' }])
  await untilShown(stack, invoice, 'settled')
  expect(await post(stack, invoice, first)).toMatchObject({ reason: 'authorization_used' })
}, 60_000)

describe('nothing is begun', () => {
  const refusal = async (signed: (invoice: OpenInvoice) => Promise<SignedBody>) => {
    const invoice = await newInvoice(stack)
    const { status, reason } = await post(stack, invoice, await signed(invoice))
    expect(status).toBe('refused')
    expect(await effectOf(invoice)).toEqual({ transactions: 0, received: 0n })
    expect((await viewOf(stack, invoice)).authorization).toBeNull()
    return reason
  }
  const by = (change: Parameters<typeof sign>[3], balance = 2n * AMOUNT) =>
    refusal(async (invoice) => sign(stack, invoice, await stack.newPayer(balance), change))

  test('for an amount that is not due, a wrong time, or too little money', async () => {
    expect(await by({ value: AMOUNT - 1n })).toBe('amount_not_due')
    expect(await by({ value: AMOUNT + 1n })).toBe('amount_not_due')
    expect(await by({}, AMOUNT - 1n)).toBe('insufficient_funds')
    const at = (seconds: number) => BigInt(Math.floor(Date.now() / 1000) + seconds)
    expect(await by({ validBefore: at(3_600) })).toBe('valid_too_long')
    expect(await by({ validBefore: at(-1) })).toBe('payment_expired')
    expect(await by({ validAfter: at(60) })).toBe(
      'invalid_exact_evm_payload_authorization_valid_after',
    )
    expect(await by({ validBefore: at(6) })).toBe(
      'invalid_exact_evm_payload_authorization_valid_before',
    )
  }, 60_000)

  test('for a signature of another payer, or to another address', async () => {
    expect(
      await refusal(async (invoice) => {
        const [payer, other] = [await stack.newPayer(AMOUNT), await stack.newPayer(AMOUNT)]
        const { signature } = await sign(stack, invoice, other)
        const { body, ...rest } = await sign(stack, invoice, payer)
        return { ...rest, body: { ...body, signature } }
      }),
    ).toBe('invalid_exact_evm_payload_signature')
    const elsewhere = await newInvoice(stack)
    expect(await by({ to: elsewhere.deposit })).toBe('invalid_exact_evm_payload_signature')
  }, 60_000)

  test('for a payer whom the issuer has blocked, or whose authorization was cancelled or used', async () => {
    expect(
      await refusal(async (invoice) => {
        const payer = await stack.newPayer(AMOUNT)
        const abi = parseAbi(['function blacklist(address account)'])
        const args = [payer.address] as const
        await issuerDoes(stack, encodeFunctionData({ abi, functionName: 'blacklist', args }))
        return sign(stack, invoice, payer)
      }),
    ).toBe('payer_blacklisted')
    const elsewhere = await newInvoice(stack)
    expect(
      await refusal(async (invoice) => {
        const payer = await stack.newPayer(2n * AMOUNT)
        const used = await sign(stack, elsewhere, payer)
        await submitByOther(stack, used)
        return sign(stack, invoice, payer, { nonce: used.authorization.nonce })
      }),
    ).toBe('authorization_used')
  }, 60_000)

  test('by the facilitator’s own verify and settle, which take no deposit address', async () => {
    const payer = await stack.newPayer(AMOUNT)
    const invoice = await newInvoice(stack)
    const { authorization, signature } = await sign(stack, invoice, payer)
    const requirements = requirementsFor(stack, {
      payTo: invoice.deposit,
      amount: AMOUNT.toString(),
      maxTimeoutSeconds: 60,
    })
    const body = v2Body(requirements, authorization, signature)
    expect(await stack.verify(body)).toMatchObject({ invalidReason: 'pay_to_not_registered' })
    expect(await stack.settle(body)).toMatchObject({ error: 'pay_to_not_registered' })
    expect(await effectOf(invoice)).toEqual({ transactions: 0, received: 0n })
  })
})

describe('an authorization that another sender carries out', () => {
  test('after it was claimed is the same payment, once', async () => {
    const payer = await stack.newPayer(2n * AMOUNT)
    const invoice = await newInvoice(stack)
    const signed = await sign(stack, invoice, payer)
    sending.rule(NOTHING_ARRIVES)
    await post(stack, invoice, signed)
    const hash = await submitByOther(stack, signed)
    sending.rule()
    expect((await untilShown(stack, invoice, 'settled')).transaction).toBe(hash)
    expect(await stack.chain.balance(invoice.deposit)).toBe(AMOUNT)
    const [row] = await stack.database`
      select by_others from invoice_authorization where invoice_id = ${invoice.id}`
    expect(row).toEqual({ byOthers: true })
    await eventually(
      () => stack.database`
        select from invoice_authorization where invoice_id = ${invoice.id} and confirmed_at is not null`,
      (rows) => rows.length === 1,
    )
  }, 60_000)

  test('before it was posted is answered with its transaction, and sent by no one again', async () => {
    const payer = await stack.newPayer(2n * AMOUNT)
    const invoice = await newInvoice(stack)
    const signed = await sign(stack, invoice, payer)
    const transaction = await submitByOther(stack, signed)
    expect(await post(stack, invoice, signed)).toMatchObject({ status: 'settled', transaction })
    expect(await effectOf(invoice)).toEqual({ transactions: 0, received: AMOUNT })
  }, 60_000)
})

test('one that was not carried out in time has expired, and what is due is offered again', async () => {
  const payer = await stack.newPayer(AMOUNT)
  const invoice = await newInvoice(stack)
  const { timestamp } = await stack.chain.client.getBlock()
  const signed = await sign(stack, invoice, payer, { validBefore: timestamp + 12n })
  sending.rule(NOTHING_ARRIVES)
  await post(stack, invoice, signed)
  const expired = await untilShown(stack, invoice, 'expired')
  expect(expired.reason).toBe('payment_expired')
  sending.rule()
  const [address] = (await viewOf(stack, invoice)).payment?.addresses ?? []
  expect(address?.signature?.value).toBe(AMOUNT.toString())
  expect(await stack.chain.balance(lowerCaseAddress(payer.address))).toBe(AMOUNT)
  const again = await sign(stack, invoice, payer)
  await post(stack, invoice, again)
  await untilShown(stack, invoice, 'settled')
}, 90_000)

test('a contract wallet pays in the lane of wallets; one that refuses its own signature does not', async () => {
  const payer = await stack.newPayer(AMOUNT)
  await placeCode(stack.chain, lowerCaseAddress(payer.address), AGREEING_WALLET)
  const invoice = await newInvoice(stack)
  await post(stack, invoice, await sign(stack, invoice, payer))
  await untilShown(stack, invoice, 'settled')
  const [item] = await stack.database`
    select w.kind from invoice_authorization a
    join work_item w on w.subject_id = a.id where a.invoice_id = ${invoice.id}`
  expect(item).toEqual({ kind: 'x402_wallet' })
  const refusing = await stack.newPayer(AMOUNT)
  await placeCode(stack.chain, lowerCaseAddress(refusing.address), REFUSING_WALLET)
  const other = await newInvoice(stack)
  const refused = await post(stack, other, await sign(stack, other, refusing))
  expect(refused).toMatchObject({ reason: 'invalid_exact_evm_payload_signature' })
}, 60_000)
