import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encodeFunctionData, type Log, parseAbi } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { logsWithTopics } from '../../../chain/transactions/logs.ts'
import {
  paidAuthorizations,
  refusedAuthorizations,
  useIn,
  useTopics,
} from '../../../chain/x402/authorizationUse.ts'
import { encodeAuthorization, encodeSettle } from '../../../chain/x402/settlement.ts'
import { asMerchantId } from '../../../core/base/ids.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { forwarderAddress } from '../../../core/hub/deposit.ts'
import { parseSignature } from '../../../core/x402/signature.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { transact } from '../../support/relayer/transactions.ts'
import { caller } from '../../support/servers/bytecode.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { flooder } from '../../support/servers/hostileCode.ts'
import {
  authorize,
  authorizePaid,
  randomAddress,
  randomHex,
  type SignedAuthorization,
  signCancellation,
} from '../../support/x402/authorizations.ts'

const TOKEN = parseAbi([
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])

const merchantId = asMerchantId(Bun.randomUUIDv7())
let chain: HubChain
let relayer: Hex
let forwarder: Address
let token: Address

beforeAll(async () => {
  chain = await startHubChain()
  const [key] = chain.relayerKeys
  if (key === undefined) throw new Error('the chain has relayers')
  relayer = key
  token = chain.usdc.address
  forwarder = forwarderAddress(chain.hub, merchantId)
})

afterAll(() => chain.node.stop())

test('an authorization that another party carried is found with its transfer', async () => {
  const payment = await paid()
  const receipt = await transact(chain, relayer, token, encodeAuthorization(payment))
  expect(await use(payment)).toEqual({
    type: 'paid',
    to: forwarder,
    value: payment.authorization.value,
    logIndex: 1,
    txHash: receipt.transactionHash,
    block: receipt.blockNumber,
    blockHash: receipt.blockHash,
  })
})

test('one that its payer carries beside 10.6 MB of logs is found all the same', async () => {
  const payment = await paid()
  const [flood, carrier] = [randomAddress(), randomAddress()]
  const calls = [
    { to: token, data: encodeAuthorization(payment) },
    { to: flood, data: '0x' },
  ] as const
  await chain.node.rpc('anvil_setCode', [flood, flooder(token, 29_500)])
  await chain.node.rpc('anvil_setCode', [carrier, caller(calls)])
  const [from]: unknown[] = Object(await chain.node.rpc('eth_accounts', []))
  await chain.node.rpc('eth_sendTransaction', [{ from, to: carrier, gas: '0x1000000' }])
  await chain.mine()
  expect(await use(payment)).toMatchObject({ type: 'paid', to: forwarder })
})

test('a use is found in the blocks that were asked for, and not in others', async () => {
  const payment = await paid()
  expect(await use(payment)).toBeNull()
  const { blockNumber } = await transact(chain, relayer, token, encodeAuthorization(payment))
  await chain.mine(3)
  const asked = { payer: payment.authorization.from, nonce: payment.authorization.nonce }
  const find = (from: bigint, to: bigint) => findUse(token, asked, from, to)
  expect((await find(blockNumber, blockNumber))?.block).toBe(blockNumber)
  expect(await find(blockNumber + 1n, blockNumber + 3n)).toBeNull()
  expect(await find(0n, blockNumber - 1n)).toBeNull()
})

test('a cancelled authorization', async () => {
  const payment = await paid()
  const { from, nonce } = payment.authorization
  const data = encodeFunctionData({
    abi: TOKEN,
    functionName: 'cancelAuthorization',
    args: [from, nonce, await signCancellation(chain, payment)],
  })
  const receipt = await transact(chain, relayer, token, data)
  expect(await use(payment)).toEqual({
    type: 'cancelled',
    txHash: receipt.transactionHash,
    block: receipt.blockNumber,
    blockHash: receipt.blockHash,
  })
})

test('a batch tells of each payment and of each refusal', async () => {
  const [first, poor, second] = [
    await paid(),
    await authorize(chain, { to: forwarder }),
    await paid(7_000_000n),
  ]
  const receipt = await settle([first, poor, second])
  expect(paidAuthorizations(token, receipt.logs)).toEqual([
    { ...nameOf(first), to: forwarder, value: 1_000_000n, logIndex: 1 },
    { ...nameOf(second), to: forwarder, value: 7_000_000n, logIndex: 4 },
  ])
  expect(refusedAuthorizations(chain.hub, receipt.logs)).toEqual([
    { ...nameOf(poor), error: 'ERC20: transfer amount exceeds balance', hasCode: false },
  ])
  expect((await use(second))?.type).toBe('paid')
  expect(await use(poor)).toBeNull()
})

test('an authorization used up by paying oneself does not take the credit of another', async () => {
  const key = generatePrivateKey()
  await chain.mint([{ to: addressOf(key), amount: 2_000_000n }])
  const toItself = await authorize(chain, { key, to: addressOf(key) })
  const real = await authorize(chain, { key, to: forwarder })
  const receipt = await transact(chain, relayer, token, encodeAuthorization(toItself))
  await settle([real])
  expect(await use(toItself)).toMatchObject({ type: 'paid', to: addressOf(key) })
  expect(paidAuthorizations(token, receipt.logs)).toMatchObject([{ to: addressOf(key) }])
  expect(await use(real)).toMatchObject({ type: 'paid', to: forwarder })
})

test('the order in which a node lists logs, and logs of others, change nothing', async () => {
  const payments = [await paid(), await paid(), await paid()]
  const { logs } = await settle(payments)
  const expected = paidAuthorizations(token, logs)
  expect(expected.map(({ payer }) => payer)).toEqual(
    payments.map(({ authorization }) => authorization.from),
  )
  expect(paidAuthorizations(token, logs.toReversed())).toEqual(expected)
  expect(paidAuthorizations(chain.hub, logs)).toEqual([])
  expect(refusedAuthorizations(token, logs)).toEqual([])
  expect(paidAuthorizations(token, [])).toEqual([])
})

test('only the very next log of the same token, by the same payer, is the payment', async () => {
  const { logs } = await settle([await paid()])
  const used = logs.find((log) => log.topics.length === 3 && log.data === '0x')
  const transfer = logs.find((log) => log.data !== '0x')
  if (!used || !transfer) throw new Error('the token has logged both')
  const isPaid = (second: Log) => paidAuthorizations(token, [used, second]).length === 1
  const other = `0x${'00'.repeat(12)}${randomAddress().slice(2)}` as const
  const [event, , to] = transfer.topics
  if (event === undefined || to === undefined) throw new Error('a Transfer has three topics')
  expect(isPaid(transfer)).toBe(true)
  expect(isPaid({ ...transfer, logIndex: transfer.logIndex + 1 })).toBe(false)
  expect(isPaid({ ...transfer, logIndex: used.logIndex - 1 })).toBe(false)
  expect(isPaid({ ...transfer, address: chain.hub })).toBe(false)
  expect(isPaid({ ...transfer, topics: [event, other, to] })).toBe(false)
  expect(isPaid({ ...transfer, topics: used.topics })).toBe(false)
})

test('a token that does not tell where the money went has only used it up', async () => {
  // Emits AuthorizationUsed with the calldata's two words as topics, and nothing after it.
  const event = '98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
  const silent = randomAddress()
  await chain.node.rpc('anvil_setCode', [silent, `0x6020355f357f${event}5f5fa300`])
  const [payer, nonce] = [randomAddress(), randomHex(32)]
  const receipt = await transact(
    chain,
    relayer,
    silent,
    `0x${payer.slice(2).padStart(64, '0')}${nonce.slice(2)}`,
  )
  const found = await findUse(silent, { payer, nonce }, 0n, receipt.blockNumber)
  expect(found).toMatchObject({ type: 'used', txHash: receipt.transactionHash })
})

test('a use that was reorganised away is not known any more', async () => {
  const payment = await paid()
  const snapshot = await chain.node.rpc('evm_snapshot')
  await transact(chain, relayer, token, encodeAuthorization(payment))
  expect((await use(payment))?.type).toBe('paid')
  await chain.node.rpc('evm_revert', [snapshot])
  await chain.mine(2)
  expect(await use(payment)).toBeNull()
})

function paid(value = 1_000_000n): Promise<SignedAuthorization> {
  return authorizePaid(chain, { to: forwarder, value })
}

function settle(payments: readonly SignedAuthorization[]) {
  const items = payments.map(({ authorization, signature }) => {
    const parts = parseSignature(signature)
    if (parts === null) throw new Error('viem signs with a low s')
    return { authorization, signature: parts }
  })
  return transact(chain, relayer, chain.hub, encodeSettle(token, items, [], USUAL_GAS))
}

async function use({ authorization: { from, nonce } }: SignedAuthorization) {
  const head = await chain.client.getBlockNumber()
  return findUse(token, { payer: from, nonce }, 0n, head)
}

async function findUse(
  of: Address,
  authorization: { readonly payer: Address; readonly nonce: Hex },
  from: bigint,
  to: bigint,
) {
  const topics = useTopics(authorization.payer, authorization.nonce)
  const [log] = await logsWithTopics(chain.client, of, topics, from, to)
  return log === undefined ? null : useIn(chain.client, of, authorization, log)
}

function nameOf({ authorization: { from, nonce } }: SignedAuthorization) {
  return { payer: from, nonce }
}
