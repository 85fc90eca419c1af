import { expect, test } from 'bun:test'
import { keccak256, parseTransaction, serializeTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { localSigner } from '../../../chain/signers/local.ts'
import { signTransaction, type UnsignedTransaction } from '../../../chain/signers/transaction.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'

/** Our encoding of transactions beside viem's. */

const key = generatePrivateKey()
const account = privateKeyToAccount(key)
const signer = localSigner(key)

/** Around every length at which the encoding of a string or a list changes, and single bytes of both kinds. */
const LENGTHS = [0, 1, 2, 54, 55, 56, 57, 150, 254, 255, 256, 257, 65_535, 65_536, 70_000]
const FIRST_BYTES = [0x00, 0x01, 0x7f, 0x80, 0xff]
const NUMBERS = [0n, 1n, 127n, 128n, 255n, 256n, 2n ** 32n, 2n ** 63n - 1n]

function transactions(): UnsignedTransaction[] {
  return LENGTHS.flatMap((length) =>
    FIRST_BYTES.map((first, i): UnsignedTransaction => {
      const data = new Uint8Array(length).fill(length % 251)
      if (length > 0) data[0] = first
      const number = (place: number) => NUMBERS[(length + i + place) % NUMBERS.length] ?? 0n
      const maxPriorityFeePerGas = number(2)
      return {
        chainId: [1, 137, 84532, 11155111][i % 4] ?? 1,
        nonce: number(0) % 2n ** 53n,
        to: lowerCaseAddress(privateKeyToAccount(generatePrivateKey()).address),
        data: `0x${data.toHex()}`,
        gas: number(1),
        maxPriorityFeePerGas,
        maxFeePerGas: maxPriorityFeePerGas + number(3),
      }
    }),
  )
}

test('a signed transaction is byte for byte what viem makes of it, for every length', async () => {
  for (const tx of transactions()) {
    const { raw, hash } = await signTransaction(tx, (digest) => signer.sign(digest))
    const viems = { ...tx, nonce: Number(tx.nonce), type: 'eip1559' } as const
    expect(raw).toBe(await account.signTransaction(viems))
    expect(hash).toBe(keccak256(raw))
  }
})

test('r and s lose their leading zeros, and keep those in the middle', async () => {
  const [tx] = transactions()
  if (tx === undefined) throw new Error('there is no transaction')
  const signature = {
    r: `0x${'00'.repeat(2)}01${'00'.repeat(29)}`,
    s: `0x${'00'.repeat(31)}80`,
    yParity: 1,
  } as const
  const { raw } = await signTransaction(tx, async () => signature)
  expect(raw).toBe(
    serializeTransaction({ ...tx, nonce: Number(tx.nonce), type: 'eip1559' }, signature),
  )
  expect(parseTransaction(raw)).toMatchObject({ yParity: 1, type: 'eip1559' })
})

test('what is no address or amount, or holds half a byte, is refused', async () => {
  const [tx] = transactions()
  if (tx === undefined) throw new Error('there is no transaction')
  const sign = signer.sign.bind(signer)
  for (const to of ['0x', '0x12', `${tx.to}00`, tx.to.slice(0, -2)]) {
    await expect(signTransaction({ ...tx, to } as never, sign)).rejects.toThrow('not an address')
  }
  await expect(signTransaction({ ...tx, gas: -1n }, sign)).rejects.toThrow()
  await expect(signTransaction({ ...tx, data: '0xabc' }, sign)).rejects.toThrow()
})
