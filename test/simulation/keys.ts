import { privateKeyToAccount } from 'viem/accounts'
import { Random } from './random.ts'

/** Keys of the world, the same in every run. */

export function encodedKey(): string {
  const bytes = new Uint8Array(32)
  new Random('the key that encrypts').fill(bytes)
  return `test:${bytes.toBase64()}`
}

const PAYERS = 8
const random = new Random('the keys of payers')
/** Who holds tokens, and coins for gas. */
export const PAYER_KEYS = Array.from({ length: PAYERS }, () => random.hex(32))
export const PAYER_ACCOUNTS = PAYER_KEYS.map((key) => privateKeyToAccount(key))

/** Who hold no more than this, in base units, and no coins. */
export const LITTLE = 2_500_000n
export const POOR_ACCOUNTS = Array.from({ length: PAYERS }, () =>
  privateKeyToAccount(random.hex(32)),
)
