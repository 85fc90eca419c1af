import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { ENCRYPTION_CONTEXT, withDataKeys } from '../../../chain/signers/dataKeys.ts'
import { parseSecretKeys } from '../../../core/base/keyring.ts'
import { AWS_VARIABLES, type FakeKms, startFakeKms, wrapped } from '../../support/signers/kms.ts'

/** Keys of the database's secrets that a KMS decrypts when a process starts. */

const KEY = crypto.getRandomValues(new Uint8Array(32))
const OPEN = `k0:${new Uint8Array(32).fill(7).toBase64()}`
const LONG = { tryMs: 10_000, totalMs: 60_000 }
/** For what is waited for in vain. */
const SHORT = { tryMs: 200, totalMs: 600 }
let kms: FakeKms
const before = { ...process.env }
beforeAll(() => {
  Object.assign(process.env, AWS_VARIABLES)
  kms = startFakeKms(generatePrivateKey())
})
beforeEach(() => kms.behave('signs'))
afterAll(async () => {
  process.env = before
  await kms.close()
})

const text = (context: Record<string, string> = ENCRYPTION_CONTEXT) =>
  `k1:${kms.url}#${wrapped(KEY, context)}, ${OPEN}`
const read = (ENCRYPTION_KEYS: string, patience = LONG) =>
  withDataKeys({ PORT: '1', ENCRYPTION_KEYS }, patience)

test('a key is decrypted once, and one that is open stays as it is', async () => {
  kms.behave('throttles')
  const { ENCRYPTION_KEYS = '', ...others } = await read(text())
  expect(others).toEqual({ PORT: '1' })
  const parsed = parseSecretKeys(ENCRYPTION_KEYS)
  expect(parsed).toMatchObject({ ok: true, keys: [{ id: 'k1', bytes: KEY }, { id: 'k0' }] })
})

test('no one is asked where no key is encrypted', async () => {
  const asked = kms.asked
  const own = { ENCRYPTION_KEYS: OPEN }
  expect(await withDataKeys(own)).toBe(own)
  expect(await withDataKeys({})).toEqual({})
  expect(kms.asked).toBe(asked)
})

test.each([
  ['refuses', 'AccessDeniedException'],
  ['hangs', 'it has not answered within'],
] as const)('a KMS that %s ends the start with a sentence', async (behaviour, words) => {
  kms.behave(behaviour)
  await expect(read(text(), behaviour === 'hangs' ? SHORT : LONG)).rejects.toThrow(
    `ENCRYPTION_KEYS: AWS KMS does not decrypt the key k1: ${words}`,
  )
})

test('what was encrypted for another purpose is no key', async () => {
  await expect(read(text({ purpose: 'another' }))).rejects.toThrow('InvalidCiphertextException')
})

test('what names no key of a KMS is refused without a question', async () => {
  const asked = kms.asked
  await expect(read('k1:awskms://host/alias#QUJD')).rejects.toThrow('must be awskms:///alias/NAME')
  await expect(read(`k1:${kms.url}#%%`)).rejects.toThrow('does not decrypt the key k1')
  expect(kms.asked).toBe(asked)
})
