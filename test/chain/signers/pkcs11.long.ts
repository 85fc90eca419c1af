import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { recoverAddress } from 'viem'
import { digestOf, signElsewhere } from '../../support/signers/signing.ts'
import { hasSoftHsm, makeToken, type TestToken } from '../../support/signers/token.ts'

/** Keys on a PKCS#11 token: SoftHSM2, where it is installed or may be. */

/** The full count is SIGNATURES=1000. */
const SIGNATURES = Number(process.env.SIGNATURES ?? 100)

const isHere = await hasSoftHsm()

describe.skipIf(!isHere)('a key on a token', () => {
  let token: TestToken
  beforeAll(async () => {
    token = await makeToken()
  }, 60_000)
  afterAll(() => token?.close())

  const ask = (change: Partial<TestToken['source']>, count = 1) =>
    signElsewhere({ source: { ...token.source, ...change }, count }, token.environment)

  test(`signs ${SIGNATURES} times what viem verifies`, async () => {
    const signed = await ask({}, SIGNATURES)
    if (!('signatures' in signed)) throw new Error(JSON.stringify(signed))
    expect(signed.address).toBe(token.address)
    expect(signed.signatures).toHaveLength(SIGNATURES)
    for (const [i, signature] of signed.signatures.entries()) {
      const recovered = await recoverAddress({ hash: digestOf(i), signature })
      expect(recovered.toLowerCase()).toBe(signed.address)
    }
  }, 60_000)

  test('is not locked by a PIN that was changed: a wrong one is tried once', async () => {
    const asked = { source: token.source, count: 0, losesPin: true }
    const answer = await signElsewhere(asked, token.environment)
    if (!('refusals' in answer)) throw new Error(JSON.stringify(answer))
    const [first, ...later] = answer.refusals
    expect(first).toContain('CKR_PIN_INCORRECT')
    for (const message of later) expect(message).toContain('not tried again')
    expect(answer.isBack).toBe(true)
  }, 20_000)

  test.each([
    [{ object: 'other' }, 'refused', '0 private keys called other'],
    [{ token: 'other' }, 'absent', 'no token is called other'],
    [{ pinFile: '/etc/hostname' }, 'refused', 'CKR_PIN_INCORRECT'],
    [{ module: '/usr/lib/none.so' }, 'refused', 'none.so'],
  ])(
    'is not used where it is not what was asked for: %j',
    async (change, kind, message) => {
      expect(await ask(change)).toEqual({ kind, message: expect.stringContaining(message) })
    },
    20_000,
  )
})
