import { describe, expect, test } from 'bun:test'
import { asMerchantId } from '../../../core/base/ids.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { EVENT_TYPES, type EventType, isEventType } from '../../../core/events/eventTypes.ts'
import { sampleEvent } from '../../../core/webhook/samples.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const GIVEN = {
  objectId: '019a0000-0000-7000-8000-000000000001',
  merchantId: asMerchantId('019a0000-0000-7000-8000-000000000002'),
  hub: lowerCaseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3'),
  now: NOW,
}

const sample = (type: EventType) => sampleEvent(type, 'sandbox', GIVEN)
const at = NOW.toISOString()

describe('a sample', () => {
  test('of every type has its object and says that it is a test', () => {
    for (const type of Object.keys(EVENT_TYPES).filter(isEventType)) {
      const { objectId: id, merchantId } = GIVEN
      expect(sample(type)).toMatchObject({ id, merchantId, environment: 'sandbox', test: true })
    }
  })

  test('of an invoice has the times, chain and payments that go with its status', () => {
    const unpaid = { targetNetwork: null, paidAt: null, completedAt: null }
    const created = { status: 'pending', ...unpaid, transactions: [] }
    expect(sample('invoice.created')).toMatchObject(created)
    expect(sample('invoice.payment_detected')).toMatchObject({
      ...unpaid,
      transactions: [{ status: 'pending', confirmedAt: null }],
    })
    expect(sample('invoice.partially_paid')).toMatchObject({
      ...{ status: 'partial', paidAt: null, completedAt: null },
      targetNetwork: expect.any(String),
    })
    expect(sample('invoice.paid')).toMatchObject({ status: 'paid', paidAt: at, completedAt: null })
    expect(sample('invoice.completed')).toMatchObject({
      ...{ status: 'completed', paidAt: at, completedAt: at },
      transactions: [{ status: 'confirmed' }],
    })
  })

  test('of a refund is open, carried out or failed', () => {
    const nothing = { txHash: null, blockNumber: null, confirmedAt: null }
    expect(sample('refund.created')).toMatchObject({ ...nothing, error: null })
    expect(sample('refund.completed')).toMatchObject({
      ...{ txHash: expect.any(String), blockNumber: expect.any(Number), confirmedAt: at },
      error: null,
    })
    expect(sample('refund.failed')).toMatchObject({ ...nothing, error: expect.any(String) })
  })

  test('of an x402 payment is settled or failed', () => {
    expect(sample('x402.payment.settled')).toMatchObject({
      ...{ status: 'settled', error: null, transaction: expect.any(String), settledAt: at },
    })
    expect(sample('x402.payment.failed')).toMatchObject({
      ...{ status: 'failed', error: 'payment_expired', transaction: null, settledAt: null },
    })
  })
})
