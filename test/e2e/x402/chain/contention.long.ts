import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectSettled, type Presented, present } from '../../../support/x402/cases.ts'
import { submitByOther } from '../../../support/x402/chain.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** A database that fails single transactions: settle answers 200, or 503 with the envelope. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack()
  await stack.database`create sequence faults`
}, 120_000)

afterEach(async () => {
  await stack.database`drop function if exists fail() cascade`
})

afterAll(() => stack.close())

/** The next payments that are stored meet this fault, as often as it says. */
async function failStoring(code: string, times: number): Promise<void> {
  const { database } = stack
  await database`select setval('faults', 1, false)`
  // A sequence is not rolled back with the transaction that fails.
  await database.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin
      if nextval('faults') <= ${times} then raise exception 'fault' using errcode = '${code}'; end if;
      return new;
    end $$;
    create trigger fail before insert on x402_payment for each row execute function fail()`)
}

async function post({ body }: Presented): Promise<{ status: number; json: unknown }> {
  const response = await stack.fetch('/v1/x402/settle', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: await response.json() }
}

const ENVELOPE = {
  success: false,
  error: 'service unavailable',
  code: 'service_unavailable',
  docs: '/docs/errors#service_unavailable',
  traceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
}

for (const [what, code] of [
  ['a deadlock', '40P01'],
  ['a lock that is not to be had', '55P03'],
  ['a unique key that is taken', '23505'],
  ['something that nobody foresaw', 'P0001'],
] as const) {
  test(`${what}, at the claim: 503, and the next call settles`, async () => {
    const presented = await present(stack)
    await failStoring(code, 1)
    expect(await post(presented)).toEqual({ status: 503, json: ENVELOPE })
    await expectSettled(stack, presented)
  })
}

describe('a payment that another party has carried out', () => {
  for (const code of ['40P01', '55P03', '23505']) {
    test(`is booked at the second try after ${code}`, async () => {
      const presented = await present(stack)
      const transaction = await submitByOther(stack, presented)
      await failStoring(code, 1)
      expect(await post(presented)).toMatchObject({
        status: 200,
        json: { success: true, transaction },
      })
    })
  }

  test('is 503 after two faults, and booked by the next call', async () => {
    const presented = await present(stack)
    await submitByOther(stack, presented)
    await failStoring('40P01', 2)
    expect(await post(presented)).toEqual({ status: 503, json: ENVELOPE })
    expect(await post(presented)).toMatchObject({ status: 200, json: { success: true } })
  })
})
