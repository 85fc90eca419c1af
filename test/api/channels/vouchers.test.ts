import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Remit, RemitError } from '@remit/sdk'
import { remitChannelStorage, signClaim } from '@remit/sdk/x402'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { serveStack } from '../../support/x402/channels/served.ts'
import { channelPayer, NETWORK, openChannelShop } from '../../support/x402/channels/shop.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** PUT and GET /v1/x402/channels/:id/voucher: what is kept, what is refused, and for whom. */

let stack: X402Stack
let served: ReturnType<typeof serveStack>
let remit: Remit
let payer: PrivateKeyAccount
const authorizer = privateKeyToAccount(generatePrivateKey())
let channelId: string

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 100 } })
  served = serveStack(stack)
  const { forwarder: payTo, secretKey } = stack.merchant
  remit = new Remit({ apiUrl: served.api, key: secretKey })
  payer = await stack.newPayer()
  const storage = remitChannelStorage({ remit, network: NETWORK, payTo, signer: authorizer })
  const { chain } = stack
  const shop = openChannelShop({
    ...{
      facilitator: served.url,
      payTo,
      price: 70n,
      minDeposit: 1_000n,
      chain,
      storage,
      authorizer,
    },
  })
  expect((await channelPayer(payer, chain.client).pay(shop.url)).status).toBe(200)
  shop.close()
  const [record] = await storage.list()
  channelId = record?.channelId ?? ''
}, 180_000)

afterAll(async () => {
  await served?.close()
  await stack?.close()
})

const TYPES = {
  Voucher: [
    { name: 'channelId', type: 'bytes32' },
    { name: 'maxClaimableAmount', type: 'uint128' },
  ],
} as const

async function voucherOf(amount: bigint, by = payer) {
  const { channelConfig } = await recordOf()
  const id = hex(channelId)
  const signature = await by.signTypedData({
    domain: {
      name: 'x402 Batch Settlement',
      version: '1',
      chainId: 84532,
      verifyingContract: '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003',
    },
    types: TYPES,
    primaryType: 'Voucher',
    message: { channelId: id, maxClaimableAmount: amount },
  })
  const sent = { network: NETWORK, channelConfig: { ...channelConfig }, signature }
  return { ...sent, maxClaimableAmount: amount.toString() }
}

async function recordOf() {
  const { record } = await remit.x402.channels.voucher(channelId)
  return JSON.parse(record ?? '{}')
}

function hex(text: string): `0x${string}` {
  return `0x${text.slice(2)}`
}

async function codeOf(call: Promise<unknown>): Promise<string | null> {
  return call.then(
    () => 'none',
    (error) => (error instanceof RemitError ? error.code : String(error)),
  )
}

test('the stock server has stored what it was paid, with a claim that Remit can carry out', async () => {
  const channel = await remit.x402.channels.get(channelId)
  expect(channel).toMatchObject({ claimedBy: 'service', unclaimed: '0.00007', withdrawAt: null })
  expect(channel.voucher).toMatchObject({
    maxClaimableAmount: '70',
    chargedCumulativeAmount: '70',
  })
})

test('a lower voucher replaces nothing, the same changes nothing, and a higher one is kept', async () => {
  const { store } = remit.x402.channels
  const higher = await store(channelId, await voucherOf(200n))
  expect(higher).toMatchObject({ maxClaimableAmount: '200', chargedCumulativeAmount: '70' })
  for (const amount of [200n, 100n, 1n]) {
    const lower = { ...(await voucherOf(amount)), chargedCumulativeAmount: '1' }
    expect(await store(channelId, lower)).toEqual(higher)
  }
  expect(await remit.x402.channels.voucher(channelId)).toEqual(higher)
})

test('a claim is kept for what was charged, whatever is promised besides', async () => {
  const voucher = { ...(await voucherOf(300n)), chargedCumulativeAmount: '150' }
  const unsigned = await remit.x402.channels.store(channelId, voucher)
  expect(unsigned.chargedCumulativeAmount).toBe('150')
  expect((await remit.x402.channels.get(channelId)).claimedBy).toBe('merchant')
  const record = { channelId, signedMaxClaimable: '300', chargedCumulativeAmount: '150' }
  const claimAuthorizerSignature = await signClaim(authorizer, NETWORK, record)
  await remit.x402.channels.store(channelId, { ...voucher, claimAuthorizerSignature })
  expect((await remit.x402.channels.get(channelId)).claimedBy).toBe('service')
})

test('what no one has signed, or the channel does not hold, is refused and changes nothing', async () => {
  const before = await remit.x402.channels.voucher(channelId)
  const stranger = privateKeyToAccount(generatePrivateKey())
  const good = await voucherOf(400n)
  const claim = { channelId, signedMaxClaimable: '400', chargedCumulativeAmount: '400' }
  const salt = `0x${'11'.repeat(32)}`
  const refused = [
    await voucherOf(400n, stranger),
    { ...good, maxClaimableAmount: '401' },
    { ...good, chargedCumulativeAmount: '401' },
    await voucherOf(1_001n),
    { ...good, channelConfig: { ...good.channelConfig, salt } },
    { ...good, record: 'x'.repeat(8_193) },
    {
      ...good,
      chargedCumulativeAmount: '400',
      claimAuthorizerSignature: await signClaim(stranger, NETWORK, claim),
    },
  ]
  for (const voucher of refused) {
    const { store } = remit.x402.channels
    expect(await codeOf(store(channelId, voucher))).toBe('invalid_request_body')
  }
  expect(await remit.x402.channels.voucher(channelId)).toEqual(before)
})

test('a record is replaced only by a caller that has read it, and repeating that is no conflict', async () => {
  const { store, voucher } = remit.x402.channels
  const { channelConfig, network } = await voucherOf(1n)
  const { version, record } = await voucher(channelId)
  const mine = {
    network,
    channelConfig,
    version,
    record: JSON.stringify({ ...(await recordOf()), lastRequestTimestamp: 1 }),
  }
  const stored = await store(channelId, mine)
  expect(await store(channelId, mine)).toEqual(stored)
  expect(await codeOf(store(channelId, { ...mine, record }))).toBe('voucher_conflict')
  const gone = await store(channelId, { network, channelConfig, record: null })
  expect(gone).toMatchObject({ record: null, maxClaimableAmount: '300' })
  await store(channelId, { network, channelConfig, record })
})

test('others see none of it, and store nothing for a receiver that is not theirs', async () => {
  const other = await stack.newMerchant()
  const theirs = new Remit({ apiUrl: served.api, key: other.secretKey }).x402.channels
  expect(await codeOf(theirs.get(channelId))).toBe('channel_not_found')
  expect(await codeOf(theirs.voucher(channelId))).toBe('channel_not_found')
  expect(await codeOf(theirs.store(channelId, await voucherOf(100n)))).toBe('channel_not_found')
  expect((await theirs.list()).data).toEqual([])
  expect((await remit.x402.channels.list({ withdrawing: false })).data).toHaveLength(1)
  expect((await remit.x402.channels.list({ withdrawing: true })).data).toEqual([])
})

test('an id that is none, and one that no one knows, have no channel', async () => {
  for (const id of ['0x12', `0x${'22'.repeat(32)}`]) {
    expect(await codeOf(remit.x402.channels.get(id))).toBe('channel_not_found')
  }
})
