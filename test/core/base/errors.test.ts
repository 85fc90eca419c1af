import { describe, expect, test } from 'bun:test'
import { AppError, ERRORS } from '../../../core/base/errors.ts'

describe('the table of errors', () => {
  test.each([
    ['invalid_request_body', 400, 'invalid request body'],
    ['invalid_query_parameters', 400, 'invalid query parameters'],
    ['unknown_chain', 400, 'unknown chain'],
    ['no_supported_chains', 400, 'no supported chains for token'],
    ['invalid_recipient', 400, 'invalid recipient address'],
    ['invalid_invoice_id', 400, 'invalid invoice id'],
    ['invalid_endpoint_id', 400, 'invalid endpoint id'],
    ['invalid_payment_id', 400, 'invalid payment id'],
    ['invalid_transaction_id', 400, 'invalid transaction id'],
    ['unauthorized', 401, 'unauthorized'],
    ['refund_address_not_allowed', 403, 'refund address not allowed'],
    ['not_found', 404, 'not found'],
    ['invoice_not_found', 404, 'invoice not found'],
    ['endpoint_not_found', 404, 'endpoint not found'],
    ['payment_not_found', 404, 'payment not found'],
    ['transaction_not_found', 404, 'transaction not found'],
    ['method_not_allowed', 405, 'method not allowed'],
    ['external_ref_conflict', 409, 'externalRef conflict'],
    ['invoice_already_paid', 409, 'invoice already paid'],
    ['nothing_received', 409, 'nothing received'],
    ['transaction_not_late', 409, 'transaction not late'],
    ['transaction_reverted', 409, 'transaction reverted'],
    ['transaction_refunded', 409, 'transaction refunded'],
    ['chain_not_local', 409, 'chain not local'],
    ['order_not_possible', 409, 'order not possible'],
    ['scenario_not_possible', 409, 'scenario not possible'],
    ['refund_not_possible', 409, 'refund not possible'],
    ['idempotency_key_conflict', 409, 'idempotencyKey conflict'],
    ['endpoint_conflict', 409, 'endpoint conflict'],
    ['body_too_large', 413, 'request body too large'],
    ['too_many_requests', 429, 'too many requests'],
    ['report_in_progress', 429, 'another report is being read'],
    ['replay_limit_reached', 429, 'replay limit reached'],
    ['budget_exceeded', 429, 'request budget exceeded'],
    ['internal_error', 500, 'internal error'],
    ['service_unavailable', 503, 'service unavailable'],
  ] as const)('gives %s the status %p and the text "%s"', (code, status, text) => {
    expect<object>(ERRORS[code]).toEqual({ status, text })
    const error = new AppError(code)
    expect([error.status, error.message]).toEqual([status, text])
  })
})

describe('an error', () => {
  test('has no details unless it is given some', () => {
    expect(new AppError('not_found').details).toEqual([])
    const details = [{ path: 'a', message: 'must be b' }]
    expect(new AppError('unknown_chain', details).details).toEqual(details)
  })

  test('keeps what happened inside as its cause, and not in its text', () => {
    const cause = new Error('a secret of ours')
    const error = new AppError('internal_error', [], { cause })
    expect(error.cause).toBe(cause)
    expect(error.message).not.toContain('secret')
  })
})
