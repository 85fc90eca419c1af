import { expect, test } from 'bun:test'
import { getAddress } from 'viem'
import { checksumAddress, hashFrom, lowerCaseAddress } from '../../../core/chain/evm.ts'

test("an address's checksum is that of EIP-55's examples, and of any address", () => {
  for (const text of [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ]) {
    expect(String(checksumAddress(lowerCaseAddress(text)))).toBe(text)
  }
  for (let i = 1; i <= 50; i++) {
    const address = lowerCaseAddress(`0x${'abcdef'.repeat(6)}${i.toString(16).padStart(4, '0')}`)
    expect(String(checksumAddress(address))).toBe(getAddress(address))
  }
})

test('a hash is 32 bytes', () => {
  const hash = `0x${'ab'.repeat(32)}`
  expect(String(hashFrom(hash))).toBe(hash)
  for (const text of ['', '0x', hash.slice(2), `${hash}ab`, hash.slice(0, -1)]) {
    expect(() => hashFrom(text)).toThrow('not a 32-byte hash')
  }
})
