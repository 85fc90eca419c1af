import { afterAll, expect, test } from 'bun:test'
import pino from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { openSigners } from '../../../../api/x402/signers.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { authorizationDigest } from '../../../../core/x402/digest.ts'
import { parseSignature } from '../../../../core/x402/signature.ts'
import type { Authorization } from '../../../../core/x402/terms.ts'
import { randomAddress, randomHex } from '../../../support/x402/authorizations.ts'

/** The thread that recovers signers, beside the one that answers. */

const signers = openSigners(pino({ level: 'silent' }))

afterAll(() => signers.close())

const domain = {
  name: 'USDC',
  version: '2',
  chainId: 84_532,
  verifyingContract: lowerCaseAddress(randomAddress()),
}

test('a crowd is answered, each with its own signer', async () => {
  const signed = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const account = privateKeyToAccount(randomHex(32))
      const authorization = authorizationOf(lowerCaseAddress(account.address))
      const digest = authorizationDigest(domain, authorization)
      const hash: Hex = `0x${digest.toHex()}`
      const signature = parseSignature(await account.sign({ hash }))
      if (signature === null) throw new Error('viem made no signature')
      return { payer: authorization.from, digest, signature }
    }),
  )
  const found = await Promise.all(signed.map(signers.signerOf))
  expect(found).toEqual(signed.map(({ payer }) => payer))
})

test('a signature that no key can have made has no signer', async () => {
  const r: Hex = `0x${'00'.repeat(31)}05`
  const digest = authorizationDigest(domain, authorizationOf(lowerCaseAddress(randomAddress())))
  expect(await signers.signerOf({ digest, signature: { v: 27, r, s: r } })).toBeNull()
})

function authorizationOf(from: Address): Authorization {
  const times = { validAfter: 0n, validBefore: 1_900_000_000n }
  return {
    from,
    to: lowerCaseAddress(randomAddress()),
    value: 10_000n,
    ...times,
    nonce: randomHex(32),
  }
}
