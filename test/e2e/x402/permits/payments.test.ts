import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData, parseAbi, parseEventLogs } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { HUB_ABI } from '../../../../chain/hub/abi.ts'
import { type Address, lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { chainsOf, findNetwork } from '../../../../core/chain/registry.ts'
import { transact } from '../../../support/relayer/transactions.ts'
import { keyWallet } from '../../../support/servers/bytecode.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { replaceFrom } from '../../../support/x402/chain.ts'
import { approvePermit2, MAXIMUM } from '../../../support/x402/permitShops.ts'
import { type PermitTerms, type SignedPermit, signPermit } from '../../../support/x402/permits.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { placeCode } from '../../../support/x402/walletCode.ts'

/** Payments by Permit2 of payers, and on chains, that are not as usual. */

const FUNDS = 100_000n
let stack: X402Stack
let nonce = 0n

beforeAll(async () => {
  stack = await startX402Stack()
}, 120_000)

afterAll(() => stack?.close(), 60_000)

describe('a payer with code', () => {
  for (const scheme of ['exact', 'upto'] as const) {
    test(`pays by ${scheme} with the signature that its wallet accepts, and with no other`, async () => {
      const [owner, other] = [newAccount(), newAccount()]
      const wallet = await newPayer()
      await placeCode(stack.chain, addressOf(wallet), keyWallet(addressOf(owner)))
      const signedBy = ({ signTypedData }: PrivateKeyAccount) =>
        sign({ ...wallet, signTypedData }, { scheme })
      const forged = (await signedBy(other)).body(MAXIMUM)
      const reason = 'invalid_permit2_signature'
      expect(await stack.verify(forged)).toMatchObject({ isValid: false, invalidReason: reason })
      expect(await stack.settle(forged)).toMatchObject({ success: false, error: reason })
      const good = await signedBy(owner)
      expect(await stack.verify(good.body(MAXIMUM))).toMatchObject({ isValid: true })
      expect(await stack.settle(good.body(MAXIMUM))).toMatchObject({ success: true })
      expect(await stack.chain.balance(addressOf(wallet))).toBe(FUNDS - MAXIMUM)
    }, 60_000)
  }
})

test('a token whose calls return nothing is paid by exact', async () => {
  const usdt = usdtOf(stack)
  const payer = newAccount()
  const abi = parseAbi(['function mint(address to, uint256 amount)'])
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [payer.address, FUNDS] })
  await transact(stack.chain, stack.chain.ownerKey, usdt, data)
  await approvePermit2(stack.chain, payer, usdt)
  const signed = await sign(payer, { scheme: 'exact' }, usdt)
  expect(await stack.verify(signed.body(MAXIMUM))).toMatchObject({ isValid: true })
  expect(await stack.settle(signed.body(MAXIMUM))).toMatchObject({ success: true })
  const balance = await stack.chain.client.readContract({
    address: usdt,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [payer.address],
  })
  expect(balance).toBe(FUNDS - MAXIMUM)
}, 60_000)

test('verify holds the maximum until settle says how much of it is due', async () => {
  const payer = await newPayer(MAXIMUM + 5_000n)
  const [first, second] = [await sign(payer), await sign(payer)]
  const verify = ({ body }: SignedPermit) => stack.verify(body(MAXIMUM))
  expect(await verify(first)).toMatchObject({ isValid: true })
  expect(await verify(second)).toMatchObject({ invalidReason: 'permit2_insufficient_balance' })
  expect(await verify(first)).toMatchObject({ isValid: true })
  expect(await settle(first, 5_000n)).toMatchObject({ success: true, amount: '5000' })
  expect(await verify(second)).toMatchObject({ isValid: true })
}, 60_000)

describe('what Permit2 may take is promised once, however much more the payer has', () => {
  const settleAll = async (all: readonly SignedPermit[]) => {
    const answers = await Promise.all(all.map((one) => settle(one, MAXIMUM)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    const rows = await stack.database`
      select from x402_payment where payer = ${all[0]?.payer ?? ''}`
    expect(rows).toHaveLength(1)
  }

  test('by what was approved', async () => {
    const payer = await stack.newPayer(FUNDS)
    await approvePermit2(stack.chain, payer, stack.chain.usdc.address, MAXIMUM)
    await settleAll(await Promise.all([1, 2, 3, 4].map(() => sign(payer))))
  }, 60_000)

  test('by approvals that go along and have one nonce', async () => {
    const payer = await stack.newPayer(FUNDS)
    const all = await Promise.all([1, 2, 3, 4].map(() => sign(payer, { sponsoredNonce: 0n })))
    const verdicts = await Promise.all(all.map(({ body }) => stack.verify(body(MAXIMUM))))
    expect(verdicts.filter(({ isValid }) => isValid)).toHaveLength(1)
    await settleAll(all)
    const next = await sign(payer, { sponsoredNonce: 1n })
    expect(await settle(next, MAXIMUM)).toMatchObject({ success: true })
  }, 60_000)
})

test('a payer on the list of a token that names it in its own way is refused', async () => {
  const usdt = usdtOf(stack)
  const payer = newAccount()
  const abi = parseAbi([
    'function mint(address to, uint256 amount)',
    'function addBlackList(address user)',
    'function owner() view returns (address)',
  ])
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [payer.address, FUNDS] })
  await transact(stack.chain, stack.chain.ownerKey, usdt, mint)
  await approvePermit2(stack.chain, payer, usdt)
  const { client, node } = stack.chain
  const from = await client.readContract({ address: usdt, abi, functionName: 'owner' })
  const data = encodeFunctionData({ abi, functionName: 'addBlackList', args: [payer.address] })
  await node.rpc('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  await node.rpc('anvil_impersonateAccount', [from])
  await node.rpc('eth_sendTransaction', [{ from, to: usdt, data }])
  await eventually(
    () =>
      client.readContract({
        address: usdt,
        abi: LISTED,
        functionName: 'isBlackListed',
        args: [payer.address],
      }),
    (isListed) => isListed,
  )
  const signed = await sign(payer, { scheme: 'exact' }, usdt)
  const reason = 'payer_blacklisted'
  expect(await stack.verify(signed.body(MAXIMUM))).toMatchObject({ invalidReason: reason })
  expect(await stack.settle(signed.body(MAXIMUM))).toMatchObject({ error: reason })
}, 60_000)

test('a payment whose block is replaced is settled again, once', async () => {
  const { chain, database } = stack
  const payer = await newPayer()
  const signed = await sign(payer)
  expect(await settle(signed, 7n)).toMatchObject({ success: true })
  const [row] = await database<{ block: bigint }[]>`
    select block_number as block from x402_payment where payer = ${signed.payer}`
  if (row === undefined) throw new Error('the payment is not stored')
  await replaceFrom(chain, row.block)
  await eventually(
    () => eventsOf(signed),
    (amounts) => amounts.length > 0,
    30_000,
  )
  await eventually(
    () => database`
      select from x402_payment
      where payer = ${signed.payer} and status = 'settled' and confirmed_at is not null`,
    (confirmed) => confirmed.length === 1,
    30_000,
  )
  expect(await eventsOf(signed)).toEqual([7n])
  expect(await chain.balance(signed.payer)).toBe(FUNDS - 7n)
}, 90_000)

test('what is settled below the maximum belongs to the endpoint of its URL that asks for the maximum', async () => {
  const url = 'https://shop.example/tokens'
  const endpointId = await register(url)
  await register(url, '0.001')
  const signed = await sign(await newPayer(), { resource: url })
  expect(await settle(signed, 1_000n)).toMatchObject({ success: true, amount: '1000' })
  const rows = await stack.database<{ endpointId: string }[]>`
    select endpoint_id from x402_payment where payer = ${signed.payer}`
  expect(rows.map((row) => row.endpointId)).toEqual([endpointId])
}, 60_000)

const LISTED = parseAbi(['function isBlackListed(address) view returns (bool)'])

function usdtOf({ chain }: X402Stack): Address {
  const known = findNetwork(chainsOf('sandbox'), chain.networkId)
  const usdt = known?.tokens.find(({ symbol }) => symbol === 'USDT')?.address
  if (usdt === undefined) throw new Error('the chain has no USDT')
  return usdt
}

/** As the merchant's server asks, who alone may say that less is due. */
const settle = ({ body }: SignedPermit, amount: bigint) =>
  stack.settle(body(amount), { headers: { 'X-Service-Key': stack.merchant.secretKey } })

const newAccount = () => privateKeyToAccount(generatePrivateKey())

const addressOf = ({ address }: PrivateKeyAccount): Address => lowerCaseAddress(address)

async function newPayer(balance = FUNDS): Promise<PrivateKeyAccount> {
  const payer = await stack.newPayer(balance)
  await approvePermit2(stack.chain, payer)
  return payer
}

async function sign(
  payer: PrivateKeyAccount,
  change: Partial<PermitTerms> = {},
  token: Address = stack.chain.usdc.address,
): Promise<SignedPermit> {
  const { hub, node, client } = stack.chain
  const { timestamp } = await client.getBlock()
  nonce += 1n
  return signPermit({ hub, node, usdc: { address: token } }, payer, {
    scheme: 'upto',
    payTo: stack.merchant.forwarder,
    maximum: MAXIMUM,
    nonce,
    deadline: timestamp + 3_600n,
    ...change,
  })
}

/** The amounts of the hub's events about a payment, on the chain as it is. */
async function eventsOf({ payer, nonce }: SignedPermit): Promise<bigint[]> {
  const { client, hub } = stack.chain
  const logs = await client.getLogs({ address: hub, fromBlock: 0n, toBlock: 'latest' })
  return parseEventLogs({ abi: HUB_ABI, logs, eventName: 'PermitSettled' })
    .filter(({ args }) => args.from.toLowerCase() === payer && args.nonce === nonce)
    .map(({ args }) => args.amount)
}

async function register(endpointUrl: string, amountUsd = '0.02'): Promise<string> {
  const answer = await stack.fetch('/v1/x402/endpoints', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-key': stack.merchant.secretKey },
    body: JSON.stringify({ endpointUrl, asset: 'USDC', network: 'base-sepolia', amountUsd }),
  })
  expect(answer.status).toBe(201)
  return (await answer.json()).data.id
}
