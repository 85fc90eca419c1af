import { describe, expect, test } from 'bun:test'
import { hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { approvalDigest } from '../../../core/x402/digest.ts'
import { PERMIT2 } from '../../../core/x402/permitContracts.ts'
import {
  approvalOf,
  deadlineOf,
  keysOfNonce,
  permitDigest,
  permitKey,
  sponsoredWords,
} from '../../../core/x402/permitSigning.ts'
import { findTermsProblem } from '../../../core/x402/request/checks.ts'
import { parsePaymentRequest } from '../../../core/x402/request/parse.ts'
import { findApproval, type PermitFacts } from '../../../core/x402/request/permitChecks.ts'
import { parseSignature } from '../../../core/x402/signature.ts'
import type { PaymentRequest } from '../../../core/x402/terms.ts'
import {
  BASE_SEPOLIA,
  MERCHANT_ID,
  PAY_TO,
  someFacts,
  USDC,
} from '../../support/core/x402Requests.ts'
import { permitTypes, signPermit } from '../../support/x402/permits.ts'

/** Payments by Permit2: how they are read, signed and judged. viem is the second opinion. */

const HUB = lowerCaseAddress(`0x${'ab'.repeat(20)}`)
const OTHER = lowerCaseAddress(`0x${'cd'.repeat(20)}`)
const MAXIMUM = 20_000n
/** EIP-2612. */
const APPROVAL = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
]
const payer = privateKeyToAccount(generatePrivateKey())
const chain = { hub: HUB, node: BASE_SEPOLIA, usdc: { address: USDC } }

async function parsed(
  amount: bigint,
  change: Partial<Parameters<typeof signPermit>[2]> = {},
): Promise<PaymentRequest> {
  const terms = { scheme: 'upto', payTo: PAY_TO, maximum: MAXIMUM, nonce: 7n } as const
  const signed = await signPermit(chain, payer, {
    ...{ ...terms, deadline: 1_900_000_000n },
    ...change,
  })
  const read = parsePaymentRequest(signed.body(amount), [BASE_SEPOLIA])
  if (!read.ok) throw new Error(read.message)
  return read.request
}

function problem(
  request: PaymentRequest,
  purpose: 'verify' | 'settle',
  keyMerchantId: MerchantId | null = MERCHANT_ID,
) {
  return findTermsProblem(request, {
    payee: { merchantId: MERCHANT_ID },
    endpoint: null,
    keyMerchantId,
    minAmount: baseUnits(5n),
    hub: HUB,
    purpose,
  })
}

describe('the amount of upto', () => {
  test('is the maximum at verify', async () => {
    expect(problem(await parsed(MAXIMUM), 'verify')).toBeNull()
    expect(problem(await parsed(1_858n), 'verify')?.reason).toBe('permit2_amount_mismatch')
    expect(problem(await parsed(0n), 'verify')?.reason).toBe('permit2_amount_mismatch')
  })

  test('is nothing, or from the least payment to the maximum, at settle', async () => {
    for (const amount of [0n, 5n, 1_858n, MAXIMUM]) {
      expect(problem(await parsed(amount), 'settle')).toBeNull()
    }
    expect(problem(await parsed(4n), 'settle')?.reason).toBe('invalid_payment_requirements')
    expect(problem(await parsed(MAXIMUM + 1n), 'settle')?.reason).toBe(
      'invalid_upto_evm_payload_settlement_exceeds_amount',
    )
  })

  test('is less than the maximum only where the merchant says so, by its key', async () => {
    for (const amount of [0n, 5n, MAXIMUM - 1n]) {
      expect(problem(await parsed(amount), 'settle', null)?.reason).toBe('upto_key_required')
    }
    expect(problem(await parsed(MAXIMUM), 'settle', null)).toBeNull()
    expect(problem(await parsed(MAXIMUM), 'verify', null)).toBeNull()
  })

  test('is not for the server to say of exact', async () => {
    const exact = { scheme: 'exact' } as const
    expect(problem(await parsed(MAXIMUM, exact), 'settle')).toBeNull()
    const signed = await parsed(MAXIMUM, exact)
    const less = { ...signed, requirements: { ...signed.requirements, amount: baseUnits(6n) } }
    expect(problem(less, 'settle')?.reason).toBe('permit2_amount_mismatch')
  })
})

test('what was signed for another proxy, facilitator, token or payee is refused', async () => {
  const good = await parsed(MAXIMUM)
  const { permit } = good
  if (permit === null) throw new Error('it was not read as a payment by Permit2')
  const reasonOf = (request: PaymentRequest) => problem(request, 'verify')?.reason
  expect(reasonOf(await parsed(MAXIMUM, { change: { spender: OTHER } }))).toBe(
    'invalid_permit2_spender',
  )
  expect(reasonOf(await parsed(MAXIMUM, { change: { facilitator: OTHER } }))).toBe(
    'upto_facilitator_mismatch',
  )
  expect(reasonOf({ ...good, permit: { ...permit, token: OTHER } })).toBe('permit2_token_mismatch')
  const elsewhere = { ...good, authorization: { ...good.authorization, to: OTHER } }
  expect(reasonOf(elsewhere)).toBe('invalid_permit2_recipient_mismatch')
})

test('the digest is the one that viem signs, for both schemes', async () => {
  for (const scheme of ['upto', 'exact'] as const) {
    const { authorization, permit } = await parsed(MAXIMUM, { scheme })
    if (permit === null) throw new Error('it was not read as a payment by Permit2')
    const digest = permitDigest(BASE_SEPOLIA.chainId, scheme, authorization, permit)
    const expected = hashTypedData({
      domain: { name: 'Permit2', chainId: BASE_SEPOLIA.chainId, verifyingContract: PERMIT2 },
      types: permitTypes(scheme),
      primaryType: 'PermitWitnessTransferFrom',
      message: {
        permitted: { token: USDC, amount: MAXIMUM },
        spender: permit.spender,
        nonce: 7n,
        deadline: deadlineOf(authorization),
        witness: { to: PAY_TO, facilitator: HUB, validAfter: 0n },
      },
    })
    expect(`0x${digest.toHex()}`).toBe(expected)
  }
})

test('a nonce has a key that is no nonce of EIP-3009 with the same digits', () => {
  const nonce = `0x${'0'.repeat(63)}7` as const
  expect(keysOfNonce(nonce)).toEqual([nonce, permitKey(7n)])
  expect(permitKey(7n)).not.toBe(nonce)
  expect(permitKey(8n)).not.toBe(permitKey(7n))
})

test('the second of the deadline is one at which it is valid', async () => {
  const { authorization } = await parsed(MAXIMUM, { deadline: 1_234n })
  expect(authorization.validBefore).toBe(1_235n)
  expect(deadlineOf(authorization)).toBe(1_234n)
})

describe('the approval of Permit2', () => {
  const facts: PermitFacts = {
    ...someFacts(),
    allowance: MAXIMUM,
    approvalNonce: 3n,
    isDeployed: true,
  }
  const now = 1_000n
  const none = { ...facts, allowance: MAXIMUM - 1n }

  async function sponsored(
    change: Partial<NonNullable<PaymentRequest['permit']>['sponsored']> = {},
  ) {
    const request = await parsed(MAXIMUM)
    if (request.permit === null) throw new Error('it was not read as a payment by Permit2')
    const given = {
      ...{ owner: request.authorization.from, token: USDC, spender: PERMIT2, value: MAXIMUM },
      ...{ nonce: 3n, deadline: 2_000n, signature: '0x' as const },
      ...change,
    }
    return { ...request, permit: { ...request.permit, sponsored: given } }
  }

  test('is needed, and enough of it', async () => {
    const request = await parsed(MAXIMUM)
    expect(findApproval(request, facts, false, now)).toEqual({ ok: true, isSponsored: false })
    expect(findApproval(request, none, false, now)).toMatchObject({
      reason: 'permit2_allowance_required',
    })
    const nowhere = { ...facts, isDeployed: false }
    expect(findApproval(request, nowhere, false, now)).toMatchObject({
      reason: 'permit2_proxy_not_deployed',
    })
  })

  test('may go along as an EIP-2612 permit, if the token would take it', async () => {
    const good = await sponsored()
    expect(findApproval(good, none, true, now)).toEqual({ ok: true, isSponsored: true })
    expect(findApproval(good, facts, true, now)).toEqual({ ok: true, isSponsored: false })
    const bad = [
      [await sponsored({ owner: OTHER }), true],
      [await sponsored({ token: OTHER }), true],
      [await sponsored({ spender: OTHER }), true],
      [await sponsored({ value: MAXIMUM + 1n }), true],
      [await sponsored({ nonce: 2n }), true],
      [await sponsored({ deadline: now }), true],
      [good, false],
    ] as const
    for (const [request, isSigned] of bad) {
      expect(findApproval(request, none, isSigned, now).ok).toBe(false)
    }
    // The block that carries it has to be made before the deadline, which is its last second.
    const near = await sponsored({ deadline: now + 5n })
    expect(findApproval(near, none, true, now, 5n).ok).toBe(true)
    expect(findApproval(near, none, true, now, 6n).ok).toBe(false)
  })

  test('has words that say the same again', async () => {
    const signature = parseSignature(await payer.sign({ hash: `0x${'11'.repeat(32)}` }))
    const { permit } = await sponsored()
    if (signature === null) throw new Error('viem has signed nothing')
    const words = sponsoredWords(permit.sponsored, signature)
    expect(approvalOf(words)).toEqual({ deadline: 2_000n, signature })
  })

  test('is signed as viem signs it', async () => {
    const { permit } = await sponsored()
    const { owner, spender, value, nonce, deadline } = permit.sponsored
    const domain = {
      name: 'USDC',
      version: '2',
      chainId: BASE_SEPOLIA.chainId,
      verifyingContract: USDC,
    }
    const expected = hashTypedData({
      domain,
      types: { Permit: APPROVAL },
      primaryType: 'Permit',
      message: { owner, spender, value, nonce, deadline },
    })
    expect(`0x${approvalDigest(domain, permit.sponsored).toHex()}`).toBe(expected)
  })
})
