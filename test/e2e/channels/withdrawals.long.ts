import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Remit } from '@remit/sdk'
import { remitChannelStorage } from '@remit/sdk/x402'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { openHealth } from '../../../store/books/health.ts'
import { tokenCall } from '../../support/relayer/transactions.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { issuerDoes, newPayerWithKey } from '../../support/x402/chain.ts'
import { serveStack } from '../../support/x402/channels/served.ts'
import { channelPayer, NETWORK, openChannelShop } from '../../support/x402/channels/shop.ts'
import {
  beginWithdrawal,
  claimedOnChain,
  endWithdrawal,
} from '../../support/x402/channels/withdrawal.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'
import { burnsUnlessZero, placeCode } from '../../support/x402/walletCode.ts'

/** Payers who withdraw: what servers have signed for is claimed in time, whether they run or not. */

const PRICE = 1_000n
const DEPOSIT = 10_000n

let stack: X402Stack
let served: ReturnType<typeof serveStack>
let remit: Remit
const ours = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 100 } })
  served = serveStack(stack)
  remit = new Remit({ apiUrl: served.api, key: stack.merchant.secretKey })
}, 180_000)

afterAll(async () => {
  await served?.close()
  await stack?.close()
})

function storage(authorizer = ours) {
  const { forwarder: payTo } = stack.merchant
  return remitChannelStorage({ remit, network: NETWORK, payTo, signer: authorizer })
}

/** A payer that has bought so often at a server that is gone by now. */
async function customer(requests: number, authorizer = ours) {
  const { key, payer } = await newPayerWithKey(stack, DEPOSIT)
  const shop = openChannelShop({
    ...{ facilitator: served.url, payTo: stack.merchant.forwarder, chain: stack.chain },
    ...{ price: PRICE, minDeposit: DEPOSIT, storage: storage(authorizer), authorizer },
  })
  const { pay } = channelPayer(payer, stack.chain.client)
  for (let i = 0; i < requests; i += 1) expect((await pay(shop.url)).status).toBe(200)
  shop.close()
  const records = await storage(authorizer).list()
  const record = records.find(({ channelConfig }) => channelConfig.payer === payer.address)
  if (record === undefined) throw new Error('the server has stored nothing')
  const channelId: Hex = `0x${record.channelId.slice(2)}`
  return { key, payer, channelId, config: record.channelConfig }
}

test('what no one has signed for is left to the merchant, and /ready and metrics say so', async () => {
  const { key, channelId, config } = await customer(1)
  await stack.database`
    update x402_channel_voucher set claim_max = null, claim_signature = null, claim_total = null,
      authorizer_signature = null where channel_id = ${channelId}`
  await beginWithdrawal(stack, key, config, DEPOSIT)
  const health = openHealth(stack.database, 0)
  const { channelWithdrawals } = await eventually(health, (now) =>
    now.channelWithdrawals.some(({ claimedBy }) => claimedBy === 'merchant'),
  )
  expect(channelWithdrawals).toMatchObject([{ claimedBy: 'merchant', count: 1 }])
  const { data } = await remit.x402.channels.list({ withdrawing: true })
  expect(data.map((channel) => [channel.channelId, channel.claimedBy])).toEqual([
    [channelId, 'merchant'],
  ])
  expect(await claimedOnChain(stack, channelId)).toBe(0n)
  // The server comes back, and sees that it has to ask the chain.
  const [record] = (await storage().list()).filter((one) => one.channelId === channelId)
  expect(record?.withdrawRequestedAt).toBeGreaterThan(0)
  expect(record?.onchainSyncedAt).toBeUndefined()
  const shop = openChannelShop({
    ...{ facilitator: served.url, payTo: stack.merchant.forwarder, chain: stack.chain },
    ...{ price: PRICE, storage: storage(), authorizer: ours },
  })
  await shop.manager.claimAndSettle()
  shop.close()
  expect(await claimedOnChain(stack, channelId)).toBe(PRICE)
}, 120_000)

/** Agrees to every signature where gas has no price, as in trials, and burns all its gas in transactions: GASPRICE. */
const BURNING = burnsUnlessZero('3a')

test('a server’s contract that agrees in trials alone has one claim tried', async () => {
  const theirs = privateKeyToAccount(generatePrivateKey())
  const { key, channelId, config } = await customer(1, theirs)
  await placeCode(stack.chain, lowerCaseAddress(theirs.address), BURNING)
  await beginWithdrawal(stack, key, config, DEPOSIT)
  const claims = () => stack.database<{ status: string; tries: number }[]>`
    select a.status, (select count(*)::integer from relayer_tx t where t.kind = 'x402_channel') as tries
    from x402_channel c join x402_channel_action a on a.id = c.auto_claim_id
    where c.channel_id = ${channelId}`
  const [failed] = await eventually(claims, ([claim]) => claim?.status === 'failed', 100_000)
  await stack.database`
    update x402_channel set auto_claimed_at = null where channel_id = ${channelId}`
  await eventually(
    () => stack.database`
      select from x402_channel where channel_id = ${channelId} and auto_claimed_at is not null`,
    ({ length }) => length === 1,
    100_000,
  )
  expect((await claims()).map((claim) => ({ ...claim }))).toEqual([
    { status: 'failed', tries: failed?.tries ?? 0 },
  ])
}, 240_000)

test('a payout that its token refuses is tried again, and made when it is not', async () => {
  const { key, channelId, config } = await customer(2)
  await issuerDoes(stack, tokenCall('pause', []))
  await beginWithdrawal(stack, key, config, DEPOSIT)
  const claim = async () => {
    const [row] = await stack.database<{ isLeft: boolean; isFollowed: boolean }[]>`
      select follow_after > now() + interval '9 minutes' as is_left,
        followed_at is not null as is_followed
      from x402_channel_action where is_automatic and channels->0->>'channelId' = ${channelId}`
    return { ...row }
  }
  const left = await eventually(
    claim,
    ({ isLeft, isFollowed }) => isLeft === true || isFollowed === true,
    30_000,
  )
  expect(left).toEqual({ isLeft: true, isFollowed: false })
  await issuerDoes(stack, tokenCall('unpause', []))
  await Bun.sleep(2_000)
  expect(await claim()).toEqual(left)
  await stack.database`
    update x402_channel_action set follow_after = now() where follow_after is not null`
  await eventually(
    () => stack.database<{ amount: bigint }[]>`
      select amount from x402_payment where from_channels and confirmed_at is not null`,
    (payments) => payments.some(({ amount }) => amount === 2n * PRICE),
    30_000,
  )
}, 120_000)

test('what is charged is claimed and paid out before the payer takes the rest, and the merchant is told', async () => {
  const { key, payer, channelId, config } = await customer(4)
  await beginWithdrawal(stack, key, config, DEPOSIT)
  await eventually(
    () => claimedOnChain(stack, channelId),
    (claimed) => claimed === 4n * PRICE,
    30_000,
  )
  const [told] = await eventually(
    () => stack.database<{ data: Record<string, unknown> }[]>`
      select data from outbox
      where type = 'x402.channel.withdrawing' and data->>'channelId' = ${channelId}`,
    (rows) => rows.length === 1,
  )
  expect(told?.data).toMatchObject({ channelId, unclaimed: '0.004', claimedBy: 'service' })
  await eventually(
    () => stack.database<{ amount: bigint }[]>`
      select amount from x402_payment where from_channels and confirmed_at is not null`,
    (payments) => payments.some(({ amount }) => amount === 4n * PRICE),
    30_000,
  )
  await endWithdrawal(stack, key, config)
  expect(await stack.chain.balance(payer.address)).toBe(DEPOSIT - 4n * PRICE)
  const claims = await stack.database`
    select status, is_automatic from x402_channel_action
    where kind = 'claim' and channels->0->>'channelId' = ${channelId}`
  expect(claims.map((one) => ({ ...one }))).toEqual([{ status: 'settled', isAutomatic: true }])
}, 120_000)
