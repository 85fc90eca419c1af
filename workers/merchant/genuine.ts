import type { Judged } from '../../store/merchant/requestMacs.ts'

/** How what has no valid HMAC is ended, as merchants read it. */
export const NOT_GENUINE = 'a check: it does not come from the API of this deployment'

/** One alarm for each merchant: a thief who can store one forged request can store thousands. */
export const FORGED = 'forged request of merchant'

/** So long this process may lack a key by mistake, while keys are replaced. */
const KEY_MISSES_MS = 3_600_000

/**
 * Why a row is not to be carried out; null for a genuine one.
 *
 * @throws Error where this process lacks its key: it is retried later, for an hour.
 */
export function faultOf({ verdict, at }: Judged): string | null {
  if (verdict === 'unknown_key' && Date.now() - at.getTime() < KEY_MISSES_MS) {
    throw new Error('it names a key that ENCRYPTION_KEYS of this worker lacks, and waits for it')
  }
  return verdict === 'genuine' ? null : NOT_GENUINE
}
