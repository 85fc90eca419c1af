import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  numberToHex,
  parseSignature,
  serializeCompactSignature,
  serializeSignature,
  signatureToCompactSignature,
} from 'viem'
import { type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../../../../core/chain/evm.ts'
import type { Authorization } from '../../../../core/x402/terms.ts'
import { randomHex, signAuthorization } from '../../../support/x402/authorizations.ts'
import {
  expectRefused,
  expectSettled,
  type Presented,
  present,
} from '../../../support/x402/cases.ts'
import { v2Body } from '../../../support/x402/requests.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** Signatures of payers without code, in every form in which they may or may not come. */

const REASON = 'invalid_exact_evm_payload_signature'
/** The order of secp256k1; SEC 2, section 2.4.1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack()
}, 120_000)

afterAll(() => stack.close())

describe('a signature settles', () => {
  test('with a v of 0 or 1', async () => {
    const resign = (signature: Hex) => withV(signature, (v) => v - 27)
    await settlesLike65(await present(stack, { resign }))
  })

  test('in the 64 bytes of EIP-2098', async () => {
    const resign = (signature: Hex) =>
      serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
    const presented = await present(stack, { resign })
    expect(presented.signature).toHaveLength(2 + 128)
    await settlesLike65(presented)
  })

  test('in capital letters', async () => {
    const resign = (signature: Hex): Hex => `0x${signature.slice(2).toUpperCase()}`
    await settlesLike65(await present(stack, { resign }))
  })
})

/** Settles, and the same payment with its signature as wallets write it is that payment again. */
async function settlesLike65(presented: Presented): Promise<void> {
  const { transaction, paymentId } = await expectSettled(stack, presented)
  const { payer, authorization, requirements } = presented
  const usual = await signAuthorization(stack.chain, payer, authorization)
  expect(usual).not.toBe(presented.signature)
  const answer = await stack.settle(v2Body(requirements, authorization, usual))
  expect(answer).toMatchObject({
    success: false,
    error: 'duplicate_settlement',
    transaction,
    paymentId,
  })
}

describe('a signature is refused', () => {
  test('over another value, time or nonce than those presented', async () => {
    const signed = await present(stack)
    const { value, validBefore, validAfter } = signed.authorization
    const changes: Partial<Authorization>[] = [
      { value: value + 1n },
      { validAfter: validAfter - 1n },
      { validBefore: validBefore + 1n },
      { nonce: randomHex(32) },
    ]
    for (const change of changes) {
      const amount = (change.value ?? value).toString()
      await expectRefused(stack, tampered(signed, change, { amount }), REASON)
    }
    const { address } = await stack.newPayer()
    await expectRefused(stack, tampered(signed, { from: lowerCaseAddress(address) }), REASON)
  })

  test('with an s in the upper half of the order, its malleable twin', async () => {
    const presented = await present(stack, { resign: twinOf })
    await expectRefused(stack, presented, REASON)
  })

  test('with any other v', async () => {
    for (const v of [2, 26, 29, 255]) {
      const presented = await present(stack, { resign: (signature) => withV(signature, () => v) })
      await expectRefused(stack, presented, REASON)
    }
    const flipped = await present(stack, { resign: (s) => withV(s, (v) => 55 - v) })
    await expectRefused(stack, flipped, REASON)
  })

  test('that is garbage, empty, too short or too long', async () => {
    const payer = await stack.newPayer()
    const others = ['0x', '', '0x12', '0xzz', 'garbage', randomHex(65), randomHex(64)]
    const zero = `0x${'00'.repeat(65)}`
    for (const signature of [...others, zero, `0x${'ff'.repeat(65)}`, randomHex(8_193)]) {
      await expectRefused(stack, await signedWith(signature, payer), REASON)
    }
    const short = await present(stack, { payer, resign: (s) => `0x${s.slice(4)}` })
    await expectRefused(stack, short, REASON)
    const long = await present(stack, { payer, resign: (s) => `${s}00` })
    await expectRefused(stack, long, REASON)
  })

  test('of no one, in the name of no one', async () => {
    const presented = await present(stack, { terms: { from: ZERO_ADDRESS } })
    for (const signature of [presented.signature, `0x${'00'.repeat(65)}`, randomHex(65)]) {
      const { requirements, authorization } = presented
      const body = v2Body(requirements, authorization, signature)
      await expectRefused(stack, { ...presented, body }, REASON)
    }
  })

  test('that was made for another payment of the same payer', async () => {
    const payer = await stack.newPayer()
    const { signature } = await present(stack, { payer })
    await expectRefused(stack, await signedWith(signature, payer), REASON)
  })
})

test('who shows a settled payment with a false signature is told nothing of it', async () => {
  const settled = await present(stack)
  await expectSettled(stack, settled)
  const { authorization, requirements } = settled
  const body = v2Body(requirements, authorization, randomHex(65))
  expect(await stack.verify(body)).toMatchObject({ isValid: false, invalidReason: REASON })
  const answer = await stack.settle(body)
  expect(answer).toMatchObject({ success: false, error: REASON, transaction: '' })
  expect(answer.paymentId).toBeUndefined()
})

/** A good payment of the payer with something else in the signature's place. */
async function signedWith(signature: string, payer: Presented['payer']): Promise<Presented> {
  const presented = await present(stack, { payer })
  const { requirements, authorization } = presented
  return { ...presented, body: v2Body(requirements, authorization, signature) }
}

/** Another authorization under the same signature. */
function tampered(
  { payer, signature, ...signed }: Presented,
  change: Partial<Authorization>,
  requirementsChange: Record<string, unknown> = {},
): Presented {
  const authorization = { ...signed.authorization, ...change }
  const requirements = { ...signed.requirements, ...requirementsChange }
  const body = v2Body(requirements, authorization, signature)
  return { payer, authorization, requirements, signature, body }
}

function withV(signature: Hex, change: (v: number) => number): Hex {
  const v = change(Number.parseInt(signature.slice(-2), 16))
  return `0x${signature.slice(2, -2)}${v.toString(16).padStart(2, '0')}`
}

/** The other signature that recovers to the same key: s negated, the parity flipped. */
function twinOf(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  const high = numberToHex(ORDER - BigInt(s), { size: 32 })
  return serializeSignature({ r, s: high, yParity: 1 - yParity })
}
