import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PrivateKeyAccount } from 'viem/accounts'
import { present } from '../../../support/x402/cases.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { expectBalanced, expectTruth, type Told, untilAtRest } from '../../../support/x402/truth.ts'

/** Every authorization is posted twice at once. The full count is run with X402_TWICE=500. */

const AUTHORIZATIONS = Number(process.env.X402_TWICE ?? 60)
const PAYERS = 20
const FUNDS = 10_000_000n
const DAY_S = 86_400n

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({ chain: { gasLimit: 200_000_000n } })
}, 120_000)

afterAll(() => stack?.close())

test(`${AUTHORIZATIONS} authorizations, each posted twice: as many successes, as many duplicates`, async () => {
  const payers: PrivateKeyAccount[] = []
  for (let i = 0; i < PAYERS; i += 1) payers.push(await stack.newPayer(FUNDS))
  const { timestamp } = await stack.chain.client.getBlock()
  const presented = await Promise.all(
    Array.from({ length: AUTHORIZATIONS }, (_, i) => {
      const payer = payers[i % PAYERS]
      if (payer === undefined) throw new Error('there are no payers')
      return present(stack, { payer, terms: { validBefore: timestamp + DAY_S } })
    }),
  )
  const told = await Promise.all(
    presented.map(async ({ authorization, body }): Promise<Told> => {
      const answers = await Promise.all([stack.settle(body), stack.settle(body)])
      return { authorization, answers, unanswered: 0 }
    }),
  )
  const errors = told.map(({ answers }) => answers.map(({ error }) => error ?? 'none').sort())
  expect(errors).toEqual(told.map(() => ['duplicate_settlement', 'none']))
  const hashes = told.map(({ answers }) => new Set(answers.map((a) => a.transaction)).size)
  expect(hashes).toEqual(told.map(() => 1))
  await untilAtRest(stack.database, 60_000)
  expect(await expectTruth(stack, told)).toMatchObject({ refused: {}, open: 0, reverted: 0 })
  await expectBalanced(
    stack,
    payers.map(({ address }) => ({ address, minted: FUNDS })),
    [stack.merchant],
  )
}, 120_000)
