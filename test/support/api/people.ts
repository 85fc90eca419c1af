import { createHmac } from 'node:crypto'
import type { Exchange } from '../../../api/http/exchange.ts'
import type { Role } from '../../../core/access/roles.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import { createInvitation } from '../../../store/access/invitations.ts'
import { type ApiRig, openRig, type RigOptions } from './rig.ts'

/** People in front of the dashboard, with the cookies that a browser would have. */

export const PASSWORD = 'seven quiet lamps at noon'
export const ORIGIN = 'http://localhost:3000'

const PERIOD_S = 30

/** An API with a dashboard, its limits out of the way. */
export function openDashboardRig(options: RigOptions = {}): Promise<ApiRig> {
  return openRig({
    ...options,
    variables: {
      DASHBOARD_SECRET: 'a secret of thirty-two characters',
      RATE_LIMIT_DASHBOARD: '1000000',
      RATE_LIMIT_SIGN_IN: '1000000',
      ...options.variables,
    },
  })
}

/** A browser with cookies of its own. */
export class Browser {
  readonly cookies = new Map<string, string>()

  constructor(
    private readonly rig: ApiRig,
    private readonly origin: string | null = ORIGIN,
  ) {}

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; json: Json; headers: Headers }> {
    const response = await this.rig.fetch(path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookies.size > 0 ? { cookie: this.cookie } : {}),
        ...(this.origin === null ? {} : { origin: this.origin }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const type = response.headers.get('content-type')
    // A stream has no end to wait for.
    if (type?.startsWith('text/event-stream')) await response.body?.cancel()
    const text = response.bodyUsed ? '' : await response.text()
    const isJson = type?.includes('json') && text !== ''
    return {
      status: response.status,
      json: isJson ? JSON.parse(text) : {},
      headers: response.headers,
    }
  }

  auth(path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) {
    return this.send('POST', `/dashboard/auth${path}`, body, headers)
  }

  /** An operation of the API, for a merchant. */
  api(method: string, merchantId: MerchantId, path: string, body?: unknown) {
    return this.send(method, `/dashboard/api/merchants/${merchantId}${path}`, body)
  }
}

export interface Json {
  readonly code?: string
  readonly message?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

/** Someone with a browser in which they are signed in. */
export interface SignedIn {
  readonly email: string
  readonly browser: Browser
  /** The secret of their authenticator, null without one. */
  readonly secret: string | null
  readonly backupCodes: readonly string[]
}

let people = 0

export function newEmail(): string {
  people += 1
  return `person${people}.${crypto.randomUUID().slice(0, 8)}@example.com`
}

export async function invite(
  rig: ApiRig,
  email: string,
  role: Role,
  merchantId = rig.merchant.merchant.id,
): Promise<string> {
  const { token } = await createInvitation(rig.database, { merchantId, email, role }, new Date())
  return token
}

export function signUp(browser: Browser, email: string, token: string | null, password = PASSWORD) {
  const headers: Record<string, string> = token === null ? {} : { 'x-remit-invitation': token }
  return browser.auth('/sign-up/email', { name: 'Ada', email, password }, headers)
}

/** Opens the link of the newest email to an address. */
export async function confirmAddress(rig: ApiRig, browser: Browser, email: string): Promise<void> {
  const [mail] = await rig.database<{ body: string }[]>`
    select body from mail where recipient = ${email} order by created_at desc limit 1`
  const url = /https?:\/\/\S+/.exec(mail?.body ?? '')?.[0] ?? ''
  const { pathname, search } = new URL(url)
  const { headers } = await browser.send('GET', `${pathname}${search}`)
  // The page sends what stands behind the #.
  await browser.auth('/verify-email', { token: headers.get('location')?.split('#')[1] ?? '' })
}

export function signIn(browser: Browser, email: string, password = PASSWORD) {
  return browser.auth('/sign-in/email', { email, password })
}

/** Invited, confirmed and signed in; with an authenticator unless it is left out. */
export async function newMember(
  rig: ApiRig,
  role: Role,
  merchantId = rig.merchant.merchant.id,
  { hasSecondFactor = true, origin = ORIGIN } = {},
): Promise<SignedIn> {
  const email = newEmail()
  const browser = new Browser(rig, origin)
  await signUp(browser, email, await invite(rig, email, role, merchantId))
  await confirmAddress(rig, browser, email)
  const signed = await signIn(browser, email)
  if (signed.status !== 200) throw new Error(`signing in answered ${JSON.stringify(signed.json)}`)
  if (!hasSecondFactor) return { email, browser, secret: null, backupCodes: [] }
  const enabled = await browser.auth('/two-factor/enable', { password: PASSWORD })
  const secret = new URL(String(enabled.json.totpURI)).searchParams.get('secret') ?? ''
  await beforePeriodTurns()
  // The code before, so that the one of now is still unused. It ends with its period: one more
  // try for those whose period turned on the way.
  const verify = () => browser.auth('/two-factor/verify-totp', { code: totp(secret, -1) })
  const first = await verify()
  const verified = first.status === 200 ? first : await verify()
  if (verified.status !== 200) throw new Error(`the code answered ${JSON.stringify(verified.json)}`)
  return { email, browser, secret, backupCodes: Object(enabled.json).backupCodes }
}

/** Waits for the next period, where this one is about to turn: a code that was refused is in logs. */
async function beforePeriodTurns(): Promise<void> {
  const leftMs = PERIOD_S * 1_000 - (Date.now() % (PERIOD_S * 1_000))
  if (leftMs < 500) await Bun.sleep(leftMs + 10)
}

/** The code of an authenticator, so many periods from now: RFC 6238. */
export function totp(secret: string, periods = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1_000 / PERIOD_S) + periods))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '').toUpperCase()]
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** A request as limits are told of it, with the cookies of a browser. */
export function exchangeWith(cookie: string | null): Exchange {
  const headers: Record<string, string> = cookie === null ? {} : { cookie }
  return {
    request: new Request('http://localhost:3000/', { headers }),
    ...{ server: null, set: { headers: {} }, traceId: '', startedAt: 0, merchantId: null },
    ...{
      operationId: '',
      keyHint: null,
      actor: null,
      about: null,
      errorCode: null,
      span: null,
      onSent: null,
    },
  }
}
