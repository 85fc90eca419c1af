import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { privateKeyToAccount } from 'viem/accounts'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { Refund } from '../../../core/invoice/state.ts'
import { endReview } from '../../../store/books/reviews.ts'
import { saveProjectedBlock } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { createRefund } from '../../../store/refund/refunds.ts'
import { readQuarantine, releaseQuarantined } from '../../../store/turns/quarantine.ts'
import { endDoubtfulRefunds } from '../../../workers/refund/ends.ts'
import { QuarantineStore } from '../../../workers/turns/quarantineStore.ts'
import { SCANS_PER_TURN, Searches } from '../../../workers/turns/searches.ts'
import {
  newAddress,
  type OwnRefundRig,
  openRefundRig,
  type RefundRig,
} from '../../support/invoice/refunds.ts'
import { setBlacklisted } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'

let rig: OwnRefundRig
let chain: HubChain
let database: Database

beforeAll(async () => {
  rig = await openRefundRig()
  chain = rig.chain
  database = rig.database
}, 120_000)

afterAll(() => rig?.close())

async function asked(answer: ReturnType<RefundRig['ask']>): Promise<Refund> {
  const result = await answer
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.refund
}

async function itemOf(refund: Refund): Promise<string> {
  const [row] =
    await database`select state from work_item where dedupe_key = ${`refund:${refund.id}`}`
  return row?.state
}

async function itemIdOf(refund: Refund): Promise<bigint> {
  const [row] = await database<{ id: bigint }[]>`
    select id from work_item where dedupe_key = ${`refund:${refund.id}`}`
  if (!row) throw new Error('nothing was queued')
  return row.id
}

/** The indexer has passed everything, so that the confirmed time may move on. */
async function passTime(seconds: number): Promise<void> {
  await chain.node.rpc('evm_increaseTime', [seconds])
  await chain.mine(3)
  await saveProjectedBlock(database, chain.networkId, 1_000_000n)
}

describe('a refund', () => {
  test('arrives to the unit, and is told when it is promised and when it has arrived', async () => {
    const invoice = await rig.invoice()
    await rig.pay(invoice, 4_000_000n)
    const address = newAddress()
    const refund = await asked(rig.ask(invoice, '1.5', { address }))
    expect((await rig.read(invoice)).payments).toMatchObject([{ refunding: 1_500_000n }])
    await rig.turn(4)
    expect(await chain.balance(address)).toBe(1_500_000n)
    expect(await chain.balance(invoice.depositAddress)).toBe(2_500_000n)
    expect(await rig.refundOf(invoice)).toMatchObject({ status: 'confirmed', error: null })
    const { payments, invoice: now } = await rig.read(invoice)
    expect(payments).toMatchObject([{ refunding: 0n, refunded: 1_500_000n }])
    expect(now).toMatchObject({ receivedAmount: 4_000_000n, refundedAmount: 1_500_000n })
    expect(await rig.told(refund.id)).toEqual(['refund.created', 'refund.completed'])
  })

  test('that is not signed any more can be ended by a person, who frees its money', async () => {
    const invoice = await rig.invoice()
    await rig.pay(invoice, 4_000_000n)
    const address = newAddress()
    const refund = await asked(rig.ask(invoice, '1.5', { address }))
    // The operator takes back that the merchant may refund to anyone, before it is signed.
    await database`update merchant set refunds_any = false where id = ${rig.merchantId}`
    await rig.turn(3)
    expect(await itemOf(refund)).toBe('review')
    await passTime(7_200)
    await rig.turn(3)
    expect(await rig.refundOf(invoice)).toMatchObject({ status: 'open' })
    expect(await endReview(database, await itemIdOf(refund), null)).toMatchObject({ ok: true })
    await database`update merchant set refunds_any = true where id = ${rig.merchantId}`
    await rig.turn(3)
    expect(await rig.refundOf(invoice)).toMatchObject({ status: 'failed' })
    expect(await itemOf(refund)).toBe('failed')
    expect((await rig.read(invoice)).payments).toMatchObject([{ refunding: 0n, refunded: 0n }])
    expect(await chain.balance(address)).toBe(0n)
    expect(await rig.told(refund.id)).toEqual(['refund.created', 'refund.failed'])
  })

  test('that was signed is not ended by a person', async () => {
    const invoice = await rig.invoice()
    await rig.pay(invoice, 4_000_000n)
    const refund = await asked(rig.ask(invoice, '1.5'))
    const id = await itemIdOf(refund)
    await database`update refund set deadline = 9999999999 where id = ${refund.id}`
    await database`update work_item set state = 'review' where id = ${id}`
    expect(await endReview(database, id, null)).toMatchObject({ ok: false })
    expect(await itemOf(refund)).toBe('review')
  })

  test('that deploys the deposit leaves the fee to be taken by the sweep', async () => {
    const treasury = newAddress()
    const invoice = await rig.invoice()
    await rig.pay(invoice, 12_000_000n)
    await asked(rig.ask(invoice, '2'))
    await rig.turn(4)
    expect(await feeLeft(invoice.depositAddress)).toBe(50_000n)
    const collected = await chain.balance(chain.collector)
    await database`
      update merchant set recipient = ${treasury}, config_version = config_version + 1
      where id = ${rig.merchantId}`
    await database`update invoice set settlement_state = 'due' where id = ${invoice.id}`
    await database.begin((sql) =>
      advanceInvoice(sql, rig.projection.config, invoice.id, new Date()),
    )
    await rig.turn(8)
    expect(await chain.balance(treasury)).toBe(9_950_000n)
    expect(await chain.balance(chain.collector)).toBe(collected + 50_000n)
    expect((await rig.read(invoice)).invoice.status).toBe('completed')
    await database`update merchant set recipient = null where id = ${rig.merchantId}`
  })

  test('to an account that the token blocks fails when its time is over, and not before', async () => {
    const invoice = await rig.invoice()
    await rig.pay(invoice, 4_000_000n)
    const address = newAddress()
    await setBlacklisted(chain, address, true)
    const refund = await asked(rig.ask(invoice, '4', { address }))
    await rig.turn(5)
    // The order may still be carried out by anyone, so that its money stays promised.
    expect(await itemOf(refund)).toBe('failed')
    expect((await rig.refundOf(invoice)).status).toBe('open')
    expect(await rig.ask(invoice, '0.000001')).toMatchObject({ code: 'refund_not_possible' })
    await passTime(1_900)
    await rig.turn(3)
    expect(await rig.refundOf(invoice)).toMatchObject({
      status: 'failed',
      error: 'it was not carried out in time',
    })
    expect(await rig.told(refund.id)).toEqual(['refund.created', 'refund.failed'])
    expect((await rig.read(invoice)).payments).toMatchObject([{ refunding: 0n, refunded: 0n }])
    await asked(rig.ask(invoice, '4'))
    await rig.turn(4)
    expect(await chain.balance(invoice.depositAddress)).toBe(0n)
  })

  test('that a stranger carries out after all is booked where that happened', async () => {
    const invoice = await rig.invoice()
    await rig.pay(invoice, 4_000_000n)
    const address = newAddress()
    await setBlacklisted(chain, address, true)
    const refund = await asked(rig.ask(invoice, '1', { address }))
    await rig.turn(5)
    await setBlacklisted(chain, address, false)
    const hash = await carryAgain(refund)
    await passTime(1_900)
    await rig.turn(3)
    expect(await rig.refundOf(invoice)).toMatchObject({ status: 'confirmed', txHash: hash })
    expect((await rig.read(invoice)).payments).toMatchObject([
      { refunding: 0n, refunded: 1_000_000n },
    ])
    expect(await chain.balance(address)).toBe(1_000_000n)
  })

  test('that is carried out while its invoice is quarantined is booked once that is released', async () => {
    const { projection } = rig
    const { quarantine } = projection.work.invoices
    const store = () =>
      new QuarantineStore(projection.database, chain.networkId, [{ part: 'invoice', quarantine }])
    const invoice = await rig.invoice()
    await rig.pay(invoice, 4_000_000n)
    const address = newAddress()
    await setBlacklisted(chain, address, true)
    const refund = await asked(rig.ask(invoice, '1', { address }))
    await rig.turn(5)
    await database.unsafe(`
      create function refuse() returns trigger language plpgsql as
        'begin raise exception ''refused''; end';
      create trigger refusing before update on refund for each row
        when (new.id = '${refund.id}' and new.status <> old.status) execute function refuse()`)
    await setBlacklisted(chain, address, false)
    const hash = await carryAgain(refund)
    await passTime(1_900)
    await rig.turn()
    await store().sync()
    const quarantined = async () =>
      (await readQuarantine(database, chain.networkId)).find((one) => one.subject === invoice.id)
    const row = await quarantined()
    expect(row).toMatchObject({ part: 'invoice', reason: expect.stringContaining('refused') })
    await database.unsafe('drop function refuse cascade')
    const searches = new Searches(projection.client)
    const end = (now: Date) => {
      searches.beginTurn()
      return endDoubtfulRefunds(projection, searches, now)
    }
    expect((await end(row?.firstAt ?? new Date())).changed).toBe(0)
    await releaseQuarantined(database, row?.id ?? 0n)
    await store().sync()
    expect((await end(new Date())).changed).toBe(1)
    expect(await rig.refundOf(invoice)).toMatchObject({ status: 'confirmed', txHash: hash })
    await store().sync()
    expect(await quarantined()).toBeUndefined()
  })

  test('is looked for over several turns when it was carried out long after its payment', async () => {
    const invoice = await rig.invoice()
    await rig.pay(invoice, 4_000_000n)
    const address = newAddress()
    await setBlacklisted(chain, address, true)
    const refund = await asked(rig.ask(invoice, '1', { address }))
    await rig.turn(5)
    await setBlacklisted(chain, address, false)
    await chain.mine(SCANS_PER_TURN)
    await carryAgain(refund)
    await chain.mine(3)
    await rig.follow()
    await database`update refund set deadline = 1 where id = ${refund.id}`
    await database`update chain_state set confirmed_time = now()`
    // A node that shows the logs of one block at a time.
    const searches = new Searches({ logRange: () => 1n })
    const end = () => {
      searches.beginTurn()
      return endDoubtfulRefunds(rig.projection, searches, new Date())
    }
    expect((await end()).changed).toBe(0)
    expect((await rig.refundOf(invoice)).status).toBe('open')
    expect((await end()).changed).toBe(1)
    expect((await rig.refundOf(invoice)).status).toBe('confirmed')
  })

  test('goes out again, and not again, when a reorganisation takes it away', async () => {
    const invoice = await rig.invoice()
    await rig.pay(invoice, 4_000_000n)
    const address = newAddress()
    await asked(rig.ask(invoice, '1', { address }))
    await rig.turn(4)
    expect((await rig.refundOf(invoice)).status).toBe('confirmed')
    await chain.node.rpc('anvil_reorg', [4, []])
    await rig.turn(6)
    expect((await rig.refundOf(invoice)).status).toBe('confirmed')
    expect(await chain.balance(address)).toBe(1_000_000n)
    expect((await rig.read(invoice)).payments).toMatchObject([
      { refunding: 0n, refunded: 1_000_000n },
    ])
  })
})

test('two hundred refunds at once never pay more than the deposit held', async () => {
  const invoice = await rig.invoice()
  await rig.pay(invoice, 5_000_000n)
  const address = newAddress()
  const results = await Promise.all(
    Array.from({ length: 200 }, () => rig.ask(invoice, '0.07', { address })),
  )
  expect(results.filter(({ ok }) => ok)).toHaveLength(71)
  for (const result of results) if (!result.ok) expect(result.code).toBe('refund_not_possible')
  await rig.turn(8)
  expect(await chain.balance(address)).toBe(4_970_000n)
  expect(await chain.balance(invoice.depositAddress)).toBe(30_000n)
  const { invoice: after, payments } = await rig.read(invoice)
  expect(BigInt(after.refundedAmount)).toBe(4_970_000n)
  expect(payments).toMatchObject([{ refunding: 0n, refunded: 4_970_000n }])
}, 120_000)

test('an idempotencyKey makes one refund, however often it is sent', async () => {
  const invoice = await rig.invoice()
  await rig.pay(invoice, 5_000_000n)
  const same = { address: newAddress(), key: 'once' }
  const results = await Promise.all(Array.from({ length: 20 }, () => rig.ask(invoice, '1', same)))
  const refunds = results.flatMap((result) => (result.ok ? [result] : []))
  expect(refunds).toHaveLength(20)
  expect(new Set(refunds.map(({ refund }) => refund.id)).size).toBe(1)
  expect(refunds.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(await rig.ask(invoice, '2', same)).toMatchObject({ code: 'idempotency_key_conflict' })
  // It is the same one still when the chain was switched off meanwhile.
  const { merchantId, projection } = rig
  const again = await createRefund(
    database,
    { ...projection.config, chains: [] },
    { merchantId, invoiceId: invoice.id, idempotencyKey: same.key },
    { amount: '1', address: same.address, paymentId: null },
  )
  expect(again).toMatchObject({ ok: true, isNew: false })
})

function feeLeft(deposit: Address): Promise<bigint> {
  return chain.client.readContract({
    address: chain.hub,
    abi: HUB_ABI,
    functionName: 'feeLeft',
    args: [deposit],
  })
}

/** Sends the very call once more that our relayer had sent, as a stranger may. */
async function carryAgain(refund: Refund): Promise<string> {
  const [row] = await database`
    select t.calldata from relayer_tx t join work_item w on w.tx_id = t.id
    where w.dedupe_key = ${`refund:${refund.id}`}`
  const owner = privateKeyToAccount(chain.ownerKey)
  const raw = await owner.signTransaction({
    type: 'eip1559',
    chainId: chain.node.chainId,
    nonce: await chain.client.getTransactionCount({ address: owner.address, blockTag: 'pending' }),
    to: chain.hub,
    data: row?.calldata,
    gas: 2_000_000n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  const hash = await chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
  await chain.mine()
  return hash
}
