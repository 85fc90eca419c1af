import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MULTICALL } from '../../../core/channels/channel.ts'
import { openHealth } from '../../../store/books/health.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { replaceFrom } from '../../support/x402/chain.ts'
import {
  booksOf,
  booksOnChain,
  type EarlierChannel,
  earlierChannel,
} from '../../support/x402/channels/earlier.ts'
import { endWithdrawal } from '../../support/x402/channels/withdrawal.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** Channels that payers have filled, and withdraw from, before anything of them comes to us. */

/** So many blocks confirm a channel's, and are not so many that it is final. */
const CONFIRMING = 16
const USED = { deposited: 10_000n, claimed: 2_000n, withdrawn: 8_000n }

let stack: X402Stack
/** What the worker asks. */
let node: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 100 },
    workerRpcUrl: (url) => {
      node = startFakeRpc(url)
      return node.url
    },
  })
}, 180_000)

afterAll(async () => {
  await stack?.close()
  await node?.stop()
})

/** The ledger's books of a channel once they show what the chain does. */
async function booksAlike({ channelId }: EarlierChannel) {
  const both = await eventually(
    async () => ({
      ours: await booksOf(stack, channelId),
      chain: await booksOnChain(stack, channelId),
    }),
    ({ ours, chain }) => ours?.isRead === true && Bun.deepEquals({ ...chain, isRead: true }, ours),
    30_000,
  )
  return both.ours
}

/** How often the merchant was told of a withdrawal. */
async function told({ channelId }: EarlierChannel): Promise<number> {
  const rows = await stack.database`
    select from outbox where type = 'x402.channel.withdrawing'
      and data->>'channelId' = ${channelId}`
  return rows.length
}

async function isInReady(): Promise<boolean> {
  const { channelWithdrawals } = await openHealth(stack.database, 0)()
  return channelWithdrawals.some(({ claimedBy }) => claimedBy === 'merchant')
}

async function keep(channel: EarlierChannel, total: bigint) {
  const { channelId, channelConfig } = channel
  const claim = await channel.claim(new Map([[channel, total]]))
  const { claims, claimAuthorizerSignature } = claim.paymentPayload.payload
  const response = await stack.fetch(`/v1/x402/channels/${channelId}/voucher`, {
    method: 'PUT',
    headers: { 'x-service-key': stack.merchant.secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ network: claim.paymentRequirements.network, channelConfig, claimAuthorizerSignature },
      maxClaimableAmount: `${total}`,
      chargedCumulativeAmount: `${total}`,
      signature: claims[0]?.signature,
    }),
  })
  expect(response.status).toBe(200)
}

test('a verify is enough for a withdrawal to be told of, once, and in /ready', async () => {
  const channel = await earlierChannel(stack, USED)
  expect(await booksOf(stack, channel.channelId)).toBeNull()
  const verdict = await stack.verify(await channel.voucherOf(3_000n))
  expect(verdict).toMatchObject({ isValid: true })
  expect(await booksAlike(channel)).toMatchObject({
    ...{ balance: 10_000n, totalClaimed: 2_000n, withdrawAmount: 8_000n },
  })
  expect([await told(channel), await isInReady()]).toEqual([1, true])
  await stack.verify(await channel.voucherOf(3_000n))
  await stack.chain.mine(30)
  expect([await told(channel), await booksAlike(channel)]).toMatchObject([1, { balance: 10_000n }])
}, 60_000)

test('a deposit and a refund are added to what was there before them', async () => {
  const channel = await earlierChannel(stack, { ...USED, claimed: 0n })
  expect(await stack.settle(await channel.deposit(500n))).toMatchObject({ success: true })
  expect(await booksAlike(channel)).toMatchObject({ balance: 10_500n, withdrawAmount: 8_000n })
  expect(await told(channel)).toBe(1)
  expect(await stack.settle(await channel.refund(700n, 0n))).toMatchObject({ success: true })
  expect(await booksAlike(channel)).toMatchObject({ balance: 9_800n, withdrawAmount: 7_300n })
  expect(await told(channel)).toBe(1)
}, 60_000)

test('a claim is added to those that others have made', async () => {
  const channel = await earlierChannel(stack, USED)
  const claimed = await stack.settle(await channel.claim(new Map([[channel, 3_000n]])))
  expect(claimed).toMatchObject({ success: true, amount: '1000' })
  expect(await booksAlike(channel)).toMatchObject({ balance: 10_000n, totalClaimed: 3_000n })
  expect(await told(channel)).toBe(1)
}, 60_000)

test('what a server keeps of it is claimed and paid out before the payer takes the rest', async () => {
  const channel = await earlierChannel(stack, USED)
  const { channelId, account } = channel
  await keep(channel, 6_000n)
  await eventually(
    () => booksOnChain(stack, channelId),
    ({ totalClaimed }) => totalClaimed === 6_000n,
    30_000,
  )
  expect(await booksAlike(channel)).toMatchObject({ balance: 10_000n, totalClaimed: 6_000n })
  expect(await told(channel)).toBe(1)
  await eventually(
    () => stack.database`
      select from x402_channel_action where kind = 'settle' and status = 'settled'
        and receiver = ${stack.merchant.forwarder}`,
    ({ length }) => length > 0,
    30_000,
  )
  await endWithdrawal(stack, channel.key, channel.channelConfig)
  expect(await stack.chain.balance(account.address)).toBe(1_000_000n - 6_000n)
  expect(await booksAlike(channel)).toEqual({
    ...{ balance: 6_000n, totalClaimed: 6_000n, withdrawAmount: null, isRead: true },
  })
}, 90_000)

test('an answer that is missing is unknown, and not nothing', async () => {
  let asked = 0
  node.rule(({ method, params }) => {
    const isRead = method === 'eth_call' && JSON.stringify(params).includes(MULTICALL.slice(2))
    if (!isRead) return undefined
    asked += 1
    return { type: 'result', result: '0x' }
  })
  const channel = await earlierChannel(stack, USED)
  const verdict = await stack.verify(await channel.voucherOf(3_000n))
  expect(verdict).toMatchObject({ isValid: true })
  await eventually(
    async () => asked,
    (times) => times >= 2,
    30_000,
  )
  expect(await booksOf(stack, channel.channelId)).toMatchObject({ isRead: false })
  node.rule()
  expect(await booksAlike(channel)).toMatchObject({ balance: 10_000n, withdrawAmount: 8_000n })
  expect(await told(channel)).toBe(1)
}, 90_000)

test('what was read in a block that another one replaces is read again', async () => {
  const { client, node: ownNode } = stack.chain
  let before = 0n
  const channel = await earlierChannel(stack, USED, async () => {
    // On a busy machine so many blocks could pass that those to be replaced are final, or what the chain began with.
    await ownNode.rpc('evm_setIntervalMining', [0])
    before = await client.getBlockNumber({ cacheTime: 0 })
  })
  await stack.chain.mine(CONFIRMING)
  await stack.verify(await channel.voucherOf(3_000n))
  expect(await booksAlike(channel)).toMatchObject({ withdrawAmount: 8_000n })
  await replaceFrom(stack.chain, before + 1n)
  await ownNode.rpc('evm_setIntervalMining', [1])
  expect(await booksOnChain(stack, channel.channelId)).toMatchObject({ withdrawAmount: null })
  expect(await booksAlike(channel)).toMatchObject({ balance: 10_000n, withdrawAmount: null })
}, 60_000)
