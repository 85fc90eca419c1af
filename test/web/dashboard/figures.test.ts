import { expect, test } from 'bun:test'
import { historyOf } from '../../../web/dashboard/invoice/history.ts'
import { ofInvoices, volumesOf } from '../../../web/dashboard/overview/volumes.ts'
import { offered } from '../../../web/dashboard/parts/page.ts'
import { ONE, OVERVIEW } from '../../support/web/dashboard/fixtures.ts'

/** What the dashboard adds up, orders and offers. */

test('volume is what counts: late money that was not accepted is not in it', () => {
  const [day] = OVERVIEW.days
  if (day === undefined) throw new Error('there is no day')
  const days = [{ ...day, asset: 'USDC', receivedAmount: '10', lateAmount: '7' }]
  const next = new Date(Date.parse(day.day) + 86_400_000).toISOString()
  const [volume] = volumesOf(ofInvoices(days), `${day.day}T00:00:00.000Z`, next)
  expect(volume?.total).toBe('10')
})

test('an invoice is paid after its payment was seen, whichever clock was behind', () => {
  const [payment] = ONE.transactions
  if (payment === undefined) throw new Error('there is no payment')
  const at = '2026-03-05T12:00:00.002Z'
  const seen = { ...payment, status: 'confirmed', type: 'payment', acceptedAt: null } as const
  const shown = {
    ...{ ...ONE, createdAt: '2026-03-05T11:00:00.000Z', paidAt: '2026-03-05T12:00:00.001Z' },
    ...{
      transactions: [{ ...seen, createdAt: at, confirmedAt: at }],
      settlements: [],
      refunds: [],
    },
    ...{ otherDeposits: [], completedAt: null, closedAt: null, expired: false },
  }
  expect(historyOf(Object(shown), new Date(at)).map(({ what }) => what)).toEqual([
    'created',
    'paymentSeen',
    'paymentConfirmed',
    'becamePaid',
  ])
})

test('how much of a token came that is not listed, is not said in the token of the invoice', () => {
  const deposit = { chain: 'base-sepolia', txHash: '0x1', baseUnits: '123456789', createdAt: 'z' }
  const of = (found: object) => {
    const shown = { ...ONE, transactions: [], settlements: [], otherDeposits: [found] }
    return historyOf(Object(shown), new Date()).at(-1)
  }
  expect(of({ ...deposit, amount: null, asset: null })).toMatchObject({
    what: 'unknownDeposit',
    amount: null,
  })
  expect(of({ ...deposit, amount: '5', asset: 'DAI' })).toMatchObject({
    ...{ what: 'otherDeposit', amount: '5', asset: 'DAI' },
  })
})

test('networks that are switched off are not offered', () => {
  const on = { id: 'base', name: 'Base', explorer: null }
  expect(
    offered([on, { ...on, id: 'polygon', isOff: true }, { ...on, isOff: false }]),
  ).toHaveLength(2)
})
