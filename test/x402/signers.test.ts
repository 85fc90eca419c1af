import { afterAll, expect, test } from 'bun:test'
import pino from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { openSigners } from '../../api/x402/signers.ts'
import { lowerCaseAddress } from '../../core/evm.ts'
import { parseSignature } from '../../core/x402/signature.ts'
import { randomHex } from '../support/authorizations.ts'

/** The thread that recovers signers, beside the one that answers. */

const signers = openSigners(pino({ level: 'silent' }))

afterAll(() => signers.close())

test('a crowd is answered, each with its own signer', async () => {
  const signed = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const account = privateKeyToAccount(randomHex(32))
      const hash = randomHex(32)
      const signature = parseSignature(await account.sign({ hash }))
      if (signature === null) throw new Error('viem made no signature')
      return { address: lowerCaseAddress(account.address), hash, signature }
    }),
  )
  const found = await Promise.all(
    signed.map(({ hash, signature }) =>
      signers.signerOf(Uint8Array.fromHex(hash.slice(2)), signature),
    ),
  )
  expect(found).toEqual(signed.map(({ address }) => address))
})

test('a signature that no key can have made has no signer', async () => {
  const r = `0x${'00'.repeat(31)}05` as const
  expect(await signers.signerOf(new Uint8Array(32), { v: 27, r, s: r })).toBeNull()
})
