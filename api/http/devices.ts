import { createHmac, timingSafeEqual } from 'node:crypto'
import type { DashboardConfig } from '../../core/config/dashboard.ts'

/**
 * Browsers in which an account has signed in before. Each has a cookie for the account, signed by the
 * deployment. It grants no access: it only gives the browser its own rate limit, which failures of others
 * can't exhaust. Nothing is stored, so no table grows and no row shows where a user works.
 */

export interface Device {
  /** A digest that identifies the account without revealing its address. */
  readonly account: string
  readonly id: string
}

export interface Devices {
  /** The browser's device for an account; null if the account has not signed in there. */
  of(cookies: string | null, email: string): Device | null
  /** The browser's device for any account. */
  any(cookies: string | null): Device | null
  /** The `Set-Cookie` header for a browser in which the account has just signed in. */
  remember(cookies: string | null, email: string): string
}

/** The maximum lifetime of a cookie (RFC 6265bis, section 5.5), in seconds. */
const KEPT_S = 400 * 86_400
const ID_BYTES = 16
const ACCOUNT_DIGITS = 16
const COOKIE =
  /(?:^|;\s*)((?:__Host-)?remit\.device-)([0-9a-f]{16})=([\w-]{22})\.([\w-]{43})(?=;|$)/g
/** The maximum number of cookies checked per browser. */
const MOST_COOKIES = 20

export function openDevices({
  origin,
  secret,
}: Pick<DashboardConfig, 'origin' | 'secret'>): Devices {
  const isSecure = origin.startsWith('https://')
  const prefix = `${isSecure ? '__Host-' : ''}remit.device-`
  const key = createHmac('sha256', secret).update('devices').digest()
  const mac = (text: string) => createHmac('sha256', key).update(text).digest()
  const accountOf = (email: string) =>
    mac(`account ${email}`).toString('hex').slice(0, ACCOUNT_DIGITS)
  const signatureOf = ({ account, id }: Device) => mac(`device ${account} ${id}`)

  /** The first device with a valid signature, of one account or any. */
  function deviceIn(cookies: string | null, wanted: string | null): Device | null {
    const found = [...(cookies ?? '').matchAll(COOKIE)].filter(
      ([, name, account]) => name === prefix && (wanted === null || account === wanted),
    )
    for (const [, , account = '', id = '', signature = ''] of found.slice(0, MOST_COOKIES)) {
      const expected = signatureOf({ account, id })
      const shown = Buffer.from(signature, 'base64url')
      if (shown.length === expected.length && timingSafeEqual(shown, expected)) {
        return { account, id }
      }
    }
    return null
  }

  const of = (cookies: string | null, email: string) => deviceIn(cookies, accountOf(email))

  return {
    of,
    any: (cookies) => deviceIn(cookies, null),
    remember(cookies, email) {
      const device = of(cookies, email) ?? {
        account: accountOf(email),
        id: crypto
          .getRandomValues(new Uint8Array(ID_BYTES))
          .toBase64({ alphabet: 'base64url', omitPadding: true }),
      }
      const value = `${device.id}.${signatureOf(device).toString('base64url')}`
      return `${prefix}${device.account}=${value}; Max-Age=${KEPT_S}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
    },
  }
}
