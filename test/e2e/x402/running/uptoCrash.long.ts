import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parseEventLogs } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { HUB_ABI } from '../../../../chain/hub/abi.ts'
import { saveProjectedBlock } from '../../../../store/chain/state.ts'
import { remit } from '../../../support/cli/run.ts'
import {
  behave,
  type FakeRpc,
  firstOf,
  type Rule,
  sometimes,
  startFakeRpc,
} from '../../../support/servers/fakeRpc.ts'
import { approvePermit2 } from '../../../support/x402/permitShops.ts'
import { type SignedPermit, signPermit } from '../../../support/x402/permits.ts'
import { PARTS, startX402Processes, type X402Processes } from '../../../support/x402/processes.ts'
import type { SettleJson } from '../../../support/x402/stack.ts'
import {
  askWithRetries,
  expectBalanced,
  inParallel,
  untilAtRest,
} from '../../../support/x402/truth.ts'

/**
 * Payments of `upto` while worker, API and Redis are killed at random, a fifth of the broadcasts never
 * reaches the node, and an eighth of the answers to the others is lost, by callers that retry. The full
 * count: npx -y bun@1.4.5 run check:upto.
 */

const PAYMENTS = Number(process.env.X402_UPTO_PAYMENTS ?? 20)
const KILLS = Number(process.env.X402_UPTO_KILLS ?? 3)
const PAYERS = Math.min(PAYMENTS, 20)
/** Bun has 256 requests open at a time, and the proxy before the node needs some of them. */
const CALLERS = 128
const FUNDS = 100_000_000n
const MAXIMUM = 20_000n
const PAUSE_MS = 1_000
const DAY_S = 86_400n
const BROADCAST = 'eth_sendRawTransaction'

let stack: X402Processes
let node: FakeRpc

beforeAll(async () => {
  stack = await startX402Processes({}, (url) => {
    node = startFakeRpc(url)
    return node.url
  })
}, 300_000)

afterAll(async () => {
  await stack?.close()
  await node?.stop()
}, 120_000)

interface Sent {
  readonly signed: SignedPermit
  readonly amount: bigint
  readonly answers: readonly SettleJson[]
}

test(`${PAYMENTS} upto payments survive ${KILLS} kills and lost broadcasts: each settles once, and what was said`, async () => {
  const payers = Array.from({ length: PAYERS }, () => privateKeyToAccount(generatePrivateKey()))
  await stack.chain.mint(payers.map(({ address }) => ({ to: address, amount: FUNDS })))
  await Promise.all(payers.map((payer) => approvePermit2(stack.chain, payer)))
  const { timestamp } = await stack.chain.client.getBlock()
  const signed = await Promise.all(
    Array.from({ length: PAYMENTS }, (_, i) =>
      sign(payers[i % PAYERS], BigInt(i), timestamp + DAY_S),
    ),
  )
  const lost = { drop_request: 0, drop_answer: 0 }
  node.rule(loseBroadcasts(lost))
  const startedAt = performance.now()
  const killing = killAtRandom()
  const payments = signed.map((one, i) => async (): Promise<Sent> => {
    while (killing.done < Math.floor((i * KILLS) / PAYMENTS)) await Bun.sleep(50)
    const amount = 1n + BigInt(Math.floor(Math.random() * Number(MAXIMUM)))
    const key = { 'X-Service-Key': stack.merchant.secretKey }
    const { answers } = await askWithRetries(() => stack.settle(one.body(amount), key))
    return { signed: one, amount, answers }
  })
  const sent = await inParallel(payments, CALLERS)
  await killing.ended
  const broadcasts = node.calls.get(BROADCAST)
  behave(node)
  await untilAtRest(stack.database, 300_000)
  await expectTruth(sent)
  const minted = payers.map(({ address }) => ({ address, minted: FUNDS }))
  await expectBalanced(stack, minted, [stack.merchant])
  await expectReconciled()
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  console.log({ kills: KILLS, broadcasts, lost, seconds })
}, 3_600_000)

/** Loses what is lost on the way to the node and on the way back, and counts both. */
function loseBroadcasts(lost: { drop_request: number; drop_answer: number }): Rule {
  const rule = firstOf(
    sometimes(BROADCAST, 0.2, { type: 'drop_request' }),
    sometimes(BROADCAST, 0.125, { type: 'drop_answer' }),
  )
  return (call) => {
    const reaction = rule(call)
    if (reaction?.type === 'drop_request' || reaction?.type === 'drop_answer') {
      lost[reaction.type] += 1
    }
    return reaction
  }
}

function sign(payer: PrivateKeyAccount | undefined, nonce: bigint, deadline: bigint) {
  if (payer === undefined) throw new Error('there are no payers')
  const { forwarder: payTo } = stack.merchant
  return signPermit(stack.chain, payer, {
    scheme: 'upto',
    payTo,
    maximum: MAXIMUM,
    nonce,
    deadline,
  })
}

/** Kills one part after the other; the API only once it answers, or it would never come up on a slow machine. */
function killAtRandom(): { readonly done: number; readonly ended: Promise<void> } {
  let done = 0
  const kill = async () => {
    while (done < KILLS) {
      await Bun.sleep(PAUSE_MS * (0.2 + 1.6 * Math.random()))
      const part = PARTS[done % PARTS.length]
      if (part === undefined || (part === 'api' && !(await stack.answers()))) continue
      if (stack.kill(part)) done += 1
    }
  }
  const ended = kill()
  return {
    get done() {
      return done
    },
    ended,
  }
}

/** By the chain alone: every payment once, of exactly the amount that its caller named. */
async function expectTruth(sent: readonly Sent[]): Promise<void> {
  const { client, hub } = stack.chain
  const logs = await client.getLogs({ address: hub, fromBlock: 0n, toBlock: 'latest' })
  const settled = parseEventLogs({ abi: HUB_ABI, logs, eventName: 'PermitSettled' })
  const found = Map.groupBy(settled, ({ args }) => `${args.from.toLowerCase()} ${args.nonce}`)
  let duplicates = 0
  for (const { signed, amount, answers } of sent) {
    const events = found.get(`${signed.payer} ${signed.nonce}`) ?? []
    expect(events.map(({ args }) => args.amount)).toEqual([amount])
    const successes = answers.filter(({ success }) => success)
    expect(successes.length).toBeLessThanOrEqual(1)
    const last = answers.at(-1)
    if (last?.error === 'duplicate_settlement') duplicates += 1
    else expect(last).toMatchObject({ success: true, amount: `${amount}` })
    expect(last?.transaction).toBe(events[0]?.transactionHash ?? '')
  }
  expect(settled.length).toBe(PAYMENTS)
  console.log({ settled: settled.length, duplicates })
}

async function expectReconciled(): Promise<void> {
  const head = await stack.chain.client.getBlockNumber()
  await saveProjectedBlock(stack.database, stack.chain.networkId, head)
  const { code, out } = await remit(stack.variables, 'reconcile', '--json')
  const { chains, differences } = JSON.parse(out)
  expect({ code, differences }).toEqual({ code: 0, differences: [] })
  expect(chains).toMatchObject([{ x402: { payments: PAYMENTS } }])
}
