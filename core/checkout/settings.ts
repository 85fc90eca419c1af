import type { ErrorDetail } from '../base/errors.ts'
import { iso } from '../base/instant.ts'
import { cleanText } from '../base/text.ts'
import type { Environment } from '../chain/table.ts'
import { NO_TOLERANCE, readUsualTolerance } from '../invoice/tolerance.ts'
import { contrastWithWhite, darkened, LEAST_CONTRAST } from './accent.ts'
import { logoPath } from './logo.ts'
import { expiryProblems } from './price.ts'
import { checkPayerUrl, checkReturnUrl } from './returning.ts'

/** What a merchant decides about its checkout pages. */

export interface CheckoutSettings {
  /** As payers read it; null for the name that the merchant was created with. */
  readonly name: string | null
  /** Names the logo in its URL; null without one. */
  readonly logoId: string | null
  readonly accent: string | null
  readonly supportEmail: string | null
  readonly supportUrl: string | null
  readonly returnUrl: string | null
  /** Whole origins: pages of these may begin sessions, frame them, and be returned to. */
  readonly allowedOrigins: readonly string[]
  /** The payment window of sessions whose price sets none, in seconds. */
  readonly defaultExpiry: number | null
  /** The languages of the pages; empty for all. */
  readonly languages: readonly string[]
  /** The underpayment tolerance where price and invoice have none. */
  readonly underpaymentTolerance: string
  readonly updatedAt: Date | null
}

/** What can be changed; an empty text takes away what was there. */
export interface SettingsChange {
  readonly name?: string
  readonly accent?: string
  readonly supportEmail?: string
  readonly supportUrl?: string
  readonly returnUrl?: string
  readonly allowedOrigins?: readonly string[]
  readonly defaultExpiry?: number
  readonly languages?: readonly string[]
  readonly underpaymentTolerance?: number | string
}

export const NO_SETTINGS: CheckoutSettings = {
  name: null,
  logoId: null,
  accent: null,
  supportEmail: null,
  supportUrl: null,
  returnUrl: null,
  allowedOrigins: [],
  defaultExpiry: null,
  languages: [],
  underpaymentTolerance: NO_TOLERANCE,
  updatedAt: null,
}

/** The languages that pages can be shown in, as BCP 47 names them. */
export const PAGE_LANGUAGES = [
  'en',
  'de',
  'es',
  'fr',
  'pt',
  'it',
  'nl',
  'pl',
  'tr',
  'zh',
  'ja',
  'ar',
] as const

export const MAX_NAME_LENGTH = 80
export const MAX_ORIGINS = 50
const MAX_EMAIL_LENGTH = 254
const EMAIL = /^[^\s@"'<>?&,;:]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z]{2,}$/i
const COLOUR = /^#[0-9a-f]{6}$/i

export type SettingsDecision =
  | { readonly ok: true; readonly settings: CheckoutSettings }
  | { readonly ok: false; readonly details: readonly ErrorDetail[] }

/** Carries a change out on what was there, and checks all of the result. */
export function changeSettings(
  before: CheckoutSettings,
  change: SettingsChange,
  environment: Environment,
): SettingsDecision {
  const { allowedOrigins = before.allowedOrigins, languages = before.languages } = change
  const tolerance = readUsualTolerance(change.underpaymentTolerance ?? before.underpaymentTolerance)
  const settings: CheckoutSettings = {
    ...before,
    name: taken(change.name, before.name),
    accent: taken(change.accent?.toLowerCase(), before.accent),
    supportEmail: taken(change.supportEmail, before.supportEmail),
    supportUrl: taken(change.supportUrl, before.supportUrl),
    returnUrl: taken(change.returnUrl, before.returnUrl),
    allowedOrigins: [...new Set(allowedOrigins)],
    defaultExpiry: change.defaultExpiry ?? before.defaultExpiry,
    languages: [...new Set(languages)],
    underpaymentTolerance: tolerance.ok ? tolerance.text : before.underpaymentTolerance,
  }
  const details = [
    ...textProblems(settings),
    ...accentProblems(settings.accent),
    ...originProblems(settings.allowedOrigins, environment),
    ...urlProblems(settings, environment),
    ...expiryProblems(settings.defaultExpiry ?? undefined, 'defaultExpiry'),
    ...languageProblems(settings.languages),
    ...(tolerance.ok ? [] : [{ path: 'underpaymentTolerance', message: tolerance.message }]),
  ]
  return details.length === 0 ? { ok: true, settings } : { ok: false, details }
}

/** The settings as the API shows them. */
export function presentSettings(settings: CheckoutSettings) {
  const { logoId, updatedAt, ...shown } = settings
  return { ...shown, logoUrl: logoPath(logoId), updatedAt: iso(updatedAt) }
}

function taken(sent: string | undefined, before: string | null): string | null {
  if (sent === undefined) return before
  return sent === '' ? null : sent
}

function textProblems({ name, supportEmail }: CheckoutSettings): ErrorDetail[] {
  const details: ErrorDetail[] = []
  if (name !== null && ([...name].length > MAX_NAME_LENGTH || cleanText(name) !== name)) {
    const message = `must have 1 to ${MAX_NAME_LENGTH} characters on one line, none of them invisible`
    details.push({ path: 'name', message })
  }
  const isEmail = supportEmail === null || EMAIL.test(supportEmail)
  if (!isEmail || (supportEmail?.length ?? 0) > MAX_EMAIL_LENGTH) {
    details.push({ path: 'supportEmail', message: 'must be an address like help@shop.example' })
  }
  return details
}

function accentProblems(accent: string | null): ErrorDetail[] {
  if (accent === null) return []
  if (!COLOUR.test(accent)) return [{ path: 'accent', message: 'must be a colour like #0b6e4f' }]
  const contrast = contrastWithWhite(accent)
  if (contrast >= LEAST_CONTRAST) return []
  const message =
    `has a contrast of ${contrast.toFixed(1)} to white and must have ${LEAST_CONTRAST} (WCAG 2.2, ` +
    `1.4.11): take ${darkened(accent)}, for example`
  return [{ path: 'accent', message }]
}

function originProblems(origins: readonly string[], environment: Environment): ErrorDetail[] {
  if (origins.length > MAX_ORIGINS) {
    return [{ path: 'allowedOrigins', message: `must be at most ${MAX_ORIGINS}` }]
  }
  return origins.flatMap((origin, index) => {
    const checked = checkPayerUrl(origin, environment)
    const isWhole = checked.ok && checked.url.origin === origin
    if (isWhole) return []
    const message = checked.ok
      ? 'must be one scheme, host and port, e.g. https://shop.example'
      : checked.message
    return [{ path: `allowedOrigins.${index}`, message }]
  })
}

function urlProblems(settings: CheckoutSettings, environment: Environment): ErrorDetail[] {
  const { supportUrl, returnUrl, allowedOrigins } = settings
  const support = supportUrl === null ? null : checkPayerUrl(supportUrl, environment)
  const back = returnUrl === null ? null : checkReturnUrl(returnUrl, environment, allowedOrigins)
  return [
    ...(support?.ok === false ? [{ path: 'supportUrl', message: support.message }] : []),
    ...(back?.ok === false ? [{ path: 'returnUrl', message: back.message }] : []),
  ]
}

function languageProblems(languages: readonly string[]): ErrorDetail[] {
  const known: readonly string[] = PAGE_LANGUAGES
  return languages.flatMap((language, index) =>
    known.includes(language)
      ? []
      : [{ path: `languages.${index}`, message: `must be one of ${known.join(', ')}` }],
  )
}
