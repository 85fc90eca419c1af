import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ERRORS, isErrorCode } from '../../../core/base/errors.ts'
import { type NamedOperation, operationsOf, readDocument } from '../../support/api/document.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** Every endpoint's errors, as the document lists them. */

let rig: ApiRig
let operations: readonly NamedOperation[]

beforeAll(async () => {
  rig = await openRig()
  operations = operationsOf(await readDocument(rig))
})
afterAll(() => rig.close())

function errorsOf(name: string): string[] {
  const found = operations.find((candidate) => candidate.name === name)
  return Object.entries(found?.operation.responses ?? {})
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([range, response]) => {
      const schema = response.content?.['application/json']?.schema
      const choices = schema?.oneOf ?? (schema ? [schema] : [])
      return choices.map(({ properties }) => {
        const status = range === '5XX' ? statusOf(properties?.code?.const) : range
        return `${status} ${properties?.error?.const}`
      })
    })
    .sort()
}

/** Which of its range the status of an error is. */
function statusOf(code: unknown): number {
  const known = String(code)
  if (!isErrorCode(known)) throw new Error(`${known} is no code`)
  return ERRORS[known].status
}

describe('/openapi.json', () => {
  test.each([
    [
      'POST /v1/invoices',
      [
        '400 invalid request body',
        '400 unknown chain',
        '400 no supported chains for token',
        '400 invalid recipient address',
        '403 approval required',
        '409 externalRef conflict',
        '409 idempotency key conflict',
        '409 idempotency key in flight',
        '413 request body too large',
        '503 exchange rate unavailable',
      ],
    ],
    ['GET /v1/invoices', ['400 invalid query parameters']],
    ['GET /v1/invoices/{id}', ['400 invalid invoice id', '404 invoice not found']],
    ['GET /v1/invoices/{id}/transactions', ['400 invalid invoice id', '404 invoice not found']],
    [
      'POST /v1/invoices/{id}/expire',
      [
        '400 invalid invoice id',
        '400 invalid request body',
        '404 invoice not found',
        '409 invoice already paid',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/invoices/{id}/transactions/{transactionId}/accept',
      [
        '400 invalid invoice id',
        '400 invalid transaction id',
        '400 invalid request body',
        '404 invoice not found',
        '404 transaction not found',
        '409 transaction not late',
        '409 transaction reverted',
        '409 transaction refunded',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/invoices/{id}/accept-partial',
      [
        '400 invalid invoice id',
        '400 invalid request body',
        '404 invoice not found',
        '409 nothing received',
        '409 invoice already paid',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/invoices/{id}/refunds',
      [
        '400 invalid invoice id',
        '400 invalid request body',
        '400 invalid recipient address',
        '400 refund of too many payments',
        '403 refund address not allowed',
        '403 refund by a person only',
        '404 invoice not found',
        '404 transaction not found',
        '409 refund from your treasury',
        '409 refund not possible',
        '409 idempotency key conflict',
        '409 idempotency key in flight',
        '409 idempotencyKey conflict',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/invoices/{id}/refunds/external',
      [
        '400 invalid invoice id',
        '400 invalid request body',
        '400 unknown chain',
        '404 invoice not found',
        '409 refund not possible',
        '409 transfer already recorded',
        '409 transfer not shown',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/invoices/{id}/transactions',
      [
        '400 invalid invoice id',
        '400 invalid request body',
        '400 unknown chain',
        '404 invoice not found',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/sandbox/faucet',
      [
        '400 invalid request body',
        '400 unknown chain',
        '400 no supported chains for token',
        '400 invalid recipient address',
        '409 chain not local',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/sandbox/scenarios',
      [
        '400 invalid request body',
        '400 invalid invoice id',
        '404 invoice not found',
        '409 scenario not possible',
        '413 request body too large',
      ],
    ],
    ...['GET /v1/recoveries', 'GET /v1/reports/daily', 'GET /v1/reports/transactions.csv'].map(
      (name): [string, string[]] => [
        name,
        ['400 invalid query parameters', '429 another report is being read'],
      ],
    ),
    ['GET /v1/invoices/{id}/refunds', ['400 invalid invoice id', '404 invoice not found']],
    ['POST /v1/x402/verify', ['413 request body too large', '429 request budget exceeded']],
    ['POST /v1/x402/settle', ['413 request body too large', '429 request budget exceeded']],
    ['GET /v1/x402/supported', []],
    ['GET /v1/x402/payments/status', ['400 invalid query parameters']],
    ['GET /v1/x402/payments', ['400 invalid query parameters']],
    ['GET /v1/x402/payments/{id}', ['400 invalid payment id', '404 payment not found']],
    [
      'POST /v1/x402/endpoints',
      [
        '400 invalid request body',
        '400 unknown chain',
        '400 no supported chains for token',
        '409 endpoint conflict',
        '413 request body too large',
      ],
    ],
    ['GET /v1/x402/endpoints', ['400 invalid query parameters']],
    [
      'GET /v1/x402/endpoints/requirements',
      ['400 invalid query parameters', '404 endpoint not found'],
    ],
    ['GET /v1/x402/endpoints/{id}', ['400 invalid endpoint id', '404 endpoint not found']],
    [
      'PATCH /v1/x402/endpoints/{id}',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '409 endpoint conflict',
        '413 request body too large',
      ],
    ],
    ['DELETE /v1/x402/endpoints/{id}', ['400 invalid endpoint id', '404 endpoint not found']],
    [
      'GET /v1/x402/endpoints/{id}/requirements',
      ['400 invalid endpoint id', '404 endpoint not found'],
    ],
    [
      'POST /v1/webhooks/endpoints',
      ['400 invalid request body', '409 too many endpoints', '413 request body too large'],
    ],
    ['GET /v1/webhooks/endpoints', ['400 invalid query parameters']],
    ['GET /v1/webhooks/endpoints/{id}', ['400 invalid endpoint id', '404 endpoint not found']],
    [
      'PATCH /v1/webhooks/endpoints/{id}',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '413 request body too large',
      ],
    ],
    ['DELETE /v1/webhooks/endpoints/{id}', ['400 invalid endpoint id', '404 endpoint not found']],
    [
      'POST /v1/webhooks/endpoints/{id}/rotate-secret',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/webhooks/endpoints/{id}/test',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '409 endpoint disabled',
        '413 request body too large',
      ],
    ],
    [
      'POST /v1/webhooks/endpoints/{id}/replay',
      [
        '400 invalid endpoint id',
        '400 invalid request body',
        '404 endpoint not found',
        '409 endpoint disabled',
        '413 request body too large',
        '429 replay limit reached',
      ],
    ],
    ['GET /v1/webhooks/deliveries', ['400 invalid query parameters']],
    ['GET /v1/webhooks/deliveries/{id}', ['400 invalid delivery id', '404 delivery not found']],
    [
      'POST /v1/webhooks/deliveries/{id}/redeliver',
      [
        '400 invalid delivery id',
        '400 invalid request body',
        '404 delivery not found',
        '409 endpoint disabled',
        '413 request body too large',
      ],
    ],
    ['GET /v1/events', ['400 invalid query parameters']],
    ['GET /v1/events/{id}', ['400 invalid event id', '404 event not found']],
  ])('lists every error of %s', (name, own) => {
    const common = ['401 unauthorized', '429 too many requests', '500 internal error']
    expect(errorsOf(name)).toEqual([...own, ...common, '503 service unavailable'].sort())
  })

  test.each(['GET /v1/utils/chains', 'GET /v1/utils/tokens'])('lists every error of %s', (name) => {
    expect(errorsOf(name)).toEqual(['429 too many requests', '500 internal error'])
  })
})
