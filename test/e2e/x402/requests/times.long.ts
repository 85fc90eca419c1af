import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { AGREEING_WALLET } from '../../../support/servers/bytecode.ts'
import { type FakeRpc, type Reaction, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import type { RpcCall } from '../../../support/servers/otherNode.ts'
import { expectRefused, expectSettled, present } from '../../../support/x402/cases.ts'
import { submitByOther, whileMining } from '../../../support/x402/chain.ts'
import { channelOf } from '../../../support/x402/channels/ownChannel.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { placeCode } from '../../../support/x402/walletCode.ts'

/** Authorizations in time, too early and too late, by the chain's own clock. */

const TOO_EARLY = 'invalid_exact_evm_payload_authorization_valid_after'
/** Answers ERC-1271 by nothing that agrees. */
const REFUSING_WALLET = '0x60205ff3'
const TOO_SHORT = 'invalid_exact_evm_payload_authorization_valid_before'

let stack: X402Stack
/** A chain whose time stands still unless a test mines. */
let still: X402Stack

/** The node through which its API reads. */
let reading: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack()
  still = await startX402Stack({
    chain: { mining: 'manual' },
    apiRpcUrl: (node) => {
      reading = startFakeRpc(node)
      return reading.url
    },
  })
}, 120_000)

afterAll(async () => {
  await stack.close()
  await still.close()
  await reading.stop()
})

async function timeOf({ chain }: X402Stack): Promise<bigint> {
  return (await chain.client.getBlock()).timestamp
}

describe('validAfter', () => {
  test('in the future is refused', async () => {
    const validAfter = (await timeOf(stack)) + 3_600n
    const terms = { validAfter, validBefore: validAfter + 300n }
    await expectRefused(stack, await present(stack, { terms }), TOO_EARLY)
  })

  test('of zero is as good as any time that has passed', async () => {
    await expectSettled(stack, await present(stack, { terms: { validAfter: 0n } }))
  })
})

describe('validAfter of this very second', () => {
  const now = () => BigInt(Math.floor(Date.now() / 1000))

  test('is settled, on a chain that makes blocks and on one that has stood still', async () => {
    await expectSettled(stack, await present(stack, { terms: { validAfter: now() } }))
    const payer = await still.newPayer()
    await whileMining(
      still,
      expectSettled(still, await present(still, { payer, terms: { validAfter: now() } })),
    )
  })

  for (const [nodes, rule] of [
    ['', undefined],
    [', also by a node that takes neither another time nor a balance', withoutOverrides],
  ] as const)
    test(`is judged at the next block where a contract is asked for the signature${nodes}`, async () => {
      reading.rule(rule)
      for (const [code, reason] of [
        [AGREEING_WALLET, undefined],
        [REFUSING_WALLET, 'invalid_exact_evm_payload_signature'],
      ] as const) {
        const payer = await still.newPayer()
        await placeCode(still.chain, lowerCaseAddress(payer.address), code)
        await Bun.sleep(1_100)
        const { body } = await present(still, { payer, terms: { validAfter: now() } })
        expect((await still.verify(body)).invalidReason).toBe(reason)
      }
      reading.rule()
    })

  test('is settled for a deposit into a channel', async () => {
    const { deposit } = await channelOf(stack, await stack.newPayer(1_000n))
    const body = await deposit(500n, undefined, now())
    expect(await stack.settle(body)).toMatchObject({ success: true })
  })
})

test('a payment that a chain carries too early, because its clock is behind ours, is sent again', async () => {
  const now = Math.floor(Date.now() / 1000)
  // Each block is a second later than the one before.
  const behind = await startX402Stack({ chain: { mining: 'manual', genesisTime: now - 300 } })
  try {
    const payer = await behind.newPayer()
    const terms = { validAfter: (await timeOf(behind)) + 20n, validBefore: BigInt(now) + 600n }
    const { body } = await present(behind, { payer, terms })
    expect(await whileMining(behind, behind.settle(body))).toMatchObject({ success: true })
    const [work] = await behind.database<{ tries: number; spent: number }[]>`
      select w.tries, (select count(*)::integer from relayer_tx where kind = 'x402') as spent
      from work_item w where w.kind = 'x402'`
    expect(work?.tries).toBe(0)
    // A transaction each second at most, until the chain's time has come.
    expect(work?.spent).toBeGreaterThan(1)
    expect(work?.spent).toBeLessThan(6)
  } finally {
    await behind.close()
  }
}, 60_000)

describe('validBefore', () => {
  test('that has passed, or is no later than validAfter, is expired', async () => {
    const time = await timeOf(stack)
    for (const validBefore of [time, time - 60n, 0n]) {
      const expired = await present(stack, { terms: { validBefore } })
      await expectRefused(stack, expired, 'payment_expired')
    }
  })

  test('as late as a number can be is settled', async () => {
    await expectSettled(stack, await present(stack, { terms: { validBefore: 2n ** 256n - 1n } }))
  })
})

describe('on a chain that stands still', () => {
  test('time is what the clock says', async () => {
    const payer = await still.newPayer()
    const head = await timeOf(still)
    const good = await present(still, { payer, terms: { validAfter: head + 1n } })
    const brief = { validAfter: head - 1n, validBefore: head + 2n }
    const expired = await present(still, { payer, terms: brief })
    await Bun.sleep(2_500)
    await expectRefused(still, expired, 'payment_expired')
    expect(await timeOf(still)).toBe(head)
    await whileMining(still, expectSettled(still, good))
  })

  test('a transfer of another party is credited to calls before validBefore only', async () => {
    const late = await present(still)
    await submitByOther(still, late)
    expect(await still.verify(late.body)).toMatchObject({ isValid: true })
    await passTo(late.authorization.validBefore)
    await expectRefused(still, late, 'payment_expired')
  })

  test('an authorization settles once its time has come', async () => {
    const payer = await payerAhead()
    const validAfter = (await timeOf(still)) + 60n
    const early = await present(still, { payer, terms: { validAfter } })
    await expectRefused(still, early, TOO_EARLY)
    await passTo(validAfter + 1n)
    await whileMining(still, expectSettled(still, early))
  })

  test('the times themselves are outside, to the second', async () => {
    const payer = await payerAhead()
    const at = await timeOf(still)
    const terms = [
      // The next block is a second later at the earliest.
      [{ validAfter: at + 1n }, TOO_EARLY],
      [{ validAfter: at }, undefined],
      [{ validBefore: at }, 'payment_expired'],
      [{ validBefore: at + 1n }, TOO_SHORT],
    ] as const
    for (const [change, reason] of terms) {
      const { body } = await present(still, { payer, terms: change })
      expect((await still.verify(body)).invalidReason).toBe(reason)
    }
  })

  test('six seconds and a block must be left before validBefore, to the second', async () => {
    const payer = await payerAhead()
    const at = await timeOf(still)
    const late = await present(still, { payer, terms: { validBefore: at + 6n } })
    await expectRefused(still, late, TOO_SHORT)
    const good = await present(still, { payer, terms: { validBefore: at + 7n } })
    expect(await still.verify(good.body)).toMatchObject({ isValid: true })
  })
})

/** How old nodes answer. */
function withoutOverrides({ method, params }: RpcCall): Reaction | undefined {
  if (method !== 'eth_call' || !Array.isArray(params) || params.length < 3) return undefined
  return { type: 'error', code: -32_602, message: 'too many arguments, want at most 2' }
}

/** A payer on a chain that is far ahead of the clock, so that its own time alone counts. */
async function payerAhead() {
  await passTo((await timeOf(still)) + 3_600n)
  return still.newPayer()
}

/** The chain that stands still jumps to this time. */
async function passTo(time: bigint): Promise<void> {
  await still.chain.node.rpc('evm_setNextBlockTimestamp', [Number(time)])
  await still.chain.mine()
}
