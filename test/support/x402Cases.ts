import { expect } from 'bun:test'
import { encodeFunctionData, type Hex, parseAbi, parseEther, parseGwei } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { encodeAuthorization } from '../../chain/hubSettlement.ts'
import { type Address, lowerCaseAddress } from '../../core/evm.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import type { Authorization } from '../../core/x402/terms.ts'
import { addressOf } from '../../dev/keys.ts'
import { transact } from './authorizations.ts'
import type { HubChain } from './chain.ts'
import { eventually } from './devStack.ts'
import {
  requirementsFor,
  type SettleJson,
  signAuthorization,
  v2Body,
  type X402Stack,
} from './x402.ts'

/** Cases of x402, and what each of them came to: on the chain, in the ledger, in transactions of ours. */

/** A payment as a payer's client presents it. */
export interface Presented {
  readonly payer: PrivateKeyAccount
  readonly authorization: Authorization
  readonly requirements: Record<string, unknown>
  readonly signature: Hex
  readonly body: Record<string, unknown>
}

export interface Variation {
  readonly payer?: PrivateKeyAccount
  readonly terms?: Partial<Authorization>
  readonly requirements?: Record<string, unknown>
  /** Another EIP-712 domain than the token's. */
  readonly domain?: Parameters<typeof signAuthorization>[3]
  /** Changes the signature after it was made. */
  readonly resign?: (signature: Hex) => Hex
}

/** A payment of the price to the stack's merchant, in order but for the variation. */
export async function present(stack: X402Stack, variation: Variation = {}): Promise<Presented> {
  const { payer = await stack.newPayer(), terms, domain, resign = (same) => same } = variation
  const authorization = await stack.authorization(lowerCaseAddress(payer.address), terms)
  const signature = resign(await signAuthorization(stack, payer, authorization, domain))
  const requirements = requirementsFor(stack, variation.requirements)
  const body = v2Body(requirements, authorization, signature)
  return { payer, authorization, requirements, signature, body }
}

/** What became of a payment while something was done. */
export interface Effect {
  /** The token's authorizationState. */
  readonly isUsed: boolean
  /** By how much the payer's balance fell, in base units. */
  readonly spent: bigint
  /** What forwarder, treasury and collector received together, in base units. */
  readonly received: bigint
  readonly payment: { readonly status: string; readonly reason: string | null } | null
  /** Transactions of our relayers that carry payments. */
  readonly transactions: number
}

/** No money moves and nothing is claimed, whether the authorization was used before or not. */
export const NO_EFFECT = {
  spent: 0n,
  received: 0n,
  payment: null,
  transactions: 0,
} satisfies Partial<Effect>

/** The effect of a payment settled by one transaction of ours. */
export function settledOnce({ authorization }: Presented): Effect {
  const { value } = authorization
  const payment = { status: 'settled', reason: null }
  return { isUsed: true, spent: value, received: value, payment, transactions: 1 }
}

/** Does something and says what it came to for this payment. */
export async function effectOf(
  stack: X402Stack,
  presented: Presented,
  act: () => Promise<unknown>,
): Promise<Effect> {
  const before = await figuresOf(stack, presented)
  await act()
  const { isUsed, payment, ...after } = await figuresOf(stack, presented)
  return {
    isUsed,
    spent: before.balance - after.balance,
    received: after.held - before.held,
    payment,
    transactions: after.transactions - before.transactions,
  }
}

/** Verify and settle refuse the payment for this reason, and nothing at all happens. */
export async function expectRefused(
  stack: X402Stack,
  presented: Presented,
  reason: Reason,
): Promise<void> {
  const { body } = presented
  expect(await effectOf(stack, presented, () => expectAnswers(stack, body, reason))).toMatchObject(
    NO_EFFECT,
  )
}

/** Verify and settle answer this reason, in all the words in which clients look for it. */
export async function expectAnswers(
  stack: X402Stack,
  body: unknown,
  reason: Reason,
): Promise<void> {
  expect(await stack.verify(body)).toMatchObject({ isValid: false, invalidReason: reason })
  expect(await stack.settle(body)).toMatchObject({
    success: false,
    transaction: '',
    settledAt: null,
    error: reason,
    errorReason: reason,
    error_reason: reason,
  })
}

/** Verify and settle accept the payment, and one transaction of ours carries it out. */
export async function expectSettled(stack: X402Stack, presented: Presented): Promise<SettleJson> {
  const { authorization, requirements, body } = presented
  const answers: SettleJson[] = []
  const effect = await effectOf(stack, presented, async () => {
    expect(await stack.verify(body)).toEqual({ isValid: true, payer: authorization.from })
    answers.push(await stack.settle(body))
  })
  const [answer] = answers
  expect(answer).toMatchObject({
    success: true,
    network: requirements.network,
    payer: authorization.from,
    amount: authorization.value.toString(),
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect(effect).toEqual(settledOnce(presented))
  if (answer === undefined) throw new Error('settle was not called')
  return answer
}

const TOKEN_ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address holder) view returns (uint256)',
  'function transfer(address to, uint256 amount)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'function pause()',
  'function unpause()',
])

/** Calls to the token that change it. */
export function tokenCall(
  ...call:
    | ['transfer', readonly [Address, bigint]]
    | ['cancelAuthorization', readonly [Address, Hex, Hex]]
    | ['blacklist' | 'unBlacklist', readonly [Address]]
    | ['pause' | 'unpause', readonly []]
): Hex {
  const [functionName, args] = call
  switch (functionName) {
    case 'transfer':
      return encodeFunctionData({ abi: TOKEN_ABI, functionName, args })
    case 'cancelAuthorization':
      return encodeFunctionData({ abi: TOKEN_ABI, functionName, args })
    case 'blacklist':
    case 'unBlacklist':
      return encodeFunctionData({ abi: TOKEN_ABI, functionName, args })
    default:
      return encodeFunctionData({ abi: TOKEN_ABI, functionName })
  }
}

/** The token's issuer, who owns all its roles on a local chain, does this. */
export async function issuerDoes({ chain }: X402Stack, data: Hex): Promise<void> {
  const { status } = await transact(chain, chain.ownerKey, chain.usdc.address, data)
  if (status !== 'success') throw new Error('the issuer was refused')
}

/** A payer with USDC, and its key. */
export async function newPayerWithKey(
  stack: X402Stack,
  balance = 1_000_000n,
): Promise<{ key: Hex; payer: PrivateKeyAccount }> {
  const key = generatePrivateKey()
  const payer = privateKeyToAccount(key)
  if (balance > 0n) await stack.chain.mint([{ to: payer.address, amount: balance }])
  return { key, payer }
}

/** An account with native coins, which is nobody to us. */
export async function newStranger({ node }: HubChain): Promise<Hex> {
  const key = generatePrivateKey()
  await fund(node, addressOf(key))
  return key
}

export async function fund(node: HubChain['node'], address: Address): Promise<void> {
  await node.rpc('anvil_setBalance', [address, `0x${parseEther('10').toString(16)}`])
}

/** Somebody else carries the authorization out. The answer is the transaction's hash. */
export async function submitAsStranger(
  { chain }: X402Stack,
  presented: Pick<Presented, 'authorization' | 'signature'>,
): Promise<Hex> {
  const data = encodeAuthorization(presented)
  const receipt = await transact(chain, await newStranger(chain), chain.usdc.address, data)
  if (receipt.status !== 'success') throw new Error('the stranger was refused')
  return receipt.transactionHash
}

/** Sends a call to the token that goes before ours in the next block, and mines nothing. */
export async function outbid({ chain }: X402Stack, key: Hex, data: Hex): Promise<Hex> {
  const account = privateKeyToAccount(key)
  await fund(chain.node, lowerCaseAddress(account.address))
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.node.chainId,
    nonce: await chain.client.getTransactionCount({ address: account.address }),
    to: chain.usdc.address,
    data,
    gas: 200_000n,
    maxFeePerGas: parseGwei('100'),
    maxPriorityFeePerGas: parseGwei('50'),
  })
  return chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
}

/** Waits until a transaction of ours that carries the payment waits in the node's pool. */
export async function untilSent(stack: X402Stack, { authorization }: Presented): Promise<Hex> {
  const [row] = await eventually(
    () => stack.database<{ hash: Hex }[]>`
      select a.hash from x402_payment p
      join work_item w on (w.payload->>'paymentId')::uuid = p.id
      join relayer_attempt a on a.tx_id = w.tx_id
      where p.authorization_nonce = ${authorization.nonce} and a.broadcast_at is not null`,
    (rows) => rows.length > 0,
    20_000,
  )
  if (row === undefined) throw new Error('nothing was sent')
  return row.hash
}

interface Figures {
  readonly isUsed: boolean
  readonly balance: bigint
  readonly held: bigint
  readonly payment: Effect['payment']
  readonly transactions: number
}

/** All of one block, so that a payout that is just being mined shows on both sides or on none. */
async function figuresOf(stack: X402Stack, { authorization }: Presented): Promise<Figures> {
  const { chain, database, merchant } = stack
  const { from, nonce } = authorization
  const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 })
  const token = { abi: TOKEN_ABI, address: chain.usdc.address, blockNumber } as const
  const balanceOf = (holder: Address) =>
    chain.client.readContract({ ...token, functionName: 'balanceOf', args: [holder] })
  const { forwarder, recipient } = merchant
  const holders = [forwarder, chain.collector, ...(recipient === null ? [] : [recipient])]
  const [isUsed, balance, held, [row], [sent]] = await Promise.all([
    chain.client.readContract({
      ...token,
      functionName: 'authorizationState',
      args: [from, nonce],
    }),
    balanceOf(from),
    Promise.all(holders.map(balanceOf)),
    database<{ status: string; reason: string | null }[]>`
      select status, reason from x402_payment
      where network_id = ${chain.networkId} and payer = ${from} and authorization_nonce = ${nonce}`,
    database<{ count: number }[]>`
      select count(*)::integer as count from relayer_tx where kind in ('x402', 'x402_wallet')`,
  ])
  return {
    isUsed,
    balance,
    held: held.reduce((sum, one) => sum + one, 0n),
    payment: row ?? null,
    transactions: sent?.count ?? 0,
  }
}

/** Mines a block every 100 ms, on a chain that doesn't by itself, until this has ended. */
export async function whileMining<T>({ chain }: X402Stack, work: Promise<T>): Promise<T> {
  let isOver = false
  const mine = async () => {
    while (!isOver) {
      await chain.mine()
      await Bun.sleep(100)
    }
  }
  const mined = mine()
  try {
    return await work
  } finally {
    isOver = true
    await mined
  }
}
