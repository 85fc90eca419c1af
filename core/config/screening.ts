import type { IpNetwork } from '../base/network.ts'
import type { Environment } from '../chain/table.ts'
import type { Reader } from './reader.ts'

/** The operator's service that screens payers' addresses. */
export interface ScreeningSource {
  /** It may hold a key of the service's, and is never logged. */
  readonly url: string
  /** Signs requests, as webhooks are signed. */
  readonly secret: string
  /** Networks (CIDR) that it may be in although they are not public. */
  readonly allowed: readonly IpNetwork[]
  /** How long an answer counts, and how long one may take, in ms. */
  readonly keptMs: number
  readonly limitMs: number
}

const SECRET = /^(?:test_)?whsec_([A-Za-z0-9+/]{43}=)$/

/** Whether payers are screened at all, which all processes have to agree on. */
export function isScreening(reader: Reader): boolean {
  return reader.optional('SCREENING_URL') !== null
}

/** The service; null disables screening. */
export function screeningSource(reader: Reader, environment: Environment): ScreeningSource | null {
  const url = reader.optional('SCREENING_URL')
  const secret = reader.optional('SCREENING_SECRET')
  const terms = {
    allowed: reader.networks('SCREENING_ALLOWED_NETWORKS'),
    keptMs: reader.integer('SCREENING_KEPT_S', 86_400, 60, 30 * 86_400) * 1_000,
    limitMs: reader.integer('SCREENING_TIMEOUT_MS', 2_000, 100, 30_000),
  }
  if (url === null) return null
  const schemes = environment === 'live' ? ['https:'] : ['https:', 'http:']
  // What it answers decides about money, so that in live it needs TLS.
  if (!schemes.includes(URL.parse(url)?.protocol ?? '')) {
    reader.problem(
      `SCREENING_URL must be a URL of ${environment === 'live' ? 'https' : 'http or https'}`,
    )
  }
  if (secret === null || !SECRET.test(secret)) {
    reader.problem('SCREENING_SECRET must be whsec_ and 32 bytes in base64')
  }
  return { url, secret: secret ?? '', ...terms }
}
