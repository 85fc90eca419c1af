import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { encodeAbiParameters, getContractAddress, keccak256, parseAbiParameters } from 'viem'
import { asInvoiceId, asMerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { bytes16ToUuid, uuidToBytes16 } from '../../../core/chain/words.ts'
import {
  cloneAddress,
  depositAddress,
  depositSalt,
  forwarderAddress,
  forwarderImplementation,
  forwarderSalt,
} from '../../../core/hub/deposit.ts'

/** The addresses are computed by hand for speed; viem's encoders are the independent witness. */

const HUB = lowerCaseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3')
const RECIPIENT = lowerCaseAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
const ZERO = lowerCaseAddress('0x0000000000000000000000000000000000000000')
const TERMS = {
  merchantId: asMerchantId('0198c1dd-11e4-7000-8000-9b6f7c2d1a30'),
  invoiceId: asInvoiceId('0198c1de-7a2f-7000-8000-5d2cb1a7e0f4'),
  recipient: RECIPIENT,
  feeCap: baseUnits(50_000n),
} as const

const uuids = fc.uuid()
const merchants = uuids.map(asMerchantId)
const invoices = uuids.map(asInvoiceId)
const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => lowerCaseAddress(`0x${bytes.toHex()}`))
const caps = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(baseUnits)

function viemSalt(terms: Parameters<typeof depositSalt>[0]) {
  return keccak256(
    encodeAbiParameters(parseAbiParameters('bytes16, bytes16, address, uint256'), [
      uuidToBytes16(terms.merchantId),
      uuidToBytes16(terms.invoiceId),
      terms.recipient ?? ZERO,
      terms.feeCap,
    ]),
  )
}

function viemClone(hub: Address, salt: `0x${string}`): string {
  const implementation = getContractAddress({ from: hub, nonce: 1n }).slice(2).toLowerCase()
  return getContractAddress({
    opcode: 'CREATE2',
    from: hub,
    salt,
    bytecode: `0x602c3d8160093d39f33d3d3d3d363d3d37363d73${implementation}5af43d3d93803e602a57fd5bf3`,
  }).toLowerCase()
}

describe('the salt of a deposit address', () => {
  test('is the hash of the ABI encoding of merchant, invoice, recipient and highest fee', () => {
    fc.assert(
      fc.property(
        merchants,
        invoices,
        fc.option(addresses),
        caps,
        (merchantId, invoiceId, to, feeCap) => {
          const terms = { merchantId, invoiceId, recipient: to, feeCap }
          return depositSalt(terms) === viemSalt(terms)
        },
      ),
    )
  })

  test.each([
    ['merchant', { merchantId: asMerchantId(TERMS.invoiceId) }],
    ['invoice', { invoiceId: asInvoiceId(TERMS.merchantId) }],
    ['recipient', { recipient: null }],
    ['highest fee', { feeCap: baseUnits(50_001n) }],
  ])('changes with the %s', (_what, change) => {
    expect(depositSalt({ ...TERMS, ...change })).not.toBe(depositSalt(TERMS))
  })
})

describe('a deposit address', () => {
  test('is where CREATE2 puts the clone of the implementation that the hub made first', () => {
    fc.assert(
      fc.property(addresses, invoices, (hub, invoiceId) => {
        const terms = { ...TERMS, invoiceId }
        return depositAddress(hub, terms) === viemClone(hub, viemSalt(terms))
      }),
      { numRuns: 50 },
    )
  })

  test('differs from hub to hub', () => {
    expect(depositAddress(HUB, TERMS)).not.toBe(depositAddress(RECIPIENT, TERMS))
  })

  test('is in lower case', () => {
    expect(depositAddress(HUB, TERMS)).toMatch(/^0x[0-9a-f]{40}$/)
    expect(forwarderImplementation(HUB)).toMatch(/^0x[0-9a-f]{40}$/)
  })
})

describe("a merchant's forwarder", () => {
  test('has the hash of its tag and the merchant for a salt', () => {
    const tag = keccak256(new TextEncoder().encode('remit.forwarder.v1'))
    const encoded = encodeAbiParameters(parseAbiParameters('bytes32, bytes16'), [
      tag,
      uuidToBytes16(TERMS.merchantId),
    ])
    expect(forwarderSalt(TERMS.merchantId)).toBe(keccak256(encoded))
  })

  test('is the clone with that salt', () => {
    const salt = forwarderSalt(TERMS.merchantId)
    expect(forwarderAddress(HUB, TERMS.merchantId)).toBe(cloneAddress(HUB, salt))
  })
})

test('a UUID becomes bytes16 and the same UUID again', () => {
  fc.assert(fc.property(uuids, (uuid) => bytes16ToUuid(uuidToBytes16(uuid)) === uuid))
})
