import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../../../support/servers/devStack.ts'
import {
  type FakeRpc,
  type Reaction,
  script,
  startFakeRpc,
} from '../../../support/servers/fakeRpc.ts'
import {
  effectOf,
  expectAnswers,
  expectSettled,
  NO_EFFECT,
  type Presented,
  present,
  settledOnce,
} from '../../../support/x402/cases.ts'
import { submitByOther, untilSent } from '../../../support/x402/chain.ts'
import { untilAllAreMined } from '../../../support/x402/ledger.ts'
import {
  PRICE,
  type SettleJson,
  startX402Stack,
  type X402Stack,
} from '../../../support/x402/stack.ts'

/** Nodes that fail: nothing is ever called failed that may still be paid. */

let stack: X402Stack
/** What the API asks, and what the worker sends by. */
let reading: FakeRpc
let sending: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    apiRpcUrl: (node) => {
      reading = startFakeRpc(node)
      return reading.url
    },
    workerRpcUrl: (node) => {
      sending = startFakeRpc(node)
      return sending.url
    },
  })
}, 120_000)

afterAll(async () => {
  await stack.close()
  await reading.stop()
  await sending.stop()
})

/** The rules hold while something is done, and for nothing after it. */
async function during(
  rpc: FakeRpc,
  rule: Parameters<FakeRpc['rule']>[0],
  act: () => Promise<void>,
) {
  rpc.rule(rule)
  try {
    await act()
  } finally {
    rpc.rule()
  }
}

describe('a node that is away when the API asks', () => {
  const faults: Record<string, Reaction> = {
    'never receives the call': { type: 'drop_request' },
    'loses its answer': { type: 'drop_answer' },
    'answers with an error': { type: 'error', code: -32_603, message: 'internal error' },
    'answers with nonsense': { type: 'result', result: '0x1234' },
    'answers with nothing': { type: 'result', result: null },
    'answers what no node answers': { type: 'result', result: { a: [1] } },
  }
  for (const [what, reaction] of Object.entries(faults)) {
    test(`and ${what}: nothing is claimed, and the call may be repeated`, async () => {
      const presented = await present(stack)
      const { body } = presented
      const effect = await effectOf(stack, presented, () =>
        during(
          reading,
          () => reaction,
          async () => {
            expect(await stack.verify(body)).toMatchObject({
              isValid: false,
              invalidReason: 'unexpected_verify_error',
            })
            expect(await stack.settle(body)).toMatchObject({
              success: false,
              error: 'unexpected_settle_error',
              transaction: '',
            })
          },
        ),
      )
      expect(effect).toEqual({ ...NO_EFFECT, isUsed: false })
      await expectSettled(stack, presented)
    })
  }

  test('terms that are wrong anyway are refused without it, and what is settled stays settled', async () => {
    const wrong = await present(stack, { terms: { value: 1n } })
    const settled = await present(stack)
    const { transaction } = await expectSettled(stack, settled)
    await during(
      reading,
      () => ({ type: 'drop_request' }),
      async () => {
        const reason = 'invalid_exact_evm_payload_authorization_value_mismatch'
        await expectAnswers(stack, wrong.body, reason)
        expect(await stack.settle(settled.body)).toMatchObject({
          error: 'duplicate_settlement',
          transaction,
        })
      },
    )
  })

  test('and hangs: all who wait are told so, also those whom it was never asked for', async () => {
    const payer = await stack.newPayer()
    const crowd = await Promise.all(Array.from({ length: 4 }, () => present(stack, { payer })))
    const hangs = (): Reaction => ({ type: 'delay', ms: 60_000 })
    await during(reading, hangs, async () => {
      const asked = crowd.map(({ body }) => stack.verify(body))
      for (const answer of await Promise.all(asked)) {
        expect(answer).toMatchObject({ invalidReason: 'unexpected_verify_error' })
      }
    })
  }, 120_000)

  test('while it should say who carried an authorization out', async () => {
    const presented = await present(stack)
    const transaction = await submitByOther(stack, presented)
    const noLogs = ({ method }: { method: string }): Reaction | undefined =>
      method === 'eth_getLogs' ? { type: 'drop_answer' } : undefined
    await during(reading, noLogs, async () => {
      expect(await stack.verify(presented.body)).toMatchObject({
        invalidReason: 'unexpected_verify_error',
      })
      expect(await stack.settle(presented.body)).toMatchObject({ error: 'unexpected_settle_error' })
    })
    expect(await stack.settle(presented.body)).toMatchObject({ success: true, transaction })
  })

  for (const method of ['eth_call', 'eth_getLogs']) {
    test(`and says nothing to ${method}: settle has begun nothing by the caller's deadline`, async () => {
      const presented = await present(stack, { requirements: { maxTimeoutSeconds: 1 } })
      const { body } = presented
      const transaction = await submitByOther(stack, presented)
      const hangs = (call: { method: string }): Reaction | undefined =>
        call.method === method ? { type: 'delay', ms: 60_000 } : undefined
      await during(reading, hangs, async () => {
        const [verified, settled] = await Promise.all([stack.verify(body), stack.settle(body)])
        expect(verified).toMatchObject({ invalidReason: 'unexpected_verify_error' })
        expect(settled).toMatchObject({
          error: 'unexpected_settle_error',
          errorMessage: expect.stringContaining('nothing was begun'),
          transaction: '',
        })
      })
      expect(await settledOf(presented)).toMatchObject({ success: true, transaction })
    }, 120_000)
  }
})

test('what a node that lags behind has not seen yet is found by a later call', async () => {
  const presented = await present(stack)
  const transaction = await submitByOther(stack, presented)
  const behind: Reaction = { type: 'stale', blocks: 20 }
  await during(reading, script('eth_getLogs', [behind]), async () => {
    expect(await stack.settle(presented.body)).toMatchObject({ error: 'authorization_used' })
    const answer = await eventually(
      () => stack.settle(presented.body),
      ({ success }) => success,
    )
    expect(answer).toMatchObject({ success: true, transaction })
  })
})

test('a payer is not called poor by a node that does not show the payer’s money any more', async () => {
  const { chain } = stack
  const payer = await stack.newPayer(0n)
  const before = Number(await chain.client.getBlockNumber())
  await chain.mint([{ to: payer.address, amount: PRICE }])
  const presented = await present(stack, { payer })
  // By now the node has shown a block with the money.
  expect(await stack.verify((await present(stack)).body)).toMatchObject({ isValid: true })
  await during(
    reading,
    () => ({ type: 'frozen', at: before }),
    async () => {
      expect(await stack.verify(presented.body)).toMatchObject({
        isValid: false,
        invalidReason: 'unexpected_verify_error',
      })
      expect(await stack.settle(presented.body)).toMatchObject({
        success: false,
        error: 'unexpected_settle_error',
      })
    },
  )
  expect(await stack.settle(presented.body)).toMatchObject({ success: true })
})

describe('a broadcast', () => {
  const SEND = 'eth_sendRawTransaction'

  test('whose answer is lost is a success: the transaction arrived', async () => {
    await settlesThrough([{ type: 'drop_answer' }, { type: 'drop_answer' }])
  })

  test('that never arrives is sent again, with the same bytes', async () => {
    await settlesThrough([{ type: 'drop_request' }, { type: 'drop_request' }])
  })

  test('that the node answers with an error of its own is sent again', async () => {
    await settlesThrough([{ type: 'error', code: -32_000, message: 'txpool is full' }])
  })

  test('that the node takes and calls failed is a success', async () => {
    const presented = await present(stack)
    const effect = await effectOf(stack, presented, () =>
      during(sending, losing(SEND), async () => {
        // The node has it, and denies it each time.
        const answer = await stack.settle(presented.body)
        expect(answer.success).toBe(true)
      }),
    )
    expect(effect).toEqual(settledOnce(presented))
  })

  async function settlesThrough(reactions: readonly Reaction[]): Promise<void> {
    const presented = await present(stack)
    await during(sending, script(SEND, reactions), async () => {
      await expectSettled(stack, presented)
    })
    const rows = await stack.database`
      select a.hash from relayer_attempt a
      join work_item w on w.tx_id = a.tx_id
      join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
      where p.authorization_nonce = ${presented.authorization.nonce}`
    expect(rows).toHaveLength(1)
  }
})

describe('a worker whose node is away', () => {
  test('has nothing begun by the deadline, and a repeat is paid', async () => {
    const requirements = { maxTimeoutSeconds: 1 }
    const presented = await present(stack, { requirements })
    const { nonce } = presented.authorization
    const answers: SettleJson[] = []
    const effect = await effectOf(stack, presented, async () => {
      await during(
        sending,
        () => ({ type: 'drop_request' }),
        async () => {
          const answer = stack.settle(presented.body)
          // Its claim, as it is after ten seconds.
          await eventually(
            () => stack.database`
              update work_item set updated_at = now() - interval '10 seconds'
              where dedupe_key like ${`%${nonce}`} returning id`,
            (rows) => rows.length === 1,
          )
          answers.push(await answer)
        },
      )
      answers.push(await settledOf(presented))
    })
    expect(answers).toMatchObject([
      { success: false, error: 'unexpected_settle_error', transaction: '' },
      { success: true },
    ])
    expect(effect).toEqual(settledOnce(presented))
  })

  test('that loses every receipt leaves it pending with the hash, and tells the end', async () => {
    const presented = await present(stack, { requirements: { maxTimeoutSeconds: 1 } })
    const { body } = presented
    await untilAllAreMined(stack)
    const effect = await effectOf(stack, presented, async () => {
      await during(sending, losing('eth_getTransactionReceipt'), async () => {
        await stack.settle(body)
        const transaction = await untilSent(stack, presented)
        const pending = { success: false, error: 'settlement_pending', transaction }
        expect(await stack.settle(body)).toMatchObject(pending)
      })
      expect(await settledOf(presented)).toMatchObject({
        success: true,
        transaction: await untilSent(stack, presented),
      })
    })
    expect(effect).toEqual(settledOnce(presented))
  })
})

/** Repeats the call, as clients do that are told that a settlement is pending, or that nothing was begun. */
function settledOf({ body }: Presented): Promise<SettleJson> {
  return eventually(
    () => stack.settle(body),
    ({ error }) => error !== 'settlement_pending' && error !== 'unexpected_settle_error',
  )
}

/** Every answer to this method is lost. */
function losing(method: string) {
  return (call: { readonly method: string }): Reaction | undefined =>
    call.method === method ? { type: 'drop_answer' } : undefined
}
