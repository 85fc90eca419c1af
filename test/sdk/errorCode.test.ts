import { expect, test } from 'bun:test'
import type { ErrorCode } from '@remit/sdk'
import { ERRORS } from '../../core/base/errors.ts'

test('the type of codes admits those of the API and no other text', () => {
  const known: ErrorCode = 'invoice_not_found'
  // @ts-expect-error: no error has this code.
  const unknown: ErrorCode = 'no_such_code'
  expect([known in ERRORS, unknown in ERRORS]).toEqual([true, false])
})
