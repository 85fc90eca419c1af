import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eventually } from '../../../support/servers/devStack.ts'
import {
  effectOf,
  expectSettled,
  type Presented,
  present,
  settledOnce,
} from '../../../support/x402/cases.ts'
import { untilSent, whileMining } from '../../../support/x402/chain.ts'
import { eventsOf, paymentOf, untilStatus } from '../../../support/x402/ledger.ts'
import { type SettleJson, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** Settles whose deadline passes before anything was signed: what is pending has a hash, or is not begun. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 'manual' } })
  await whileMining(stack, expectSettled(stack, await present(stack)))
}, 120_000)

beforeEach(() => sign(true))

afterAll(() => stack.close())

/** Whether anything is signed: not by keys that are out of service. */
async function sign(isOn: boolean): Promise<void> {
  await stack.database`update relayer_key set status = ${isOn ? 'active' : 'quarantined'}`
}

const HASTY = { requirements: { maxTimeoutSeconds: 1 } }
const NOT_BEGUN = {
  success: false,
  error: 'unexpected_settle_error',
  errorMessage: expect.stringContaining('nothing was begun'),
  transaction: '',
}

/** Its claim, as it is after so many seconds. */
async function claimIsOld(presented: Presented, seconds = 10): Promise<void> {
  const { id } = await eventually(
    () => paymentOf(stack, presented).catch(() => null),
    (row) => row !== null,
  ).then((row) => row ?? Promise.reject(new Error('nothing was claimed')))
  await stack.database`
    update work_item set updated_at = now() - ${seconds} * interval '1 second'
    where payload->>'paymentId' = ${id}`
}

async function traces({ authorization: { nonce } }: Presented) {
  const { database } = stack
  const status = await stack.fetch(`/v1/x402/payments/status?nonce=${nonce}`)
  return {
    status: (await status.json()).data,
    payments: (await database`select from x402_payment where authorization_nonce = ${nonce}`)
      .length,
    items: (await database`select from work_item where dedupe_key like ${`%${nonce}`}`).length,
    events: (await database`select from outbox where data->>'nonce' = ${nonce}`).length,
  }
}

const NO_TRACES = (presented: Presented) => ({
  status: { nonce: presented.authorization.nonce, status: 'not_found' },
  ...{ payments: 0, items: 0, events: 0 },
})

test('a claim that nothing carries is withdrawn, for all who wait for it, and is made again', async () => {
  await sign(false)
  const presented = await present(stack, HASTY)
  const answers = [stack.settle(presented.body), stack.settle(presented.body)]
  await claimIsOld(presented)
  expect(await Promise.all(answers)).toMatchObject([NOT_BEGUN, NOT_BEGUN])
  expect(await traces(presented)).toEqual(NO_TRACES(presented))
  await sign(true)
  const again = await present(stack, { payer: presented.payer })
  await whileMining(stack, expectSettled(stack, again))
  await whileMining(stack, expectSettled(stack, presented))
})

test('a deadline of a second takes nothing out of a batch: the hash is waited for', async () => {
  await sign(false)
  const presented = await present(stack, HASTY)
  const effect = await effectOf(stack, presented, async () => {
    const answer = stack.settle(presented.body)
    await claimIsOld(presented, 0)
    await Bun.sleep(1_500)
    expect((await paymentOf(stack, presented)).status).toBe('pending')
    await sign(true)
    expect(await answer).toMatchObject({
      error: 'settlement_pending',
      transaction: await untilSent(stack, presented),
    })
    const settled = await whileMining(stack, stack.settle(presented.body))
    expect(settled).toMatchObject({ success: true })
  })
  expect(effect).toEqual(settledOnce(presented))
})

test('what was signed before the deadline is kept, however old its claim is', async () => {
  const presented = await present(stack, HASTY)
  const effect = await effectOf(stack, presented, async () => {
    const answer = stack.settle(presented.body)
    const transaction = await untilSent(stack, presented)
    await claimIsOld(presented, 60)
    expect(await answer).toMatchObject({ error: 'settlement_pending', transaction })
    await whileMining(stack, untilStatus(stack, presented, 'settled'))
    expect(await stack.settle(presented.body)).toMatchObject({ success: true, transaction })
  })
  expect(effect).toEqual(settledOnce(presented))
  expect(
    await whileMining(
      stack,
      eventually(
        () => eventsOf(stack, presented),
        (all) => all.length > 0,
      ),
    ),
  ).toEqual(['x402.payment.settled'])
})

test('a caller who has hung up withdraws nothing: it is paid, and the next call hears of it', async () => {
  await sign(false)
  const presented = await present(stack, HASTY)
  const effect = await effectOf(stack, presented, async () => {
    const caller = new AbortController()
    const unheard = stack.settle(presented.body, { signal: caller.signal }).catch(() => null)
    await claimIsOld(presented, 0)
    caller.abort()
    await claimIsOld(presented)
    await unheard
    // Long enough for a withdrawal, if there were one.
    await Bun.sleep(1_500)
    expect((await paymentOf(stack, presented)).status).toBe('pending')
    await sign(true)
    const answers: SettleJson[] = []
    answers.push(await whileMining(stack, stack.settle({ ...presented.body })))
    expect(answers).toMatchObject([{ success: true }])
  })
  expect(effect).toEqual(settledOnce(presented))
})
