import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PrivateKeyAccount } from 'viem/accounts'
import { behave, type FakeRpc, misbehave, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import { present } from '../../../support/x402/cases.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import {
  expectBalanced,
  expectTruth,
  inParallel,
  settleWithRetries,
  untilAtRest,
} from '../../../support/x402/truth.ts'

/**
 * Payments by way of nodes that lose the answers of broadcasts, dawdle, lag behind, answer as a broken
 * gateway and hang up. The full count is run with X402_FAULT_PAYMENTS=500.
 */

const PAYMENTS = Number(process.env.X402_FAULT_PAYMENTS ?? 80)
const PAYERS = 20
const CALLERS = 50
const FUNDS = 10_000_000n
const TIMEOUT_MS = 300
const DAY_S = 86_400n

let stack: X402Stack
const nodes: FakeRpc[] = []

beforeAll(async () => {
  const behind = (nodeUrl: string) => {
    const node = startFakeRpc(nodeUrl)
    nodes.push(node)
    return node.url
  }
  stack = await startX402Stack({
    apiRpcUrl: behind,
    workerRpcUrl: behind,
    // Small batches, so that many are sent.
    variables: { RPC_TIMEOUT_MS: String(TIMEOUT_MS), X402_BATCH_MAX: '5' },
  })
}, 120_000)

afterAll(async () => {
  await stack?.close()
  for (const node of nodes) await node.stop()
})

test(`${PAYMENTS} payments: no one is told what the chain contradicts, and nothing is paid twice`, async () => {
  const payers: PrivateKeyAccount[] = []
  for (let i = 0; i < PAYERS; i += 1) payers.push(await stack.newPayer(FUNDS))
  const { timestamp } = await stack.chain.client.getBlock()
  const terms = { validBefore: timestamp + DAY_S }
  const presented = await Promise.all(
    Array.from({ length: PAYMENTS }, (_, i) => {
      const payer = payers[i % PAYERS]
      if (payer === undefined) throw new Error('there are no payers')
      return present(stack, { payer, terms })
    }),
  )
  // Payers have had their money for longer than nodes are behind.
  await stack.chain.mine(2)
  for (const node of nodes) misbehave(node, TIMEOUT_MS)
  const told = await inParallel(
    presented.map(
      ({ body, authorization }) =>
        () =>
          settleWithRetries(() => stack.settle(body), authorization),
    ),
    CALLERS,
  )
  for (const node of nodes) behave(node)
  await untilAtRest(stack.database, 60_000)
  const tally = await expectTruth(stack, told)
  console.log('heard last', tally)
  expect(tally).toMatchObject({ duplicates: 0, open: 0, reverted: 0 })
  // Nothing is claimed while no node answers: a few callers may be told so, and have not paid.
  const { unexpected_settle_error: unexpected = 0, ...others } = tally.refused
  expect(others).toEqual({})
  expect(tally.settled + unexpected).toBe(PAYMENTS)
  expect(unexpected).toBeLessThan(PAYMENTS)
  await expectBalanced(
    stack,
    payers.map(({ address }) => ({ address, minted: FUNDS })),
    [stack.merchant],
  )
}, 600_000)
