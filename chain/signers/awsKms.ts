import { hexToBytes } from 'viem'
import type { KmsSource } from '../../core/config/signers.ts'
import { OPENING, type RetryLimits, SIGNING, withRetries } from './retries.ts'
import {
  addressOfPoint,
  type DigestSigner,
  finishSignature,
  pointOfSpki,
  readDer,
  SignerError,
} from './signer.ts'

/** A key in AWS KMS (key spec ECC_SECG_P256K1), which signs there and never leaves it. */

/** Transient errors that are reported as client errors. */
const PASSING = new Set([
  'DependencyTimeoutException',
  'KMSInternalException',
  'KeyUnavailableException',
  'LimitExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'Throttling',
  'TooManyRequestsException',
  'ExpiredTokenException',
])

export interface KmsTimeouts {
  readonly opening?: RetryLimits
  readonly signing?: RetryLimits
}

/**
 * Reads the public key and answers with a signer. The credentials are those that AWS' own tools find: the
 * environment, a profile, or the role of the machine or pod.
 * @throws SignerError when KMS is away or refuses.
 */
export async function openKmsSigner(
  source: KmsSource,
  { opening = OPENING, signing = SIGNING }: KmsTimeouts = {},
): Promise<DigestSigner> {
  const kms = await openKms(source)
  const { client, GetPublicKeyCommand, SignCommand } = kms
  const { keyId } = source
  const opened = withRetries(opening, (abortSignal) =>
    withSignerErrors(async () => {
      const key = await client.send(new GetPublicKeyCommand({ KeyId: keyId }), { abortSignal })
      if (key.KeyUsage !== 'SIGN_VERIFY' || key.PublicKey === undefined) {
        throw new SignerError('refused', 'its key is not for signing (KeyUsage SIGN_VERIFY)')
      }
      return pointOfSpki(key.PublicKey)
    }),
  )
  const point = await opened.catch((error: unknown) => {
    kms.close()
    throw error
  })
  return {
    address: addressOfPoint(point),
    store: 'awskms',
    isImmediate: false,
    close: () => kms.close(),
    sign: (digest) =>
      withRetries(signing, (abortSignal) =>
        withSignerErrors(async () => {
          const command = new SignCommand({
            KeyId: keyId,
            Message: hexToBytes(digest),
            MessageType: 'DIGEST',
            SigningAlgorithm: 'ECDSA_SHA_256',
          })
          const { Signature } = await client.send(command, { abortSignal })
          return finishSignature(readDer(Signature ?? new Uint8Array()), digest, point)
        }),
      ),
  }
}

/** A client for a key, and the commands of its library, which takes memory that others need not have. */
export async function openKms({ keyId, region, endpoint }: KmsSource) {
  const { DecryptCommand, GetPublicKeyCommand, KMSClient, SignCommand } = await import(
    '@aws-sdk/client-kms'
  )
  const client = new KMSClient({
    ...(region === null ? {} : { region }),
    ...(endpoint === null ? {} : { endpoint }),
    // Tries are made here, within a time that is known.
    maxAttempts: 1,
  })
  return {
    client,
    GetPublicKeyCommand,
    SignCommand,
    close: () => client.destroy(),
    /** Decrypts what this key has encrypted in this context, and nothing else. */
    decrypt: (
      ciphertext: Uint8Array,
      context: Readonly<Record<string, string>>,
      limits: RetryLimits,
    ) =>
      withRetries(limits, (abortSignal) =>
        withSignerErrors(async () => {
          const command = new DecryptCommand({
            KeyId: keyId,
            CiphertextBlob: ciphertext,
            EncryptionContext: { ...context },
          })
          const { Plaintext } = await client.send(command, { abortSignal })
          if (Plaintext === undefined) throw new SignerError('refused', 'there was no plaintext')
          return Plaintext
        }),
      ),
  }
}

/** What KMS refuses it would refuse again; what else goes wrong passes. */
async function withSignerErrors<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof SignerError || !(error instanceof Error)) throw error
    const isOurs = '$fault' in error && error.$fault === 'client'
    if (!isOurs || PASSING.has(error.name)) throw error
    throw new SignerError('refused', `${error.name}: ${error.message.slice(0, 300)}`, {
      cause: error,
    })
  }
}
