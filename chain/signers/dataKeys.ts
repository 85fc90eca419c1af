import type { Variables } from '../../core/config/reader.ts'
import { type KmsSource, parseSignerUrl } from '../../core/config/signers.ts'
import { openKms } from './awsKms.ts'
import { OPENING, type RetryLimits } from './retries.ts'
import { SignerError } from './signer.ts'

/**
 * Keys of ENCRYPTION_KEYS that are kept encrypted, and that a process has decrypted when it starts (envelope
 * encryption): `name:awskms:///alias/NAME#<ciphertext in base64>`, instead of `name:<key in base64>`.
 */

const NAME = 'ENCRYPTION_KEYS'
const WRAPPED = /^([a-z0-9-]+):(awskms:[^#]*)#(\S+)$/

/**
 * The encryption context of such a key, so that no other ciphertext of the same KMS key is accepted for one.
 */
export const ENCRYPTION_CONTEXT = { purpose: 'remit-secrets' } as const

/**
 * The variables with every such key decrypted; the same when there is none, without a request.
 * @throws SignerError, whose message is for the operator and holds nothing of a key.
 */
export async function withDataKeys(
  variables: Variables,
  limits: RetryLimits = OPENING,
): Promise<Variables> {
  const text = variables[NAME]
  if (!text?.includes('awskms:')) return variables
  const keys = await Promise.all(text.split(',').map((part) => plain(part.trim(), limits)))
  return { ...variables, [NAME]: keys.join(',') }
}

async function plain(part: string, limits: RetryLimits): Promise<string> {
  const [, name, url = '', ciphertext = ''] = WRAPPED.exec(part) ?? []
  if (name === undefined) return part
  const parsed = parseSignerUrl(url)
  if (!parsed.ok)
    throw new SignerError('refused', `${NAME} under the name ${name} ${parsed.message}`)
  const { source } = parsed
  if (source.type !== 'awskms') throw new SignerError('refused', `${NAME} takes keys of AWS KMS`)
  return `${name}:${await decrypted(source, name, ciphertext, limits)}`
}

async function decrypted(
  source: KmsSource,
  name: string,
  ciphertext: string,
  limits: RetryLimits,
): Promise<string> {
  const kms = await openKms(source)
  try {
    const bytes = await kms.decrypt(Uint8Array.fromBase64(ciphertext), ENCRYPTION_CONTEXT, limits)
    return bytes.toBase64()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const kind = error instanceof SignerError ? error.kind : 'refused'
    throw new SignerError(kind, `${NAME}: AWS KMS does not decrypt the key ${name}: ${reason}`, {
      cause: error,
    })
  } finally {
    kms.close()
  }
}
