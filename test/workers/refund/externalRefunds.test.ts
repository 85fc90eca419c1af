import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readSent } from '../../../chain/tokens/sent.ts'
import { asRefundId, type RefundId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { type Address, type Hex, isHash } from '../../../core/chain/evm.ts'
import type { ExternalRefund } from '../../../core/invoice/externalRefund.ts'
import { presentInvoice } from '../../../core/invoice/present.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { findInvoice } from '../../../store/invoice/invoices.ts'
import { proveExternalRefunds } from '../../../workers/refund/external.ts'
import { newAddress, type OwnRefundRig, openRefundRig } from '../../support/invoice/refunds.ts'
import { newHash } from '../../support/store/database.ts'
import { storePayment, storeSettlement } from '../../support/store/invoice.ts'

/** What a worker makes of refunds that merchants say to have sent. */

let rig: OwnRefundRig
beforeAll(async () => {
  rig = await openRefundRig()
}, 120_000)
afterAll(() => rig?.close())

let payer: Address
let invoice: Invoice
beforeEach(async () => {
  payer = newAddress()
  invoice = await rig.invoice()
  const place = { networkId: rig.chain.networkId, token: rig.chain.usdc.address }
  await storePayment(rig.database, invoice.id, 12_500_000n, { ...place, sender: payer })
  await storeSettlement(rig.database, invoice.id, 12_500_000n, place)
})

/** The hash of a transfer from no one to the payer, in the newest block. */
async function sent(amount: bigint, to = payer): Promise<Hex> {
  await rig.chain.mint([{ to, amount }])
  const { transactions } = await rig.chain.client.getBlock()
  const [hash] = transactions
  if (hash === undefined || !isHash(hash)) throw new Error('nothing was sent')
  return hash
}

/** As someone with the API's credentials can record it; what it says need not be so. */
async function said(txHash: Hex, change: Partial<ExternalRefund> = {}): Promise<RefundId> {
  const sought = { token: rig.chain.usdc.address, recipients: [payer] }
  const shown = await readSent(rig.chain.client, txHash, sought)
  const at = shown.type === 'mined' ? shown : { blockNumber: 1n, blockHash: newHash() }
  const row = {
    ...{ alikePlace: 0, token: rig.chain.usdc.address, recipient: payer, amount: 2_500_000n },
    ...{ sender: '0x0000000000000000000000000000000000000000' },
    ...change,
  }
  const id = asRefundId(Bun.randomUUIDv7())
  await rig.database`
    select record_sent_refund(${id}, ${invoice.id}, ${rig.chain.networkId}, ${txHash},
      ${row.alikePlace}, ${row.token}, ${row.sender}, ${row.recipient}, ${row.amount.toString()},
      ${at.blockNumber}, ${at.blockHash})`
  return id
}

async function prove(later = 0): Promise<void> {
  await rig.advance()
  await proveExternalRefunds(rig.projection, new Date(Date.now() + 1_000 + later))
}

async function refund(id: RefundId): Promise<ExternalRefund> {
  const [row] = await rig.database<ExternalRefund[]>`select * from external_refund where id = ${id}`
  if (!row) throw new Error('there is no such refund')
  return row
}

async function shown() {
  const rows = await findInvoice(rig.database, rig.merchantId, invoice.id)
  if (!rows) throw new Error('there is no invoice')
  return presentInvoice(rows, rig.projection.config.registry, new Date())
}

const sums = async () => {
  const [row] = await rig.database<{ amount: bigint; movements: bigint }[]>`
    select coalesce(sum(amount), 0) as amount, coalesce(sum(movements), 0) as movements
    from movement_tally_change where merchant_id = ${rig.merchantId} and type = 'external_refund'`
  return [row?.amount, row?.movements].map(Number)
}

describe('what a merchant has sent back', () => {
  test('counts once the chain has confirmed it, and is told once', async () => {
    const before = await sums()
    const id = await said(await sent(2_500_000n))
    await prove()
    expect((await refund(id)).status).toBe('mined')
    expect(await shown()).toMatchObject({ refundedAmount: '0' })
    await rig.chain.mine(2)
    await prove()
    await prove()
    expect(await refund(id)).toMatchObject({ status: 'confirmed', error: null })
    expect(await shown()).toMatchObject({
      ...{ refundedAmount: '2.5', settledOverpayment: null },
      refunds: [{ external: true, status: 'confirmed' }],
    })
    expect(await rig.told(id)).toEqual(['refund.completed'])
    expect(await sums()).toEqual([Number(before[0]) + 2_500_000, Number(before[1]) + 1])
  })

  test('takes nothing from what lies in the deposit', async () => {
    const before = await rig.read(invoice)
    const id = await said(await sent(2_500_000n))
    await rig.chain.mine(2)
    await prove()
    expect((await refund(id)).status).toBe('confirmed')
    const after = await rig.read(invoice)
    expect(after.payments).toEqual(before.payments)
    expect(after.invoice).toEqual(before.invoice)
    expect(after.settlements).toEqual(before.settlements)
    expect(after.refunds).toEqual([])
  })

  test('is stored with its event or not at all', async () => {
    const id = await said(await sent(2_500_000n))
    await rig.chain.mine(2)
    await rig.advance()
    await rig.database.unsafe(`
      create function break_off() returns trigger language plpgsql as
        'begin raise exception ''gone''; end';
      create trigger breaking before insert on outbox for each row execute function break_off()`)
    await proveExternalRefunds(rig.projection, new Date(Date.now() + 1_000)).catch(() => {})
    expect((await refund(id)).status).toBe('mined')
    await rig.database.unsafe('drop trigger breaking on outbox; drop function break_off()')
    // Its invoice was put aside for a few seconds.
    await proveExternalRefunds(rig.projection, new Date(Date.now() + 60_000))
    expect((await refund(id)).status).toBe('confirmed')
    expect(await rig.told(id)).toEqual(['refund.completed'])
  })

  test('counts no more after a reorganisation, until it is mined again', async () => {
    const before = await sums()
    const snapshot = await rig.chain.node.rpc('evm_snapshot', [])
    const hash = await sent(2_500_000n)
    const id = await said(hash)
    await rig.chain.mine(2)
    await prove()
    expect((await refund(id)).status).toBe('confirmed')
    await rig.chain.node.rpc('evm_revert', [snapshot])
    await rig.chain.node.rpc('evm_increaseTime', [7])
    await rig.chain.mine(8)
    await prove()
    expect(await refund(id)).toMatchObject({ status: 'mined', confirmedAt: null })
    expect(await shown()).toMatchObject({ refundedAmount: '0' })
    expect(await sums()).toEqual(before)
    // No one mines it again: after a week the merchant is told.
    await prove(8 * 86_400_000)
    expect((await refund(id)).status).toBe('failed')
    expect(await rig.told(id)).toEqual(['refund.completed', 'refund.failed'])
  })
})

describe('what is not so', () => {
  test.each<[string, Partial<ExternalRefund>]>([
    ['of another amount', { amount: baseUnits(2_400_000n) }],
    ['from somebody else', { sender: newAddress() }],
    ['of another log that is alike', { alikePlace: 1 }],
    ['of another token', { token: newAddress() }],
  ])('fails and is told: a transfer %s', async (_name, change) => {
    const id = await said(await sent(2_500_000n), change)
    await rig.chain.mine(2)
    await prove()
    expect(await refund(id)).toMatchObject({ status: 'failed', confirmedAt: null })
    expect(await rig.told(id)).toEqual(['refund.failed'])
    expect(await shown()).toMatchObject({ refundedAmount: '0' })
  })

  test('is looked for again while no node shows it', async () => {
    const id = await said(newHash())
    await prove()
    const { lookAt } = (await refund(id)) as ExternalRefund & { readonly lookAt: Date }
    expect(lookAt.getTime()).toBeGreaterThan(Date.now())
    expect((await refund(id)).status).toBe('mined')
  })

  test('frees its transfer for what is', async () => {
    const hash = await sent(2_500_000n)
    const wrong = await said(hash, { sender: newAddress() })
    await rig.chain.mine(2)
    await prove()
    expect((await refund(wrong)).status).toBe('failed')
    const id = await said(hash)
    await prove()
    expect((await refund(id)).status).toBe('confirmed')
  })
})

describe('the database refuses', () => {
  test.each<[string, Partial<ExternalRefund>]>([
    ['what goes to a stranger', { recipient: newAddress() }],
    ['more than was settled', { amount: baseUnits(12_500_001n) }],
  ])('%s', async (_name, change) => {
    const hash = newHash()
    await expect(said(hash, change)).rejects.toThrow()
  })

  test('a transfer that is recorded', async () => {
    const hash = newHash()
    await said(hash, { amount: baseUnits(1n) })
    await expect(said(hash, { amount: baseUnits(1n) })).rejects.toThrow()
  })

  test('what comes out of a deposit, which is in the books', async () => {
    await expect(said(newHash(), { sender: invoice.depositAddress })).rejects.toThrow()
  })
})
