import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  createPublicClient,
  custom,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type PublicClient,
  parseAbi,
} from 'viem'
import { type FactsQuery, readFacts } from '../../../chain/x402/authorizationFacts.ts'
import { encodeAuthorization } from '../../../chain/x402/settlement.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import type { Facts } from '../../../core/x402/facts.ts'
import { transact } from '../../support/relayer/transactions.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import {
  authorize,
  authorizeEach,
  authorizePaid,
  factsQuery,
  randomAddress,
  randomHex,
  type SignedAuthorization,
  signCancellation,
} from '../../support/x402/authorizations.ts'
import { AGREEING_WALLET, BURNING_WALLET, placeCode } from '../../support/x402/walletCode.ts'

const TOKEN = parseAbi([
  'function blacklist(address account)',
  'function pause()',
  'function unpause()',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])

const forwarder = randomAddress()
let chain: HubChain
let relayer: Hex

beforeAll(async () => {
  chain = await startHubChain()
  const [key] = chain.relayerKeys
  if (key === undefined) throw new Error('the chain has relayers')
  relayer = key
})

afterAll(() => chain.node.stop())

test('a good authorization of a payer with money', async () => {
  const head = await chain.client.getBlock()
  const payment = await authorizePaid(chain, { to: forwarder, value: 2_000_000n }, 3_000_000n)
  const facts = await factsOf(payment)
  expect(facts).toEqual({
    blockNumber: head.number + 1n,
    blockTime: facts.blockTime,
    balance: 3_000_000n,
    isUsed: false,
    payerCodeHash: null,
    tokenHasCode: true,
    isPayerBlacklisted: false,
    isPayeeBlacklisted: false,
    isPaused: false,
    trial: { ok: true, gas: expect.any(BigInt) },
  })
  expect(facts.blockTime).toBeGreaterThanOrEqual(head.timestamp)
  if (facts.trial.ok) {
    expect(facts.trial.gas).toBeGreaterThan(30_000n)
    expect(facts.trial.gas).toBeLessThan(100_000n)
  }
})

test('each authorization is tried as if it were the only one', async () => {
  const first = await authorizePaid(chain, { to: forwarder }, 1_000_000n)
  const second = await authorize(chain, { key: first.key, to: forwarder })
  const facts = await readFacts(chain.client, [first, first, second].map(query))
  expect(facts.map(({ trial }) => trial.ok)).toEqual([true, true, true])
  expect(facts.map(({ balance }) => balance)).toEqual([1_000_000n, 1_000_000n, 1_000_000n])
})

test('too little money, a false signature and the wrong time, in the words of the token', async () => {
  const { timestamp } = await chain.client.getBlock()
  const poor = await authorize(chain, { to: forwarder })
  const tampered = await authorizePaid(chain, { to: forwarder })
  const early = await authorizePaid(chain, { to: forwarder, validAfter: timestamp + 3_600n })
  const expired = await authorizePaid(chain, { to: forwarder, validBefore: timestamp })
  const facts = await readFacts(chain.client, [
    query(poor),
    { ...query(tampered), authorization: { ...tampered.authorization, value: 999_999n } },
    query(early),
    query(expired),
    { ...query(tampered), signature: '0x1234' },
    { ...query(tampered), signature: `0x${'00'.repeat(65)}` },
  ])
  expect(facts.map(reason)).toEqual([
    'ERC20: transfer amount exceeds balance',
    'FiatTokenV2: invalid signature',
    'FiatTokenV2: authorization is not yet valid',
    'FiatTokenV2: authorization is expired',
    'ECRecover: invalid signature length',
    "ECRecover: invalid signature 'v' value",
  ])
})

test('an authorization that was used, and one that was cancelled', async () => {
  const used = await authorizePaid(chain, { to: forwarder })
  const cancelled = await authorizePaid(chain, { to: forwarder })
  await transact(chain, relayer, chain.usdc.address, encodeAuthorization(used))
  const { from, nonce } = cancelled.authorization
  const cancellation = await signCancellation(chain, cancelled)
  await send(relayer, {
    abi: TOKEN,
    functionName: 'cancelAuthorization',
    args: [from, nonce, cancellation],
  })
  const facts = await readFacts(chain.client, [used, cancelled].map(query))
  expect(facts.map(({ isUsed }) => isUsed)).toEqual([true, true])
  expect(facts.map(reason)).toEqual([
    'FiatTokenV2: authorization is used or canceled',
    'FiatTokenV2: authorization is used or canceled',
  ])
  expect(facts.map(({ balance }) => balance)).toEqual([0n, 1_000_000n])
})

test('the blacklist and the pause of the token', async () => {
  const payer = await authorizePaid(chain, { to: forwarder })
  const listed = randomAddress()
  const payee = await authorizePaid(chain, { to: listed })
  await send(chain.ownerKey, blacklisting(payer.authorization.from))
  await send(chain.ownerKey, blacklisting(listed))
  const [first, second] = await readFacts(chain.client, [payer, payee].map(query))
  expect([first?.isPayerBlacklisted, first?.isPayeeBlacklisted]).toEqual([true, false])
  expect([second?.isPayerBlacklisted, second?.isPayeeBlacklisted]).toEqual([false, true])
  expect([first, second].map((facts) => facts && reason(facts))).toEqual([
    'Blacklistable: account is blacklisted',
    'Blacklistable: account is blacklisted',
  ])
  await send(chain.ownerKey, { abi: TOKEN, functionName: 'pause' })
  const facts = await factsOf(payee)
  expect(facts.isPaused).toBe(true)
  expect(reason(facts)).toBe('Pausable: paused')
  await send(chain.ownerKey, { abi: TOKEN, functionName: 'unpause' })
})

test('what a token does not have is not known, and never a fault', async () => {
  const payment = await authorizePaid(chain, { to: forwarder })
  const [agreeing, burning, empty] = [randomAddress(), randomAddress(), randomAddress()]
  await placeCode(chain, agreeing, AGREEING_WALLET)
  await placeCode(chain, burning, BURNING_WALLET)
  const tokens = [agreeing, burning, empty, chain.usdc.address]
  const facts = await readFacts(
    chain.client,
    tokens.map((token) => ({ ...query(payment), token })),
  )
  const flags = facts.map((f) => [f.isPayerBlacklisted, f.isPayeeBlacklisted, f.isPaused])
  const [none, unknown] = [
    [false, false, false],
    [null, null, null],
  ]
  expect(flags).toEqual([none, unknown, unknown, none])
  expect(facts.map(({ isUsed }) => isUsed)).toEqual([false, false, false, false])
  expect(facts.map(({ tokenHasCode }) => tokenHasCode)).toEqual([true, true, false, true])
  expect(facts.map(({ trial }) => trial.ok)).toEqual([true, false, false, true])
  expect(facts.slice(1, 3).map(reason)).toEqual([
    'the call failed without a reason',
    "there is no contract at the token's address",
  ])
})

test('many authorizations are answered in order, including invalid ones', async () => {
  const payments = await authorizeEach(chain, forwarder, 150)
  const burner = payments[70]?.authorization.from ?? ZERO_ADDRESS
  await placeCode(chain, burner, BURNING_WALLET)
  const queries = payments.map(query)
  const huge = queries[20]
  if (!huge) throw new Error('there are 150')
  queries[20] = { ...huge, signature: randomHex(60_000) }
  queries[30] = { ...huge, signature: randomHex(30_000) }
  queries[31] = { ...huge, signature: randomHex(30_000) }
  const facts = await readFacts(chain.client, queries)
  const failed = facts.flatMap(({ trial }, i) => (trial.ok === false ? [[i, trial.error]] : []))
  expect(failed).toEqual([
    [20, 'the signature is too long to be tried'],
    [30, 'ECRecover: invalid signature length'],
    [31, 'ECRecover: invalid signature length'],
    [70, 'FiatTokenV2: invalid signature'],
  ])
  const others = facts.map(({ balance }) => balance).filter((_, i) => i !== 30 && i !== 31)
  expect(others).toEqual(
    payments.map(({ authorization }) => authorization.value).filter((_, i) => i !== 30 && i !== 31),
  )
  expect(await readFacts(chain.client, [])).toEqual([])
})

test('a node with little gas is asked for one at a time, and one with less is at fault', async () => {
  const payments = await authorizeEach(chain, forwarder, 12)
  const facts = await readFacts(withGas(1_000_000), payments.map(query))
  expect(facts.map(({ trial }) => trial.ok)).toEqual(payments.map(() => true))
  const alone = payments.slice(0, 1).map(query)
  await expect(readFacts(withGas(450_000), alone)).rejects.toThrow('too little gas')
  await expect(readFacts(withGas(100_000), alone)).rejects.toThrow()
})

function query(payment: SignedAuthorization): FactsQuery {
  return factsQuery(chain, payment)
}

async function factsOf(payment: SignedAuthorization): Promise<Facts> {
  const [facts] = await readFacts(chain.client, [query(payment)])
  if (!facts) throw new Error('an answer for each query')
  return facts
}

function blacklisting(account: Address) {
  return { abi: TOKEN, functionName: 'blacklist', args: [account] } as const
}

/** Calls the token in a transaction of this key. */
async function send(key: Hex, call: EncodeFunctionDataParameters<typeof TOKEN>): Promise<void> {
  const receipt = await transact(chain, key, chain.usdc.address, encodeFunctionData(call))
  expect(receipt.status).toBe('success')
}

function reason({ trial }: Facts): string {
  return trial.ok === false ? trial.error : 'it was paid'
}

/** The same chain behind a node that gives calls less gas. */
function withGas(gas: number): PublicClient {
  const request = ({ method, params }: { method: string; params: readonly unknown[] }) => {
    const [call, block] = params
    const limited = { ...(typeof call === 'object' ? call : {}), gas: `0x${gas.toString(16)}` }
    return chain.node.rpc(method, [limited, block])
  }
  return createPublicClient({
    transport: custom({ request }, { retryCount: 0 }),
  })
}
