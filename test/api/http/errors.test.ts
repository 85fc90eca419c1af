import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ERRORS } from '../../../core/base/errors.ts'
import { asInvoiceId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { newInvoice } from '../../../core/invoice/creation.ts'
import { openCreations } from '../../../store/invoice/creations.ts'
import { expectRefusal } from '../../support/api/answers.ts'
import { type ApiRig, HUB, openRig } from '../../support/api/rig.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)

afterAll(() => rig.close())

const UNKNOWN_ID = '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4'
const GOOD = { tokenSymbol: 'USDC', amountExpected: '10' }

describe('400 invalid invoice id', () => {
  for (const id of [
    '7',
    'not-a-uuid',
    `${UNKNOWN_ID}0`,
    '%zz',
    '%00',
    UNKNOWN_ID.replaceAll('-', ''),
  ]) {
    test(`for ${id}`, async () => {
      const answers = await Promise.all([
        rig.call('GET', `/v1/invoices/${id}`),
        rig.call('GET', `/v1/invoices/${id}/transactions`),
        rig.call('POST', `/v1/invoices/${id}/expire`),
      ])
      for (const answer of answers) expectRefusal(answer, 400, 'invalid invoice id')
    })
  }
})

describe('400 invalid query parameters', () => {
  const queries = [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=ten',
    'limit=',
    'limit=5&limit=6',
    'page=0',
    'page=-1',
    'page=x',
    'offset=-1',
    'offset=99999999999999999999',
    'page=1&offset=0',
    'status=expired',
    'status=PAID',
    'status=',
    'state=paid',
    'externalRef=',
    'externalRef=%00',
    `externalRef=${'x'.repeat(256)}`,
    'reference=',
    'createdFrom=yesterday',
    'createdFrom=2026-01-01',
    'createdTo=2026-02-30T00:00:00Z',
    'createdTo=0000-01-01T00:00:00Z',
    'expired=yes',
    'expired=1',
  ]
  for (const query of queries) {
    test(`for ?${query.slice(0, 40)}`, async () => {
      expectRefusal(await rig.call('GET', `/v1/invoices?${query}`), 400, 'invalid query parameters')
    })
  }
})

describe('401 unauthorized', () => {
  test('without a key, with a wrong, a revoked or a publishable one, or one of live', async () => {
    const { secretKey, publishableKey } = rig.merchant
    const keys = [
      null,
      '',
      'sk_test_',
      `${secretKey}x`,
      secretKey.slice(0, -1),
      secretKey.toUpperCase(),
      `sk_test_${'A'.repeat(43)}`,
      secretKey.replace('sk_test_', 'sk_live_'),
      publishableKey,
    ]
    for (const key of keys) {
      expectRefusal(await rig.call('GET', '/v1/invoices', { key }), 401, 'unauthorized')
    }
  })

  test('on every invoice endpoint, before anything else of the request is looked at', async () => {
    const answers = await Promise.all([
      rig.call('POST', '/v1/invoices', { key: null, body: '{' }),
      rig.call('GET', '/v1/invoices?limit=x', { key: null }),
      rig.call('GET', '/v1/invoices/7', { key: null }),
      rig.call('GET', '/v1/invoices/7/transactions', { key: null }),
      rig.call('POST', '/v1/invoices/7/expire', { key: null, body: '{' }),
    ])
    for (const answer of answers) expectRefusal(answer, 401, 'unauthorized')
  })
})

test('404 invoice not found, for an unknown one and for another merchant’s', async () => {
  const other = await rig.newMerchant()
  const theirs = await rig.call('POST', '/v1/invoices', { key: other.secretKey, body: GOOD })
  for (const id of [UNKNOWN_ID, theirs.json.data.id, UNKNOWN_ID.toUpperCase()]) {
    expectRefusal(await rig.call('GET', `/v1/invoices/${id}`), 404, 'invoice not found')
    expectRefusal(
      await rig.call('GET', `/v1/invoices/${id}/transactions`),
      404,
      'invoice not found',
    )
    expectRefusal(await rig.call('POST', `/v1/invoices/${id}/expire`), 404, 'invoice not found')
  }
  const untouched = await rig.call('GET', `/v1/invoices/${theirs.json.data.id}`, {
    key: other.secretKey,
  })
  expect(untouched.json.data.closedAt).toBeNull()
})

test('404 not found, for a path that no one knows', async () => {
  for (const path of [
    '/',
    '/v1',
    '/v2/invoices',
    '/v1/invoices/1/2/3',
    '/docs/../x',
    '/docs/nope',
  ]) {
    expectRefusal(await rig.call('GET', path), 404, 'not found')
  }
})

test('405 method not allowed, with the methods that are', async () => {
  const list = await rig.call('DELETE', '/v1/invoices')
  expectRefusal(list, 405, 'method not allowed')
  expect(list.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  const one = await rig.call('PATCH', `/v1/invoices/${UNKNOWN_ID}`)
  expectRefusal(one, 405, 'method not allowed')
  expect(one.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  expectRefusal(
    await rig.call('GET', `/v1/invoices/${UNKNOWN_ID}/expire`),
    405,
    'method not allowed',
  )
  expectRefusal(await rig.call('POST', '/health'), 405, 'method not allowed')
})

test('OPTIONS names the methods and HEAD answers like GET without a body', async () => {
  const options = await rig.call('OPTIONS', '/v1/utils/chains')
  expect([options.status, options.headers.get('allow'), options.text]).toEqual([
    204,
    'GET, HEAD, OPTIONS',
    '',
  ])
  const head = await rig.call('HEAD', '/v1/invoices')
  expect([head.status, head.text]).toEqual([200, ''])
  expect(head.headers.get('content-type')).toContain('application/json')
})

test('409 invoice already paid', async () => {
  for (const status of ['paid', 'completed']) {
    const { id } = await rig.create()
    await rig.database`update invoice set status = ${status} where id = ${id}`
    const answer = await rig.call('POST', `/v1/invoices/${id}/expire`)
    expectRefusal(answer, 409, 'invoice already paid')
  }
})

test('500 internal error, with nothing internal in it', async () => {
  const broken = await openRig()
  const { id } = await broken.create()
  await broken.database`alter table invoice rename to elsewhere`
  const answer = await broken.call('GET', `/v1/invoices/${id}`)
  await Bun.sleep(10)
  await broken.close()
  expectRefusal(answer, 500, 'internal error')
  expect(Object.keys(answer.json).sort()).toEqual(['code', 'docs', 'error', 'success', 'traceId'])
  const line = broken.log.find((entry) => entry.msg?.includes('failed unexpectedly'))
  expect(line?.traceId).toBe(answer.json.traceId ?? '')
})

test('a reference that is taken is drawn again and never shown', async () => {
  const { merchantId, reference } = await rig.create()
  const draft = {
    tokenSymbol: 'USDC',
    chains: ['sepolia'],
    amountExpected: baseUnits(1n),
    platformFee: baseUnits(0n),
    fiat: null,
    underpaymentTolerance: baseUnits(0n),
    hasOwnTolerance: false,
    externalRef: null,
    recipient: null,
    expiresAt: null,
    metadata: {},
    metadataJson: '{}',
  } as const
  const id = asInvoiceId(Bun.randomUUIDv7())
  const invoice = newInvoice(draft, { id, reference, merchantId, hub: HUB, now: new Date() })
  expect(
    await openCreations(rig.database).create({ invoice, metadataJson: '{}', eventJson: '{}' }),
  ).toBe('reference_taken')
  expect(await rig.database`select from watched where invoice_id = ${id}`).toHaveLength(0)
})

test('every answer has a trace id of its own, which its log line has too', async () => {
  const answers = [
    await rig.call('GET', '/v1/invoices'),
    await rig.call('GET', '/v1/utils/chains', { key: null }),
    await rig.call('GET', '/nowhere'),
    await rig.call('GET', '/health'),
  ]
  await Bun.sleep(20)
  const ids = answers.map((answer) => answer.headers.get('x-trace-id') ?? '')
  expect(new Set(ids).size).toBe(answers.length)
  const lines = ids.map((id) => rig.log.find((line) => line.traceId === id && line.status))
  expect(lines.map((line) => [line?.method, line?.route, line?.status])).toEqual([
    ['GET', '/v1/invoices', 200],
    ['GET', '/v1/utils/chains', 200],
    ['GET', '', 404],
    ['GET', '/health', 200],
  ])
  expect(lines[0]?.merchantId).toBe(rig.merchant.merchant.id)
  const { secretKey } = rig.merchant
  expect(JSON.stringify(rig.log)).not.toContain(secretKey)
})

test('the table of errors is the one of the specification and of the decisions', () => {
  const table = Object.values(ERRORS).map(({ status, text }) => `${status} ${text}`)
  expect(table).toEqual([
    '400 invalid request body',
    '400 invalid query parameters',
    '400 invalid GraphQL query',
    '400 unknown chain',
    '400 no supported chains for token',
    '400 invalid recipient address',
    '400 invalid merchant id',
    '400 invalid invoice id',
    '400 invalid endpoint id',
    '400 invalid payment id',
    '400 invalid transaction id',
    '400 invalid delivery id',
    '400 invalid event id',
    '400 invalid price id',
    '400 invalid payment link id',
    '400 invalid refund address',
    '400 refund of too many payments',
    '401 unauthorized',
    '403 refund address not allowed',
    '403 refund by a person only',
    '403 approval required',
    '403 other person required',
    '403 scope not sufficient',
    '403 role not sufficient',
    '403 second factor required',
    '403 fresh sign-in required',
    '403 origin not allowed',
    '404 not found',
    '404 invoice not found',
    '404 endpoint not found',
    '404 payment not found',
    '404 channel not found',
    '404 transaction not found',
    '404 delivery not found',
    '404 event not found',
    '404 merchant not found',
    '404 key not found',
    '404 view not found',
    '404 schedule not found',
    '404 member not found',
    '404 invitation not found',
    '404 recovery not found',
    '404 session not found',
    '404 approval not found',
    '404 recipient change not found',
    '404 price not found',
    '404 payment link not found',
    '405 method not allowed',
    '409 externalRef conflict',
    '409 invoice already paid',
    '409 nothing received',
    '409 transaction not late',
    '409 transaction reverted',
    '409 transaction refunded',
    '409 chain not local',
    '409 order not possible',
    '409 scenario not possible',
    '409 refund from your treasury',
    '409 refund not possible',
    '409 transfer not shown',
    '409 transfer already recorded',
    '409 idempotencyKey conflict',
    '409 idempotency key conflict',
    '409 idempotency key in flight',
    '409 approval ended',
    '409 approval open',
    '409 approver missing',
    '409 owner missing',
    '409 recipient change open',
    '409 last owner',
    '409 voucher conflict',
    '409 endpoint conflict',
    '409 endpoint disabled',
    '409 too many endpoints',
    '409 price not active',
    '409 choice not possible',
    '409 refund address kept',
    '409 clientReference conflict',
    '413 request body too large',
    '429 too many requests',
    '429 another report is being read',
    '429 too many streams',
    '429 too many unpaid invoices',
    '429 replay limit reached',
    '429 request budget exceeded',
    '500 internal error',
    '503 service unavailable',
    '503 exchange rate unavailable',
  ])
})
