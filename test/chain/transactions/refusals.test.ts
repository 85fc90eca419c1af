import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RpcRequestError } from 'viem'
import { isRateLimited } from '../../../chain/rpc/faults.ts'
import { classifyAnswer } from '../../../chain/transactions/broadcast.ts'
import {
  type Meaning,
  REFUSALS,
  RESPONSES,
  understand,
} from '../../../chain/transactions/refusals.ts'

/** What each client says when it refuses a transaction. */

const GWEI = 10n ** 9n

test.each(REFUSALS.map((refusal) => [refusal.example, refusal] as const))(
  '"%s" is read by its own row',
  (example, refusal) => {
    expect(understand(example)?.refusal).toBe(refusal)
    // Gateways and Erigon put words of their own before it.
    expect(understand(`INTERNAL_ERROR: ${example}`)?.refusal).toBe(refusal)
  },
)

test.each([
  ['transaction gas price below minimum: gas tip cap 1, minimum needed 25000000000', 25n * GWEI],
  ['transaction underpriced: gas tip cap 1000000, minimum needed 30000000000', 30n * GWEI],
  ['transaction underpriced: tip needed 2, tip permitted 1', 2n],
  ['transaction priority fee below minimum required priority fee 7', 7n],
  ['FeeTooLow, EffectivePriorityFeePerGas too low 10 < 20, BaseFee: 30', 20n],
  ['transaction underpriced', null],
  ['FeeTooLow', null],
  [
    `transaction underpriced: gas tip cap 1, minimum needed ${'9'.repeat(400)}`,
    BigInt('9'.repeat(30)),
  ],
])('"%s" names its least tip', (words, floor) => {
  expect(classifyAnswer(words)).toMatchObject({ type: 'underpriced', tip: { floor } })
})

test('words that no client is known for are unknown, and a refusal all the same', () => {
  for (const words of ['the moon is full', 'Internal error', '']) {
    expect(understand(words)).toBeNull()
    expect(classifyAnswer(words)).toEqual({ type: 'unknown', message: words, isRefusal: true })
  }
})

test('a replacement or a base fee that is too low says nothing of a least tip', () => {
  const words = [
    'replacement transaction underpriced',
    'max fee per gas less than block base fee: address 0x1, maxFeePerGas: 1, baseFee: 2',
    'Gas price below current base fee',
  ]
  for (const one of words) {
    expect(classifyAnswer(one)).toMatchObject({ type: 'underpriced', tip: null })
  }
})

test("a sender that Besu's permissions do not name is no matter of too many calls", () => {
  const refusal = (code: number, message: string) =>
    isRateLimited(new RpcRequestError({ body: {}, url: 'http://node', error: { code, message } }))
  expect(refusal(-32_007, 'Sender account not authorized to send transactions')).toBe(false)
  expect(refusal(-32_007, '50/second request limit reached')).toBe(true)
})

test('the table of refusals in the documents is that of the code', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  expect(text).toContain(refusalTable())
})

/** One line for each meaning, with the clients and an example of their words. */
function refusalTable(): string {
  const meanings = Object.keys(RESPONSES).filter((name): name is Meaning => name in RESPONSES)
  const lines = meanings.map((meaning) => {
    const said = REFUSALS.filter((refusal) => refusal.meaning === meaning)
      .map(({ clients, example }) => `\`${example}\` (${clients.join(', ')})`)
      .join('; ')
    return `| ${said} | ${RESPONSES[meaning]} |`
  })
  return ["| node's message | what Remit does |", '|---|---|', ...lines].join('\n')
}
