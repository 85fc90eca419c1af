import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  concatHex,
  createPublicClient,
  custom,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  getContractAddress,
  type PublicClient,
  parseAbi,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from 'viem'
import { type FactsQuery, readFacts } from '../../chain/authorizationFacts.ts'
import { DEPLOYMENT_PROXY } from '../../chain/hubDeployment.ts'
import { encodeAuthorization } from '../../chain/hubSettlement.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/evm.ts'
import type { Facts } from '../../core/x402/facts.ts'
import {
  authorize,
  randomHex,
  type SignedAuthorization,
  signCancellation,
  transact,
} from '../support/authorizations.ts'
import { type HubChain, startHubChain } from '../support/chain.ts'

const TOKEN = parseAbi([
  'function blacklist(address account)',
  'function pause()',
  'function unpause()',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])
/** A wallet that says 0x1626ba7e to everything (ERC-1271). */
const AGREEING_WALLET: Hex = `0x7f1626ba7e${'00'.repeat(28)}5f5260205ff3`
/** A wallet that says zero to everything. */
const REFUSING_WALLET: Hex = '0x60205ff3'
/** A wallet that burns all gas it is given. */
const BURNING_WALLET: Hex = '0xfe'
/** Says 0x1626ba7e if the signature is 64 bytes long: calldata word 2 (at 68) is its length. */
const COMPACT_WALLET: Hex = `0x6044356040147f1626ba7e${'00'.repeat(28)}025f5260205ff3`

const forwarder = randomHex(20)
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
  const payment = await paid({ value: 2_000_000n }, 3_000_000n)
  const facts = await factsOf(payment)
  expect(facts).toEqual({
    blockNumber: head.number + 1n,
    blockTime: facts.blockTime,
    balance: 3_000_000n,
    isUsed: false,
    payerCodeSize: 0,
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
  const first = await paid({}, 1_000_000n)
  const second = await authorize(chain, { key: first.key, to: forwarder })
  const facts = await readFacts(chain.client, [first, first, second].map(query))
  expect(facts.map(({ trial }) => trial.ok)).toEqual([true, true, true])
  expect(facts.map(({ balance }) => balance)).toEqual([1_000_000n, 1_000_000n, 1_000_000n])
})

test('too little money, a false signature and the wrong time, in the words of the token', async () => {
  const { timestamp } = await chain.client.getBlock()
  const poor = await authorize(chain, { to: forwarder })
  const tampered = await paid({})
  const early = await paid({ validAfter: timestamp + 3_600n })
  const expired = await paid({ validBefore: timestamp })
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
  const used = await paid({})
  const cancelled = await paid({})
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
  const payer = await paid({})
  const listed = randomHex(20)
  const payee = await paid({ to: listed })
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
  const payment = await paid({})
  const [agreeing, burning, empty] = [randomHex(20), randomHex(20), randomHex(20)]
  await setCode(agreeing, AGREEING_WALLET)
  await setCode(burning, BURNING_WALLET)
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

test('a payer with code is asked, with the signature as it came and gas up to the cap', async () => {
  const payments = await paidEach(4)
  const codes = [AGREEING_WALLET, REFUSING_WALLET, BURNING_WALLET, COMPACT_WALLET]
  for (const [i, code] of codes.entries()) {
    await setCode(payments[i]?.authorization.from ?? '0x', code)
  }
  const queries = payments.map(query)
  const [agreeing, refusing, burning, compact] = queries
  if (!agreeing || !refusing || !burning || !compact) throw new Error('there are four')
  const facts = await readFacts(chain.client, [
    agreeing,
    { ...agreeing, signature: '0x' },
    { ...agreeing, signature: randomHex(700) },
    refusing,
    burning,
    compact,
    { ...compact, signature: compactForm(compact.signature) },
  ])
  expect(facts.map(({ payerCodeSize }) => payerCodeSize)).toEqual(
    [0, 0, 0, 1, 2, 3, 3].map((i) => ((codes[i]?.length ?? 0) - 2) / 2),
  )
  const outcomes = facts.map((one) => (one.trial.ok ? 'paid' : one.trial.error))
  expect(outcomes).toEqual([
    'paid',
    'paid',
    'paid',
    'FiatTokenV2: invalid signature',
    'FiatTokenV2: invalid signature',
    'FiatTokenV2: invalid signature',
    'paid',
  ])
})

test('a plain payer may sign in 64 bytes, or with v as 0 or 1', async () => {
  const payment = await paid({})
  const { r, s, yParity } = parseSignature(payment.signature)
  const facts = await readFacts(chain.client, [
    { ...query(payment), signature: compactForm(payment.signature) },
    { ...query(payment), signature: concatHex([r, s, yParity === 0 ? '0x00' : '0x01']) },
  ])
  expect(facts.map(({ trial }) => trial.ok)).toEqual([true, true])
})

test('a wallet that does not exist yet is created for its trial, and is gone after it', async () => {
  const salt = randomHex(32)
  const size = (AGREEING_WALLET.length - 2) / 2
  // PUSH1 size, DUP1, PUSH1 9, PUSH0, CODECOPY, PUSH0, RETURN: nine bytes before the code itself.
  const initCode = concatHex([`0x60${size.toString(16)}8060095f395ff3`, AGREEING_WALLET])
  const created = getContractAddress({
    opcode: 'CREATE2',
    from: DEPLOYMENT_PROXY,
    salt,
    bytecode: initCode,
  })
  const from = lowerCaseAddress(created)
  await chain.mint([{ to: from, amount: 1_000_000n }])
  const payment = await authorize(chain, { from, to: forwarder })
  const preparation = { to: DEPLOYMENT_PROXY, data: concatHex([salt, initCode]) }
  const facts = await readFacts(chain.client, [
    { ...query(payment), preparation },
    query(payment),
    { ...query(payment), preparation: { to: randomHex(20), data: '0x' } },
    { ...query(payment), preparation: { to: chain.usdc.address, data: '0xffffffff' } },
  ])
  expect(facts.map(({ trial }) => trial.ok)).toEqual([true, false, false, false])
  expect(facts.map(({ payerCodeSize }) => payerCodeSize)).toEqual([0, 0, 0, 0])
})

test('many authorizations are answered in order, whoever is among them', async () => {
  const payments = await paidEach(150)
  const burner = payments[70]?.authorization.from ?? '0x'
  await setCode(burner, BURNING_WALLET)
  const queries = payments.map(query)
  const huge = queries[20]
  if (!huge) throw new Error('there are 150')
  queries[20] = { ...huge, signature: randomHex(60_000) }
  queries[30] = { ...huge, signature: randomHex(30_000) }
  queries[31] = { ...huge, signature: randomHex(30_000) }
  const facts = await readFacts(chain.client, queries)
  const failed = facts.flatMap(({ trial }, i) => (trial.ok ? [] : [[i, trial.error]]))
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
  const payments = await paidEach(12)
  const facts = await readFacts(withGas(1_000_000), payments.map(query))
  expect(facts.map(({ trial }) => trial.ok)).toEqual(payments.map(() => true))
  const alone = payments.slice(0, 1).map(query)
  await expect(readFacts(withGas(450_000), alone)).rejects.toThrow('too little gas')
  await expect(readFacts(withGas(100_000), alone)).rejects.toThrow()
})

async function paid(
  terms: Partial<Parameters<typeof authorize>[1]>,
  amount?: bigint,
): Promise<SignedAuthorization> {
  const payment = await authorize(chain, { to: forwarder, ...terms })
  const { from, value } = payment.authorization
  await chain.mint([{ to: from, amount: amount ?? value }])
  return payment
}

/** So many payers with a million units, and one more for each before them. */
async function paidEach(count: number): Promise<SignedAuthorization[]> {
  const values = Array.from({ length: count }, (_, i) => 1_000_000n + BigInt(i))
  const payments = await Promise.all(
    values.map((value) => authorize(chain, { to: forwarder, value })),
  )
  await chain.mint(
    payments.map(({ authorization: { from, value } }) => ({ to: from, amount: value })),
  )
  return payments
}

function query({ authorization, signature }: SignedAuthorization): FactsQuery {
  const token = chain.usdc.address
  return { token, authorization, signature, walletGas: 300_000n, preparation: null }
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
  return trial.ok ? 'it was paid' : trial.error
}

function compactForm(signature: Hex): Hex {
  return serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
}

async function setCode(address: Address, code: Hex): Promise<void> {
  await chain.node.rpc('anvil_setCode', [address, code])
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
