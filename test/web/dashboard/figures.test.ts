import { expect, test } from 'bun:test'
import { historyOf } from '../../../web/dashboard/invoice/history.ts'
import { ofInvoices, volumesOf } from '../../../web/dashboard/overview/volumes.ts'
import { shortDecimal } from '../../../web/dashboard/parts/decimal.ts'
import { shownMoment } from '../../../web/dashboard/parts/Moment.tsx'
import { offered } from '../../../web/dashboard/parts/page.ts'
import { deviceName } from '../../../web/dashboard/security/deviceName.ts'
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

test('a payment was seen before it was confirmed, though its row is younger than its block', () => {
  const [payment] = ONE.transactions
  const [paidAt, recordedAt] = ['2026-03-05T12:00:00.000Z', '2026-03-05T12:00:09.000Z']
  const found = { ...payment, status: 'confirmed', type: 'payment', acceptedAt: null }
  const shown = {
    ...{ ...ONE, createdAt: '2026-03-05T11:00:00.000Z', paidAt: null, completedAt: null },
    ...{ settlements: [], expiresAt: null },
    transactions: [{ ...found, createdAt: recordedAt, confirmedAt: paidAt }],
  }
  const history = historyOf(Object(shown), new Date(recordedAt))
  expect(history.map(({ what, at }) => [what, at])).toEqual([
    ['created', shown.createdAt],
    ['paymentSeen', paidAt],
    ['paymentConfirmed', paidAt],
  ])
})

test('a time is relative below an hour only, and has its year in another one', () => {
  const now = new Date('2026-03-05T12:00:00Z')
  const shown = (at: string) => shownMoment(new Date(at), now, 'en')
  expect(shown('2026-03-05T11:59:30Z')).toBe('30 sec. ago')
  expect(shown('2026-03-05T11:01:00Z')).toBe('59 min. ago')
  expect(shown('2026-03-05T12:30:00Z')).toBe('in 30 min.')
  expect(shown('2026-03-05T11:00:00Z')).not.toContain('ago')
  // A time of the place where the reader is.
  expect(shown(new Date(2026, 1, 1, 11).toISOString())).toBe('Feb 1, 11:00 AM')
  expect(shown('2025-02-01T11:00:00Z')).toContain('2025')
})

test('browsers are named as people know them, and what is unknown as it calls itself', () => {
  const like = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
  expect(deviceName(like)).toBe('Chrome · Windows')
  expect(deviceName(`${like} Edg/140.0`)).toBe('Edge · Windows')
  expect(deviceName('Mozilla/5.0 (iPhone; CPU OS 18 like Mac OS X) Version/18 Safari/604')).toBe(
    'Safari · iPhone',
  )
  expect(deviceName('curl/8.5')).toBe('curl/8.5')
})

test('of a long decimal four places are shown', () => {
  expect(shortDecimal('999.999066095993462672')).toBe('999.9990')
  expect(['5', '0.12', '1000.1234'].map(shortDecimal)).toEqual(['5', '0.12', '1000.1234'])
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
