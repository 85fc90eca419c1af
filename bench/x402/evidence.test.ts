import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encodeAuthorization } from '../../chain/x402/settlement.ts'
import { type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { addressOf } from '../../dev/stack/keys.ts'
import { transact } from '../../test/support/relayer/transactions.ts'
import { type HubChain, startHubChain } from '../../test/support/servers/chain.ts'
import { authorizePaid, type SignedAuthorization } from '../../test/support/x402/authorizations.ts'
import { contradictions, type Evidence, readEvidence } from './evidence.ts'
import type { Attempt } from './load.ts'
import { keyOf } from './posting.ts'

const SHOP = lowerCaseAddress(`0x${'5'.repeat(40)}`)
let chain: HubChain
let relayer: Hex
let paid: SignedAuthorization
let unpaid: SignedAuthorization
let hash: Hex
let evidence: Evidence

beforeAll(async () => {
  chain = await startHubChain({ relayers: 2 })
  const [key, strangerKey] = chain.relayerKeys
  if (!key || !strangerKey) throw new Error('the chain has no relayers')
  relayer = key
  paid = await authorizePaid(chain, { to: SHOP })
  unpaid = await authorizePaid(chain, { to: SHOP })
  const from = (await chain.client.getBlockNumber()) + 1n
  const { transactionHash } = await send(key, paid)
  hash = transactionHash
  // The second use of an authorization reverts.
  await send(key, paid)
  await send(strangerKey, await authorizePaid(chain, { to: SHOP }))
  const to = await chain.client.getBlockNumber()
  evidence = await readEvidence(chain, [addressOf(relayer)], from, to)
})

afterAll(() => chain.node.stop())

test("only the facilitator's own transactions are its gas", () => {
  expect(evidence.transactions).toBe(2)
  expect(evidence.reverted).toBe(1)
  expect(evidence.gas).toBeGreaterThan(60_000n)
  expect(evidence.distributions).toBe(0)
})

test('a payment is a transfer by its authorization', () => {
  const { value } = paid.authorization
  expect([...evidence.paid.keys()]).toEqual([keyOf(paid.authorization)])
  expect(evidence.paid.get(keyOf(paid.authorization))).toMatchObject({
    to: SHOP,
    value,
    transaction: hash,
  })
})

test('a yes to a payment that was made agrees with the chain', () => {
  expect(contradictions([attempt(paid, 'yes', '', hash)], evidence)).toEqual([])
})

test('a no to a payment that was not made agrees with the chain', () => {
  expect(contradictions([attempt(unpaid, 'no', 'insufficient_funds')], evidence)).toEqual([])
})

test('a yes without a payment, or with the hash of another one, contradicts the chain', () => {
  const wrong = [attempt(unpaid, 'yes', '', hash), attempt(paid, 'yes', '', `0x${'1'.repeat(64)}`)]
  expect(contradictions(wrong, evidence)).toEqual(wrong)
})

test('a no to a payment that was made contradicts the chain', () => {
  const wrong = [attempt(paid, 'no', 'transaction_failed')]
  expect(contradictions(wrong, evidence)).toEqual(wrong)
})

test('a no that leaves the outcome open, and silence, contradict nothing', () => {
  const open = [
    attempt(paid, 'no', 'settlement_pending'),
    attempt(paid, 'no', 'duplicate_settlement'),
    attempt(paid, 'nothing', 'no answer'),
  ]
  expect(contradictions(open, evidence)).toEqual([])
})

test('of two who ask for the same payment, one may get a failure', () => {
  const both = [attempt(paid, 'yes', '', hash), attempt(paid, 'no', 'nonce_already_used')]
  expect(contradictions(both, evidence)).toEqual([])
})

function send(key: Hex, payment: SignedAuthorization) {
  return transact(chain, key, chain.usdc.address, encodeAuthorization(payment))
}

function attempt(
  { authorization }: SignedAuthorization,
  said: Attempt['said'],
  reason: string,
  transaction = '',
): Attempt {
  return {
    posting: { authorization, key: keyOf(authorization), body: '' },
    said,
    reason,
    transaction,
    latencyMs: 1,
  }
}
