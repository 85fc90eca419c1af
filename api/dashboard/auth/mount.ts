import type { DashboardConfig } from '../../../core/config/dashboard.ts'
import { AppError } from '../../../core/errors.ts'
import { addressOfExchange } from '../../http/clientAddress.ts'
import { requireOwnOrigin } from '../../http/cors.ts'
import { type ApiDependencies, type Exchange, headersOf } from '../../http/exchange.ts'
import type { Limits } from '../../http/rateLimit.ts'
import { readBodyBytes } from '../../request/body.ts'
import { parseJson } from '../../request/json.ts'
import { targetOf } from '../../request/target.ts'
import { AUTH_PATH, type Auth, CLIENT_HEADER, CONFIRMED_PATH } from './auth.ts'

/** The library's paths that this dashboard uses. Of the others, nothing gets to it. */
const PATHS: Readonly<Record<'GET' | 'POST', readonly string[]>> = {
  GET: [
    '/list-sessions',
    '/verify-email',
    '/passkey/generate-register-options',
    '/passkey/generate-authenticate-options',
    '/passkey/list-user-passkeys',
  ],
  POST: [
    '/sign-up/email',
    '/sign-in/email',
    '/sign-out',
    '/change-password',
    '/revoke-session',
    '/revoke-other-sessions',
    '/send-verification-email',
    '/two-factor/enable',
    '/two-factor/disable',
    '/two-factor/verify-totp',
    '/two-factor/verify-backup-code',
    '/two-factor/generate-backup-codes',
    '/passkey/verify-registration',
    '/passkey/verify-authentication',
    '/passkey/delete-passkey',
    '/passkey/update-passkey',
  ],
}

const MOST_BODY_BYTES = 16_384

/**
 * Answers a request below /dashboard/auth. Every one is counted by the client's address, and those that
 * name an account by that as well, so that many addresses guess no faster than one.
 */
export async function answerAuth(
  deps: Pick<ApiDependencies, 'config' | 'peer'>,
  { auth, config }: { readonly auth: Auth; readonly config: DashboardConfig },
  limits: Limits,
  exchange: Exchange,
): Promise<Response> {
  const { request } = exchange
  const method = request.method === 'POST' ? 'POST' : 'GET'
  const { pathname, searchParams } = targetOf(request)
  const path = pathname.slice(AUTH_PATH.length)
  if (!PATHS[method].includes(path)) throw new AppError('not_found')
  if (method === 'POST') requireOwnOrigin(exchange, config.origin)
  await limits.signIn(exchange)
  const body = method === 'POST' ? await readBodyBytes(request, MOST_BODY_BYTES) : null
  const account = body === null ? null : accountOf(body)
  if (account !== null) await limits.account(exchange, account)
  const headers = new Headers(request.headers)
  headers.set(CLIENT_HEADER, addressOfExchange(deps, exchange) ?? '')
  headers.delete('x-forwarded-host')
  headers.delete('x-forwarded-proto')
  // Whatever a link says, it leads to a page of ours.
  if (path === '/verify-email') searchParams.set('callbackURL', CONFIRMED_PATH)
  const url = `${config.origin}${pathname}?${searchParams}`
  const answer = await auth.handler(
    new Request(url, { method, headers, ...(body === null ? {} : { body: new Uint8Array(body) }) }),
  )
  return inExchange(exchange, answer)
}

/** The address of the account that a body names, in lower case; null when it names none. */
function accountOf(body: Uint8Array): string | null {
  const parsed = parseJson(new TextDecoder().decode(body))
  const value = parsed.ok ? parsed.value : null
  if (typeof value !== 'object' || value === null || !('email' in value)) return null
  return String(value.email).toLowerCase()
}

/** The library's answer with its cookies, each a header of its own, and with ours. */
function inExchange(exchange: Exchange, answer: Response): Response {
  const headers = headersOf(exchange)
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie') headers.set(name, value)
  })
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  exchange.set.status = answer.status
  return new Response(answer.body, { status: answer.status, headers })
}
