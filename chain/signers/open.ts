import { readFile } from 'node:fs/promises'
import { isHex, size } from 'viem'
import type { SignerSource } from '../../core/config/signers.ts'
import { openKmsSigner } from './awsKms.ts'
import { localSigner } from './local.ts'
import { openPkcs11Signer } from './pkcs11.ts'
import { type DigestSigner, SignerError } from './signer.ts'

/**
 * Opens a signer, and reads the public key from its store.
 * @throws SignerError, whose message is for the operator and holds no secret.
 */
export async function openSigner(source: SignerSource): Promise<DigestSigner> {
  if (source.type === 'key') return localSigner(source.key)
  if (source.type === 'awskms') return openKmsSigner(source)
  if (source.type === 'pkcs11') return openPkcs11Signer(source)
  return openFile(source.path)
}

async function openFile(path: string): Promise<DigestSigner> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new SignerError('refused', `${path} can't be read`, { cause })
  })
  const key = text.trim()
  if (!isHex(key) || size(key) !== 32) {
    throw new SignerError('refused', `${path} must hold one private key of 32 bytes, 0x first`)
  }
  return localSigner(key)
}

/** What a signer is called in logs: nothing of a key, and where it is. */
export function nameOf(source: SignerSource): string {
  if (source.type === 'key') return 'a private key of the environment'
  if (source.type === 'file') return `the file ${source.path}`
  if (source.type === 'awskms') return `AWS KMS key ${source.keyId}`
  return `PKCS#11 object ${source.object} of token ${source.token}`
}
