import type { Reader } from './reader.ts'

/** Where this deployment is reached: scheme, host and port, of configuration and never of a request. */

/** Where payers reach the API; without PUBLIC_URL, where it listens. */
export function publicUrl(reader: Reader): string {
  const host = reader.text('HOST', '127.0.0.1')
  const port = reader.integer('PORT', 3000, 0, 65_535)
  return reader.origin('PUBLIC_URL', `http://${host.includes(':') ? `[${host}]` : host}:${port}`)
}

/** The public origin of the dashboard; by default the same one. */
export function dashboardUrl(reader: Reader): string {
  // Passkeys belong to names, and none to an address.
  const named = publicUrl(reader).replace(/\/\/(?:127\.0\.0\.1|\[::1\])(?=:|$)/, '//localhost')
  return reader.origin('DASHBOARD_URL', named)
}
