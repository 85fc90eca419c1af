import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../../support/servers/devStack.ts'
import { present } from '../../../support/x402/cases.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** A success that was written out while the database doesn't hear of it. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack()
  await stack.database`
    create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'not now'; end $$`
}, 120_000)

afterAll(() => stack.close())

test('is not written again, and is noted as soon as that is possible', async () => {
  const { database } = stack
  const presented = await present(stack)
  const { authorization, body } = presented
  await database`
    create trigger refuse before update of answered_at on x402_payment for each row
    when (new.answered_at is not null) execute function refuse()`
  const { paymentId = '', success } = await stack.settle(body)
  expect(success).toBe(true)
  for (let i = 0; i < 2; i += 1) {
    // The right has run out, and was another party's since.
    await database`
      update x402_payment set answer_until = now() - interval '1 second',
        answer_owner = gen_random_uuid()
      where id = ${paymentId}`
    expect(await stack.settle(body)).toMatchObject({ error: 'duplicate_settlement', paymentId })
    const verdict = { isValid: false, invalidReason: 'duplicate_settlement' }
    expect(await stack.verify(body)).toMatchObject(verdict)
  }
  await database`drop trigger refuse on x402_payment`
  await eventually(
    () => database`
      select from x402_payment where authorization_nonce = ${authorization.nonce}
        and answered_at is not null`,
    (rows) => rows.length === 1,
  )
  expect(await stack.settle(body)).toMatchObject({ error: 'duplicate_settlement', paymentId })
})
