import { FRESH_MS, SECOND_FACTOR_ROLES } from '../../../core/access/roles.ts'
import { AppError } from '../../../core/base/errors.ts'
import type { PersonId } from '../../../core/base/ids.ts'
import { pasted } from '../../../core/base/text.ts'
import { membershipsOf } from '../../../store/access/members.ts'
import { isOperator } from '../../../store/access/operators.ts'
import { endOtherSessions } from '../../../store/dashboard/authDatabase.ts'
import { emailOfChallenge } from '../../../store/dashboard/signInEvents.ts'
import { guardDatabase } from '../../http/backends.ts'
import { addressOfExchange } from '../../http/clientAddress.ts'
import { requireOwnOrigin } from '../../http/cors.ts'
import { type ApiDependencies, type Exchange, headersOf } from '../../http/exchange.ts'
import type { Limits } from '../../http/rateLimit.ts'
import { invalidBody, readBodyBytes } from '../../request/body.ts'
import { parseJson } from '../../request/json.ts'
import { targetOf } from '../../request/target.ts'
import type { Auth } from './auth.ts'
import { attemptOf, challengeOf, recordAttempt } from './events.ts'
import { type Guessed, notifyOfGuessing } from './guessing.ts'
import {
  AUTH_PATH,
  CHANGES,
  CLIENT_HEADER,
  CONFIRMED_PATH,
  ENDING,
  FRESH,
  GUESSABLE,
  HASHING,
  READS,
  SIGN_INS,
  VERIFY_PATH,
  WAYS,
} from './paths.ts'
import type { SignInPlace } from './place.ts'

type AuthDependencies = Pick<
  ApiDependencies,
  'config' | 'peer' | 'now' | 'availability' | 'database' | 'log'
>

const MOST_BODY_BYTES = 16_384
const NO_OBJECT = { path: '', message: 'must be an object' } as const

type Fields = Readonly<Record<string, unknown>>

/**
 * Handles a request below /dashboard/auth. Each is counted by the client's address, or by the browser
 * in which an account has signed in before; requests that name an account also by account and network, and
 * those in a session by session.
 */
export async function answerAuth(
  deps: AuthDependencies,
  dashboard: SignInPlace,
  limits: Limits,
  exchange: Exchange,
): Promise<Response> {
  const { request } = exchange
  const { config } = dashboard
  const isChange = request.method === 'POST'
  const { pathname, searchParams } = targetOf(request)
  const path = pathname.slice(AUTH_PATH.length)
  const fields = Object.hasOwn(CHANGES, path) ? CHANGES[path] : undefined
  if (isChange ? fields === undefined : !READS.includes(path)) throw new AppError('not_found')
  if (isChange) requireOwnOrigin(exchange, config.origin)
  const body = await countedBody(limits, exchange, fields ?? [])
  if (path === VERIFY_PATH && !isChange) return leadToButton(exchange, searchParams)
  const email = emailIn(body) ?? (await halfSignedIn(deps, limits, exchange, path))
  const signedIn = await requireSignedIn(deps, dashboard, limits, exchange, path)
  const headers = new Headers(request.headers)
  headers.set(CLIENT_HEADER, addressOfExchange(deps, exchange) ?? '')
  headers.delete('x-forwarded-host')
  headers.delete('x-forwarded-proto')
  if (isChange) headers.set('content-type', 'application/json')
  headers.delete('content-length')
  const attempt = await attemptOf(deps, dashboard, exchange, path, body)
  const before = ENDING.includes(path) ? await tokenOf(dashboard, request.headers) : null
  const url = `${config.origin}${pathname}`
  const sent = isChange ? { body: JSON.stringify(body) } : {}
  const authRequest =
    path === VERIFY_PATH
      ? confirming(url, headers, body)
      : new Request(url, { method: request.method, headers, ...sent })
  const known = await knownAccount(limits, exchange, email, signedIn)
  const handle = (auth: Auth) => auth.handler(authRequest)
  const answer = HASHING.includes(path)
    ? await dashboard.hashing.run(exchange, known, async () => handle(await dashboard.auth()))
    : await dashboard.guardAuth(handle)
  if (before !== null && answer.ok) {
    if (SIGN_INS.includes(path)) await endSession(dashboard, before)
    else await guardDatabase(deps, (sql) => endOtherSessions(sql, before))
  }
  if (attempt !== null) await recordAttempt(deps, dashboard, exchange, attempt, answer)
  const guessed = await guessedBy(limits, exchange, path, email, answer.status)
  if (guessed !== null && attempt !== null && attempt.personId !== null) {
    notifyOfGuessing(deps, dashboard, limits, attempt.personId, guessed)
  }
  const device = await deviceCookie(dashboard, limits, exchange, path, answer)
  return inExchange(exchange, answer, device === null ? [] : [device])
}

/** The account by which a request is queued: it is signed in, or was before in this browser. */
async function knownAccount(
  limits: Limits,
  exchange: Exchange,
  email: string | null,
  signedIn: string | null,
): Promise<string | null> {
  if (email === null) return signedIn
  return (await limits.isKnown(exchange, email)) ? email : null
}

/** The account that has sent its password and now sends a code, which is counted; null for none. */
async function halfSignedIn(
  deps: AuthDependencies,
  limits: Limits,
  exchange: Exchange,
  path: string,
): Promise<string | null> {
  const challenge = isOfCode(path) ? challengeOf(exchange.request.headers) : null
  if (challenge === null) return null
  const email = await guardDatabase(deps, (sql) => emailOfChallenge(sql, challenge))
  if (email !== null) await limits.code(exchange, email)
  return email
}

function isOfCode(path: string): boolean {
  return path.startsWith('/two-factor/verify-')
}

/** Counts a failure. Returns the credential whose guessing the account's owner must be notified of, or null. */
async function guessedBy(
  limits: Limits,
  exchange: Exchange,
  path: string,
  email: string | null,
  status: number,
): Promise<Guessed | null> {
  const guessed = isOfCode(path) ? 'code' : 'password'
  if (guessed === 'code' && status === 429) return guessed
  if (guessed === 'password' && path !== '/sign-in/email') return null
  if (email === null || status !== 401) return null
  return (await limits.failed(exchange, email)) ? guessed : null
}

/** Marks the browser as known; null unless it has just signed in. */
async function deviceCookie(
  dashboard: SignInPlace,
  limits: Limits,
  exchange: Exchange,
  path: string,
  answer: Response,
): Promise<string | null> {
  if (!answer.ok || WAYS[path] === undefined) return null
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  const person = await dashboard.whoIs(new Headers({ cookie: cookies.join('; ') }))
  return person === null ? null : limits.remember(exchange, person.email)
}

/** The body of an admitted request. */
async function countedBody(
  limits: Limits,
  exchange: Exchange,
  names: readonly string[],
): Promise<Fields> {
  if (!names.includes('email')) {
    await limits.signIn(exchange)
    return asMeant(await fieldsOf(exchange.request, names))
  }
  const given = await fieldsOf(exchange.request, names).catch(async (error: unknown) => {
    await limits.signIn(exchange)
    throw error
  })
  const body = asMeant(given)
  const email = emailIn(body)
  await (email === null ? limits.signIn(exchange) : limits.account(exchange, email))
  return body
}

function emailIn({ email }: Fields): string | null {
  return typeof email === 'string' ? email : null
}

/**
 * Opening the link in an email confirms nothing, because email scanners open links too: it leads to a page
 * with a button that sends the token from its fragment.
 */
function leadToButton(exchange: Exchange, searchParams: URLSearchParams): Response {
  const token = encodeURIComponent(searchParams.get('token') ?? '')
  const headers = headersOf(exchange)
  headers.set('location', `${CONFIRMED_PATH}#${token}`)
  exchange.set.status = 302
  return new Response(null, { status: 302, headers })
}

/** The button's request in the library's form, without a redirect: only with the token. */
function confirming(url: string, headers: Headers, { token }: Fields): Request {
  headers.delete('content-type')
  return new Request(`${url}?${new URLSearchParams({ token: String(token) })}`, { headers })
}

/** Normalises addresses and codes: authenticators show codes in two groups, and pasted addresses end in line breaks. */
function asMeant(body: Fields): Fields {
  const { email, code } = body
  return {
    ...body,
    ...(typeof email === 'string' ? { email: pasted(email).toLowerCase() } : {}),
    ...(typeof code === 'string' ? { code: code.replaceAll(/\s/g, '') } : {}),
  }
}

/** The path's fields in a JSON body; none in any other format, such as a form. */
async function fieldsOf(request: Request, names: readonly string[]): Promise<Fields> {
  if (request.method !== 'POST') return {}
  const bytes = await readBodyBytes(request, MOST_BODY_BYTES)
  if (bytes.length === 0) return {}
  const parsed = parseJson(new TextDecoder().decode(bytes))
  if (!parsed.ok) throw invalidBody(parsed.details)
  const { value } = parsed
  if (typeof value !== 'object' || value === null) throw invalidBody([NO_OBJECT])
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

/** Checks of a signed-in user beyond the library's. Returns their address; null without a session. */
async function requireSignedIn(
  deps: AuthDependencies,
  dashboard: SignInPlace,
  limits: Limits,
  exchange: Exchange,
  path: string,
): Promise<string | null> {
  if (!GUESSABLE.includes(path) && !FRESH.includes(path)) return null
  const person = await dashboard.whoIs(exchange.request.headers)
  if (person === null) return null
  if (FRESH.includes(path) && deps.now().getTime() - person.signedInAt.getTime() > FRESH_MS) {
    const message = 'requires a sign-in within the last ten minutes: sign in again'
    throw new AppError('fresh_sign_in_required', [{ path: '', message }])
  }
  if (GUESSABLE.includes(path)) await limits.guess(exchange, person.sessionId)
  if (path === '/two-factor/disable' && (await needsSecondFactor(deps, person.id))) {
    throw new AppError('second_factor_required')
  }
  // Its only effect would be to reveal whether a code is right.
  if (person.hasSecondFactor && isOfCode(path)) {
    throw invalidBody([{ path: 'code', message: 'is only accepted during sign-in' }])
  }
  return person.email
}

/** Whether an operator or a role at any merchant requires a second factor. */
function needsSecondFactor(deps: AuthDependencies, personId: PersonId): Promise<boolean> {
  return guardDatabase(deps, async (sql) => {
    const memberships = await membershipsOf(sql, personId)
    if (memberships.some(({ role }) => SECOND_FACTOR_ROLES.includes(role))) return true
    return isOperator(sql, personId)
  })
}

async function tokenOf(dashboard: SignInPlace, headers: Headers): Promise<string | null> {
  if (!headers.has('cookie')) return null
  const query = { disableCookieCache: true }
  const found = await dashboard.guardAuth((auth) => auth.api.getSession({ headers, query }))
  return found?.session.token ?? null
}

async function endSession(dashboard: SignInPlace, token: string): Promise<void> {
  await dashboard.guardAuth(async ({ $context }) => {
    const { internalAdapter } = await $context
    await internalAdapter.deleteSession(token)
  })
}

/** Expires an earlier release's cookies. */
function endsOfFormer(set: readonly string[], shown: string): string[] {
  return set.flatMap((cookie) => {
    const former = cookie.replace(/^__Host-(remit\.[\w-]+)=.*$/s, '__Secure-$1=')
    const isThere = former !== cookie && shown.includes(former)
    return isThere ? [`${former}; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure`] : []
  })
}

/** The library's response with its cookies, one per header, and ours. */
function inExchange(exchange: Exchange, answer: Response, ours: readonly string[]): Response {
  const headers = headersOf(exchange)
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie') headers.set(name, value)
  })
  const set = [...answer.headers.getSetCookie(), ...ours]
  const shown = exchange.request.headers.get('cookie') ?? ''
  for (const cookie of [...set, ...endsOfFormer(set, shown)]) headers.append('set-cookie', cookie)
  exchange.set.status = answer.status
  return new Response(answer.body, { status: answer.status, headers })
}
