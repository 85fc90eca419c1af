import { expect, test } from 'bun:test'
import { encodeFunctionData, keccak256, parseAbi, stringToHex } from 'viem'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import {
  encodeAuthorization,
  encodeDeployForwarder,
  encodeDistribute,
  encodeSettle,
  encodeSettleWallets,
  type SettleItem,
} from '../../../chain/x402/settlement.ts'
import { asMerchantId } from '../../../core/base/ids.ts'
import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { uuidToBytes16 } from '../../../core/chain/words.ts'

const TOKEN = lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e')
const TOKEN_CALLS = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

const items = Array.from({ length: 3 }, (_, i) => item(i))
const distributions = items.map((_, i) => ({
  merchantId: asMerchantId(Bun.randomUUIDv7()),
  version: i + 1,
}))
const { authorization: itemGas, distribution: gas } = USUAL_GAS
const distributionStructs = distributions.map(({ merchantId, version }) => ({
  merchantId: uuidToBytes16(merchantId),
  version,
}))

test.each([0, 1, 3])('a batch of %p authorizations is encoded as the ABI says', (count) => {
  const some = items.slice(0, count)
  for (const paidOut of [0, 1, 3]) {
    const expected = encodeFunctionData({
      abi: HUB_ABI,
      functionName: 'settle',
      args: [TOKEN, some.map(struct), itemGas, distributionStructs.slice(0, paidOut), gas],
    })
    expect(encodeSettle(TOKEN, some, distributions.slice(0, paidOut), USUAL_GAS)).toBe(expected)
  }
})

test('the largest integers keep all their digits', () => {
  const [first] = items
  if (!first) throw new Error('there is an item')
  const largest = 2n ** 256n - 1n
  const authorization = { ...first.authorization, value: largest, validBefore: largest }
  const extreme = { ...first, authorization }
  const args = [TOKEN, [struct(extreme)], itemGas, [], gas] as const
  expect(encodeSettle(TOKEN, [extreme], [], USUAL_GAS)).toBe(
    encodeFunctionData({ abi: HUB_ABI, functionName: 'settle', args }),
  )
  const beyond = { ...extreme, authorization: { ...authorization, value: largest + 1n } }
  expect(() => encodeSettle(TOKEN, [beyond], [], USUAL_GAS)).toThrow(RangeError)
  const negative = { ...extreme, authorization: { ...authorization, value: -1n } }
  expect(() => encodeSettle(TOKEN, [negative], [], USUAL_GAS)).toThrow(RangeError)
})

test('wallets carry their signatures as they are, under one cap of gas', () => {
  const wallets = items.map((entry, i) => ({ ...entry, signature: signatureOf(i * 40) }))
  const structs = wallets.map((entry) => ({
    ...entry.authorization,
    signature: entry.signature,
  }))
  expect(encodeSettleWallets(TOKEN, wallets, distributions, USUAL_GAS)).toBe(
    encodeFunctionData({
      abi: HUB_ABI,
      functionName: 'settleWallets',
      args: [TOKEN, structs, USUAL_GAS.walletAuthorization, distributionStructs, gas],
    }),
  )
})

test('a single payment with (v, r, s) is the call of the token itself', () => {
  for (const single of items) {
    const { v, r, s } = single.signature
    const expected = encodeFunctionData({
      abi: TOKEN_CALLS,
      functionName: 'transferWithAuthorization',
      args: [...tokenTerms(single), v, r, s],
    })
    expect(encodeAuthorization(single)).toBe(expected)
  }
})

test.each([0, 1, 31, 32, 33, 65, 200])('a single payment with %p bytes of signature', (length) => {
  const [first] = items
  if (!first) throw new Error('there is an item')
  const signature = signatureOf(length)
  const expected = encodeFunctionData({
    abi: TOKEN_CALLS,
    functionName: 'transferWithAuthorization',
    args: [...tokenTerms(first), signature],
  })
  expect(encodeAuthorization({ authorization: first.authorization, signature })).toBe(expected)
})

test('payouts and forwarders are the calls of the hub', () => {
  const [first] = distributions
  if (!first) throw new Error('there is a distribution')
  expect(encodeDistribute(TOKEN, distributions, USUAL_GAS)).toBe(
    encodeFunctionData({
      abi: HUB_ABI,
      functionName: 'distribute',
      args: [TOKEN, distributionStructs, gas],
    }),
  )
  expect(encodeDeployForwarder(first.merchantId)).toBe(
    encodeFunctionData({
      abi: HUB_ABI,
      functionName: 'deployForwarder',
      args: [uuidToBytes16(first.merchantId)],
    }),
  )
})

function item(i: number): SettleItem {
  const word = (name: string): Hex => keccak256(stringToHex(`${name} ${i}`))
  const address = (name: string) => lowerCaseAddress(`0x${word(name).slice(-40)}`)
  return {
    authorization: {
      from: address('payer'),
      to: address('forwarder'),
      value: 1_000_000n + BigInt(i),
      validAfter: BigInt(i),
      validBefore: 1_900_000_000n + BigInt(i),
      nonce: word('nonce'),
    },
    signature: { v: i % 2 === 0 ? 27 : 28, r: word('r'), s: word('s') },
  }
}

function struct({ authorization, signature }: SettleItem) {
  return { ...authorization, ...signature }
}

function tokenTerms({ authorization }: SettleItem) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return [from, to, value, validAfter, validBefore, nonce] as const
}

function signatureOf(length: number): Hex {
  return `0x${new Uint8Array(length).fill(0xab).toHex()}`
}
