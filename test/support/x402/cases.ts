import { expect } from 'bun:test'
import { type Hex, parseAbi } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Reason } from '../../../core/x402/reasons.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import { signAuthorization } from './authorizations.ts'
import { requirementsFor, v2Body } from './requests.ts'
import type { SettleJson, X402Stack } from './stack.ts'

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
  const signature = resign(await signAuthorization(stack.chain, payer, authorization, domain))
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
])

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
