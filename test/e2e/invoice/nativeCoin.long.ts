import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { createPublicClient, custom, type PublicClient, RpcRequestError } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { encodeRefund } from '../../../chain/hub/refunds.ts'
import { asInvoiceId, asMerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { setRefundsAny } from '../../../store/access/merchants.ts'
import { confirmPayments, revertPayments } from '../../../workers/invoice/projector.ts'
import { ShownPayments, type Sought } from '../../../workers/invoice/shownPayments.ts'
import { followUnwatched } from '../../../workers/invoice/unwatched.ts'
import type { LedgerContext } from '../../../workers/turns/ledgerContext.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { type AstrayRig, astrayRig, DAI, depositOf, MUTE } from '../../support/invoice/astray.ts'

/** Native coin that was sent to a deposit goes back to the unit, and is in the books until then. */

const ETHER = 10n ** 18n

let rig: AstrayRig
let projection: LedgerContext

beforeAll(async () => {
  rig = await astrayRig()
  const { database, config, client } = rig.ledger
  const work = new LedgerWork(pino({ level: 'silent' }))
  projection = { database, config, client, work }
}, 120_000)
afterAll(() => rig?.close())

function create(): Promise<InvoiceJson> {
  return rig.api.create({ chains: ['base-sepolia'] })
}

function statusOf(invoice: InvoiceJson): Promise<readonly string[]> {
  return rig.ledger.database<{ status: string }[]>`
    select status from payment where invoice_id = ${invoice.id}`.then((rows) =>
    rows.map(({ status }) => status),
  )
}

interface Call {
  readonly to?: Address
  readonly data?: Hex
  readonly value: bigint
}

/** Code that passes coin on to a deposit. */
function passingOn(invoice: InvoiceJson, wei: bigint): string {
  const value = wei.toString(16).padStart(64, '0')
  return `60006000600060007f${value}${depositOf(invoice).replace('0x', '73')}5af150`
}

/** A contract whose creation passes all it is sent on to the deposit. */
function forwarding(invoice: InvoiceJson, value: bigint): Call {
  return { data: `0x${passingOn(invoice, value)}00`, value }
}

/** Mines calls of the payer's in one block. The answers are the transactions, in order. */
async function mineAll(calls: readonly Call[]): Promise<Hex[]> {
  const { chain, payer } = rig
  const account = privateKeyToAccount(payer.key)
  const nonce = await chain.client.getTransactionCount({ address: account.address })
  const hashes: Hex[] = []
  for (const [i, call] of calls.entries()) {
    const raw = await account.signTransaction({
      ...{ ...call, chainId: chain.node.chainId, nonce: nonce + i },
      ...{ gas: 300_000n, gasPrice: 20_000_000_000n },
    })
    hashes.push(await chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] }))
  }
  await chain.mine()
  const receipts = await Promise.all(
    hashes.map((hash) => chain.client.getTransactionReceipt({ hash })),
  )
  expect(new Set(receipts.map(({ blockHash }) => blockHash)).size).toBe(1)
  return hashes
}

async function mineTogether(calls: readonly Call[]): Promise<Hex> {
  const [hash] = await mineAll(calls)
  if (hash === undefined) throw new Error('nothing was mined')
  return hash
}

/** A node that has forgotten what this method asks for, as those without an archive do of old blocks. */
function clientOf(url: string, forgotten: string): PublicClient {
  return createPublicClient({
    transport: custom({
      async request(call: { readonly method: string; readonly params?: unknown }) {
        if (call.method === forgotten) {
          throw new RpcRequestError({
            ...{ body: call, url },
            error: {
              code: -32_000,
              message: 'missing trie node 1b8e (path ) state is not available',
            },
          })
        }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(url, { method: 'POST', headers, body })
        return Object(await answer.json()).result
      },
    }),
  })
}

describe('native coin', () => {
  test('is recorded at hand-in, held, and comes back to the unit', async () => {
    const { ledger, payer } = rig
    const invoice = await create()
    const txHash = await rig.sendCoin(invoice, 2n * ETHER + 1n)
    const before = await rig.coin(payer.address)
    await ledger.book()
    expect(await rig.differences()).toEqual([])

    const shown = { asset: 'ETH', amount: '2.000000000000000001' }
    const found = await rig.submit(invoice, txHash)
    expect(found.transfers).toMatchObject([{ ...shown, outcome: 'recorded', logIndex: null }])
    const id = found.transfers[0]?.transactionId ?? ''
    await ledger.book()
    expect(await rig.data('GET', '/v1/recoveries')).toMatchObject([
      { ...shown, transactionId: id, reason: 'wrong_token', tokenAddress: `0x${'0'.repeat(40)}` },
    ])
    expect(await rig.differences()).toEqual([])

    // The first one makes the deposit a contract, out of which the second is paid.
    for (const part of ['0.5', '1.500000000000000001']) {
      const { status, json } = await rig.refund(invoice, part, id, payer.address)
      expect([status, json.data]).toMatchObject([201, { asset: 'ETH', amount: part }])
      await ledger.settle()
      expect(await rig.differences()).toEqual([])
    }
    expect(await rig.coin(payer.address)).toBe(before + 2n * ETHER + 1n)
    expect(await rig.coin(depositOf(invoice))).toBe(0n)
    expect(await rig.data('GET', `/v1/invoices/${invoice.id}`)).toMatchObject({
      status: 'pending',
      transactions: [],
      otherDeposits: [{ ...shown, status: 'confirmed', refundedBaseUnits: `${2n * ETHER + 1n}` }],
      refunds: [{ status: 'confirmed' }, { status: 'confirmed' }],
    })
  }, 120_000)

  test('is recorded once, however often and at once it is submitted', async () => {
    const [invoice, other] = [await create(), await create()]
    const txHash = await rig.sendCoin(invoice, ETHER)
    await Promise.all([1, 2, 3, 4].map(() => rig.submit(invoice, txHash)))
    expect(await rig.submit(invoice, txHash)).toMatchObject({ transfers: [{ outcome: 'known' }] })
    expect(await statusOf(invoice)).toEqual(['pending'])
    expect(await rig.submit(other, txHash)).toMatchObject({ status: 'mined', transfers: [] })
    await rig.ledger.book()
    expect(await statusOf(invoice)).toEqual(['confirmed'])
    const report = await rig.ledger.compareAfter(
      (sql) => sql`update payment set amount = amount + 1 where tx_hash = ${txHash}`,
    )
    expect(report.differences).toMatchObject([{ kind: 'deposit_holds_less', chain: ETHER }])
  }, 120_000)

  test('of nothing is not found, and what was looked at is said', async () => {
    const invoice = await create()
    const nothing = await rig.sendCoin(invoice, 0n)
    expect(await rig.submit(invoice, nothing)).toMatchObject({
      ...{ status: 'mined', transfers: [], complete: true },
      looked: expect.stringContaining('balances before and after the block (DAI, MUTE, ETH)'),
    })
  }, 120_000)

  test('that a contract sent on is found by the balance, and held without a sender', async () => {
    const { api, ledger, payer } = rig
    const invoice = await create()
    const txHash = await mineTogether([forwarding(invoice, ETHER)])
    const shown = { asset: 'ETH', amount: '1', from: ZERO_ADDRESS, logIndex: null }
    const found = await rig.submit(invoice, txHash)
    expect(found.transfers).toMatchObject([{ ...shown, outcome: 'recorded' }])
    const id = found.transfers[0]?.transactionId ?? ''
    expect(await rig.submit(invoice, txHash)).toMatchObject({ transfers: [{ outcome: 'known' }] })
    await ledger.book()
    expect(await statusOf(invoice)).toEqual(['confirmed'])
    const held = await rig.data('GET', `/v1/recoveries?invoiceId=${invoice.id}`)
    expect(held).toMatchObject([
      {
        transactionId: id,
        actions: [],
        refused: [{ action: 'refund', code: 'invalid_recipient' }],
      },
    ])
    expect((await rig.refund(invoice, '1', id, payer.address)).status).toBe(403)
    const events = await ledger.database<{ type: string }[]>`
      select type from outbox where object_id = ${invoice.id} order by version`
    expect(events.map(({ type }) => type)).toEqual([
      'invoice.created',
      'invoice.unexpected_payment',
    ])
    expect(await rig.differences()).toEqual([])

    const { id: merchantId } = api.merchant.merchant
    await setRefundsAny(ledger.database, merchantId, true)
    const before = await rig.coin(payer.address)
    expect((await rig.refund(invoice, '1', id, payer.address)).status).toBe(201)
    await ledger.settle()
    expect(await rig.coin(payer.address)).toBe(before + ETHER)
    await setRefundsAny(ledger.database, merchantId, false)
    expect(await rig.differences()).toEqual([])
  }, 120_000)

  test('is counted once in a block, whichever transactions brought it or are named', async () => {
    const invoice = await create()
    const direct = { to: depositOf(invoice), value: 3n * ETHER }
    const unrelated = { to: rig.payer.address, value: 0n }
    const [batch, plain, other] = await mineAll([forwarding(invoice, ETHER), direct, unrelated])
    const outcomes = async (hash: Hex | undefined) =>
      (await rig.submit(invoice, hash ?? '0x')).transfers.map(
        ({ amount, outcome }) => `${amount} ${outcome}`,
      )
    expect(await outcomes(other)).toEqual(['1 recorded'])
    expect(await outcomes(batch)).toEqual(['1 known'])
    expect(await outcomes(plain)).toEqual(['3 recorded', '1 known'])
    await rig.ledger.book()
    expect(await statusOf(invoice)).toEqual(['confirmed', 'confirmed'])
    expect(await rig.coin(depositOf(invoice))).toBe(4n * ETHER)
    expect(await rig.differences()).toEqual([])
  }, 120_000)

  test('of one batch for two invoices is recorded for each', async () => {
    const [one, other] = [await create(), await create()]
    const code = `${passingOn(one, ETHER)}${passingOn(other, 2n * ETHER)}00`
    const txHash = await mineTogether([{ data: `0x${code}`, value: 3n * ETHER }])
    const found = async (invoice: InvoiceJson) =>
      (await rig.submit(invoice, txHash)).transfers.map(({ amount }) => amount)
    expect(await found(one)).toEqual(['1'])
    expect(await found(other)).toEqual(['2'])
    await rig.ledger.book()
    expect([...(await statusOf(one)), ...(await statusOf(other))]).toEqual([
      'confirmed',
      'confirmed',
    ])
  }, 120_000)

  test('is no payment where another node shows no growth, and unknown where balances are gone', async () => {
    const { chain, ledger } = rig
    const invoice = await create()
    const txHash = await mineTogether([forwarding(invoice, ETHER)])
    await rig.submit(invoice, txHash)
    // A row that says more than the chain shows.
    await ledger.database`
      update payment set amount = amount + 1 where invoice_id = ${invoice.id}`
    await ledger.book()
    expect(await statusOf(invoice)).toEqual(['reverted'])

    const [row] = await ledger.database<Sought[]>`
      select p.tx_hash, p.log_index, p.block_hash, p.token, i.deposit_address as deposit
      from payment p join invoice i on i.id = p.invoice_id where p.invoice_id = ${invoice.id}`
    if (row === undefined) throw new Error('the payment was not recorded')
    const forgetful = clientOf(chain.node.url, 'eth_getBalance')
    const shownBy = (sought: Sought) => new ShownPayments(forgetful, [sought]).find(sought)
    expect(await shownBy(row)).toBeUndefined()
    const confirmed = { amount: baseUnits(ETHER), blockNumber: 1n }
    expect(await shownBy({ ...row, confirmed })).toMatchObject({
      amount: ETHER,
      from: ZERO_ADDRESS,
    })
    const honest = new ShownPayments(ledger.client.rpc, [row])
    expect(await honest.find(row)).toMatchObject({ amount: ETHER, from: ZERO_ADDRESS })
    expect(await honest.find({ ...row, logIndex: row.logIndex - 1 })).toBeNull()
  }, 120_000)

  test('a token that emits no event is found by the balance as well, and never one that does', async () => {
    const invoice = await create()
    const send = (token: Address, amount: bigint) => rig.send(token, invoice, amount)
    const txHash = await send(MUTE, 5n * ETHER)
    expect(await rig.submit(invoice, txHash)).toMatchObject({
      transfers: [{ asset: 'MUTE', amount: '5', outcome: 'recorded', logIndex: null }],
    })
    const loud = await rig.submit(invoice, await send(DAI, 7n * ETHER))
    expect(loud.transfers).toMatchObject([{ asset: 'DAI', amount: '7', outcome: 'recorded' }])
    expect(loud.transfers[0]?.logIndex).toBeGreaterThanOrEqual(0)
    await rig.ledger.book()
    expect(await statusOf(invoice)).toEqual(['confirmed', 'confirmed'])
  }, 120_000)

  test('leaves with a reorganisation, and is found again in whatever block it comes back', async () => {
    const { chain, ledger } = rig
    const invoice = await create()
    const { rpc } = chain.node
    const account = privateKeyToAccount(rig.payer.key)
    const raw = await account.signTransaction({
      chainId: chain.node.chainId,
      nonce: await chain.client.getTransactionCount({ address: account.address }),
      to: depositOf(invoice),
      value: ETHER,
      gas: 21_000n,
      gasPrice: 20_000_000_000n,
    })
    const send = () => chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
    const snapshot = await rpc('evm_snapshot', [])
    const txHash = await send()
    await chain.mine()
    await rig.submit(invoice, txHash)
    await ledger.book()
    expect(await statusOf(invoice)).toEqual(['confirmed'])

    await rpc('evm_revert', [snapshot])
    await chain.mine(8)
    await ledger.follow()
    await revertPayments(projection, new Date())
    await followUnwatched(projection, new Date())
    expect(await statusOf(invoice)).toEqual(['reverted'])
    expect(await rig.differences()).toEqual([])

    await send()
    await chain.mine(3)
    await ledger.follow()
    expect(await followUnwatched(projection, new Date())).toMatchObject({ changed: 1 })
    await confirmPayments(projection, new Date())
    expect(await statusOf(invoice)).toEqual(['confirmed'])
    expect(await followUnwatched(projection, new Date())).toMatchObject({ changed: 0 })
    expect(await rig.differences()).toEqual([])
  }, 120_000)

  test('for receivers that burn all gas they are given starves no other refund', async () => {
    const { chain, ledger, payer } = rig
    const key = generatePrivateKey()
    const greedy = addressOf(key)
    await chain.node.rpc('anvil_setBalance', [greedy, '0x8ac7230489e80000'])
    const invoice = await create()
    const theirs = await ledger.send(key, { to: depositOf(invoice), value: ETHER })
    const ours = await rig.sendCoin(invoice, ETHER)
    const [burnt = '', fine = ''] = await Promise.all(
      [theirs, ours].map(async (hash) => {
        return (await rig.submit(invoice, hash)).transfers[0]?.transactionId ?? ''
      }),
    )
    await ledger.book()
    // A loop without an end.
    await chain.node.rpc('anvil_setCode', [greedy, '0x5b600056'])
    for (let i = 0; i < 5; i += 1) await rig.refund(invoice, '0.1', burnt, greedy)
    const another = await rig.refund(invoice, '0.1', burnt, greedy)
    expect(another.status).toBe(409)
    const last = await rig.refund(invoice, '1', fine, payer.address)
    const before = await rig.coin(payer.address)
    await ledger.settle()
    expect(await rig.coin(payer.address)).toBe(before + ETHER)
    const together = await ledger.database`
      select tx.outcome, count(*)::integer as items from work_item w
      join relayer_tx tx on tx.id = w.tx_id
      where w.tx_id = (select tx_id from work_item where dedupe_key = ${`refund:${last.json.data.id}`})
      group by tx.outcome`
    expect([...together]).toEqual([{ outcome: 'succeeded', items: 6 }])
    expect(await rig.differences()).toEqual([])
  }, 120_000)

  test('for a receiver who has the hub refuse the next order says nothing about that one', async () => {
    const { chain, ledger, payer } = rig
    const key = generatePrivateKey()
    const liar = addressOf(key)
    await chain.node.rpc('anvil_setBalance', [liar, '0x8ac7230489e80000'])
    const invoice = await create()
    const theirs = await ledger.send(key, { to: depositOf(invoice), value: ETHER })
    const ours = await rig.sendCoin(invoice, ETHER)
    const [first = '', second = ''] = await Promise.all(
      [theirs, ours].map(async (hash) => {
        return (await rig.submit(invoice, hash)).transfers[0]?.transactionId ?? ''
      }),
    )
    await ledger.book()
    const [row] = await ledger.database<{ last: bigint }[]>`select last from refund_sequence`
    const terms = { refundId: (row?.last ?? 0n) + 2n, source: liar, token: ZERO_ADDRESS, to: liar }
    const order = { ...terms, amount: baseUnits(1n), feeLeft: baseUnits(0n), deadline: 0n }
    const { merchantId, id: invoiceId } = invoice
    const ids = { merchantId: asMerchantId(merchantId), invoiceId: asInvoiceId(invoiceId) }
    const deposit = { ...ids, recipient: null, feeCap: baseUnits(0n) }
    const call = { ...deposit, order, signature: '0x' } as const
    const data = encodeRefund([call], { ...USUAL_GAS, refund: 60_000n }).slice(2)
    // Calls the hub with the bytes behind this code, and stops.
    const size = (data.length / 2).toString(16).padStart(4, '0')
    const code = `61${size}60295f395f5f61${size}5f5f73${chain.hub.slice(2)}5af100`
    await chain.node.rpc('anvil_setCode', [liar, `0x${code.padEnd(2 * 0x29, '0')}${data}`])
    await rig.refund(invoice, '1', first, liar)
    const fine = await rig.refund(invoice, '1', second, payer.address)
    await ledger.settle()
    const items = await ledger.database`
      select w.state, r.order_number from refund r
      join work_item w on w.dedupe_key = 'refund:' || r.id where r.id = ${fine.json.data.id}`
    expect([...items]).toEqual([{ state: 'settled', orderNumber: order.refundId }])
  }, 120_000)
})
