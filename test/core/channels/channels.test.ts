import { describe, expect, test } from 'bun:test'
import { computeChannelId } from '@x402/evm/batch-settlement/client'
import { hashTypedData } from 'viem'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { hasBurntGas, mayHaveLackedGas } from '../../../core/channels/action.ts'
import {
  CHANNELS,
  type ChannelConfig,
  channelIdOf,
  claimsDigest,
  voucherDigest,
} from '../../../core/channels/channel.ts'
import { isAboutChannels, parseChannelAction } from '../../../core/channels/parse.ts'
import { channelAfter } from '../../../core/channels/state.ts'
import { CHAINS } from '../../support/core/x402Requests.ts'

/** Channels as they are signed and read, beside what the stock package makes of them. */

const address = (digit: string) => lowerCaseAddress(`0x${digit.repeat(40)}`)
const CHAIN_ID = 84532
const CONFIG: ChannelConfig = {
  payer: address('1'),
  payerAuthorizer: address('2'),
  receiver: address('3'),
  receiverAuthorizer: address('4'),
  token: lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e'),
  withdrawDelay: 900,
  salt: `0x${'05'.repeat(32)}`,
}
const CHANNEL_ID = channelIdOf(CHAIN_ID, CONFIG)
const SIGNATURE = `0x${'ab'.repeat(64)}1b`
const domain = {
  name: 'x402 Batch Settlement',
  version: '1',
  chainId: CHAIN_ID,
  verifyingContract: CHANNELS,
} as const

describe('what is signed', () => {
  test('is the id that the stock package computes', () => {
    expect(CHANNEL_ID).toBe(computeChannelId(CONFIG, CHAIN_ID))
  })

  test('are vouchers and batches of claims by EIP-712', () => {
    const voucher = hashTypedData({
      domain,
      types: {
        Voucher: [
          { name: 'channelId', type: 'bytes32' },
          { name: 'maxClaimableAmount', type: 'uint128' },
        ],
      },
      primaryType: 'Voucher',
      message: { channelId: CHANNEL_ID, maxClaimableAmount: 70n },
    })
    const digest = voucherDigest(CHAIN_ID, { channelId: CHANNEL_ID, maxClaimable: 70n })
    expect(`0x${digest.toHex()}`).toBe(voucher)
    const claims = hashTypedData({
      domain,
      types: {
        ClaimBatch: [{ name: 'claims', type: 'ClaimEntry[]' }],
        ClaimEntry: [
          { name: 'channelId', type: 'bytes32' },
          { name: 'maxClaimableAmount', type: 'uint128' },
          { name: 'totalClaimed', type: 'uint128' },
        ],
      },
      primaryType: 'ClaimBatch',
      message: {
        claims: [{ channelId: CHANNEL_ID, maxClaimableAmount: 70n, totalClaimed: 60n }],
      },
    })
    const claim = { channelId: CHANNEL_ID, maxClaimable: 70n, totalClaimed: 60n }
    expect(`0x${claimsDigest(CHAIN_ID, [claim]).toHex()}`).toBe(claims)
  })
})

const REQUIREMENTS = {
  scheme: 'batch-settlement',
  network: 'eip155:84532',
  asset: CONFIG.token,
  amount: '0',
  payTo: CONFIG.receiver,
  maxTimeoutSeconds: 0,
  extra: {},
}
const CLAIM = {
  voucher: { channel: CONFIG, maxClaimableAmount: '70' },
  signature: SIGNATURE,
  totalClaimed: '60',
}

function body(payload: object, change: object = {}) {
  const paymentRequirements = { ...REQUIREMENTS, ...change }
  const paymentPayload = { x402Version: 2, accepted: REQUIREMENTS, payload }
  return { x402Version: 2, paymentPayload, paymentRequirements }
}

function reasonOf(sent: object): string | null {
  const parsed = parseChannelAction(sent, CHAINS)
  return parsed.ok ? null : parsed.reason
}

describe("a server's request", () => {
  const claim = { type: 'claim', claims: [CLAIM], claimAuthorizerSignature: SIGNATURE }

  test('is read with an amount of 0, a timeout of 0 and nothing extra', () => {
    expect(isAboutChannels(body(claim))).toBe(true)
    expect(reasonOf(body(claim))).toBeNull()
    const settle = { type: 'settle', receiver: CONFIG.receiver, token: CONFIG.token }
    expect(reasonOf(body(settle))).toBeNull()
  })

  test('is refused without the signature of its own key: no one signs in its place', () => {
    const { claimAuthorizerSignature: _, ...unsigned } = claim
    const reason = 'invalid_batch_settlement_evm_authorizer_not_configured'
    expect(reasonOf(body(unsigned))).toBe(reason)
    const refund = {
      type: 'refund',
      channelConfig: CONFIG,
      voucher: { channelId: CHANNEL_ID, maxClaimableAmount: '70', signature: SIGNATURE },
      amount: '5',
      refundNonce: '0',
      claims: [],
    }
    expect(reasonOf(body(refund))).toBe(reason)
    expect(reasonOf(body({ ...refund, refundAuthorizerSignature: SIGNATURE }))).toBeNull()
  })

  test("is refused for another receiver's channels, and for a channel named twice", () => {
    const elsewhere = {
      voucher: { ...CLAIM.voucher, channel: { ...CONFIG, receiver: address('9') } },
    }
    expect(reasonOf(body({ ...claim, claims: [{ ...CLAIM, ...elsewhere }] }))).toBe(
      'invalid_batch_settlement_evm_receiver_mismatch',
    )
    expect(reasonOf(body({ ...claim, claims: [CLAIM, CLAIM] }))).toBe('invalid_payload')
    expect(reasonOf(body({ ...claim, claims: [{ ...CLAIM, totalClaimed: '71' }] }))).toBe(
      'invalid_payload',
    )
  })

  test('is refused when the payer has accepted another receiver', () => {
    expect(reasonOf(body(claim, { payTo: address('9') }))).toBe('invalid_payment_requirements')
  })
})

describe('the gas of actions that share a transaction', () => {
  const [dear, cheap] = [{ gas: 450_000 }, { gas: 250_000 }]
  const lacked = (action: { gas: number }, used: bigint, ofData = 0n) =>
    mayHaveLackedGas(action, { limit: 1_270_000n + ofData, used, actions: 3 })

  test('was enough for each that needs no more than what was left at the end', () => {
    // Of which so much cleared storage may have given back.
    expect([lacked(dear, 760_000n), lacked(dear, 760_001n)]).toEqual([false, true])
    expect([lacked(cheap, 960_000n), lacked(cheap, 960_001n)]).toEqual([false, true])
  })

  test('was enough where a rollup has taken what it was given for the data', () => {
    expect([lacked(dear, 760_000n + 900_000n, 900_000n)]).toEqual([false])
  })

  test('was burnt by one that is alone and left next to nothing', () => {
    expect(hasBurntGas({ limit: 370_000n, used: 249_999n })).toBe(false)
    expect(hasBurntGas({ limit: 370_000n, used: 250_000n })).toBe(true)
    // On a rollup, with the gas for its data, which may turn out to need less than it was given.
    expect(hasBurntGas({ limit: 970_000n, used: 700_000n })).toBe(false)
  })
})

describe("a channel's events", () => {
  const event = (name: string, amount: bigint, total: bigint | null = null) => {
    return { name, amount, total, withdrawAt: name === 'WithdrawInitiated' ? 1_000n : null }
  }

  test('come to its balance, its claims, and a withdrawal that a refund makes smaller', () => {
    const events = [event('Deposited', 100n, 100n), event('Claimed', 30n, 30n)]
    events.push(event('WithdrawInitiated', 70n), event('Refunded', 20n))
    expect(channelAfter(events)).toEqual({
      balance: 80n,
      totalClaimed: 30n,
      withdrawal: { amount: 50n, at: new Date(1_000_000) },
    })
    expect(channelAfter([...events, event('WithdrawFinalized', 50n)])).toMatchObject({
      balance: 30n,
      withdrawal: null,
    })
  })

  test('are added to what the chain said before them', () => {
    const withdrawal = { amount: 60n, at: new Date(5_000_000) }
    const base = { balance: 100n, totalClaimed: 40n, withdrawal }
    expect(channelAfter([], base)).toEqual(base)
    expect(channelAfter([event('Refunded', 20n)], base)).toEqual({
      balance: 80n,
      totalClaimed: 40n,
      withdrawal: { ...withdrawal, amount: 40n },
    })
    expect(channelAfter([event('Claimed', 10n, 50n), event('Deposited', 5n, 105n)], base)).toEqual({
      ...base,
      balance: 105n,
      totalClaimed: 50n,
    })
  })
})
