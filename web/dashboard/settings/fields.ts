import type { presentSettings } from '../../../core/checkout/settings.ts'

/** The settings of the checkout as the API shows them; null is what was never set. */
export type SettingsJson = ReturnType<typeof presentSettings>

/** What a form says of them. An empty text takes away what was set. */
export type SettingsDraft = Omit<SettingsJson, 'logoUrl' | 'updatedAt' | 'defaultExpiry'> & {
  readonly defaultExpiry?: number
}

/** Seconds of the units in which a merchant says how long a payment may take, largest first. */
export const EXPIRY_UNITS = { days: 86_400, hours: 3_600, minutes: 60 } as const
export type ExpiryUnit = keyof typeof EXPIRY_UNITS
const UNITS: readonly ExpiryUnit[] = ['days', 'hours', 'minutes']

/** `percent` of the amount due, or an `amount` of the token. */
export type ToleranceUnit = 'percent' | 'amount'

/** What the form says, for PATCH /v1/settings/checkout. */
export function changeOf(fields: FormData): SettingsDraft {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const expiry = secondsOf(text('expiry'), text('expiryUnit'))
  return {
    ...{ name: text('name'), accent: text('accent'), returnUrl: text('returnUrl') },
    ...{ supportEmail: text('supportEmail'), supportUrl: text('supportUrl') },
    allowedOrigins: text('allowedOrigins')
      .split(/[\s,]+/)
      .filter(Boolean),
    languages: fields.getAll('languages').map(String),
    underpaymentTolerance: writeTolerance(text('tolerance'), text('toleranceUnit')),
    ...(expiry === null ? {} : { defaultExpiry: expiry }),
  }
}

/** The number and the largest unit that say these seconds whole. */
export function splitExpiry(seconds: number): { readonly n: number; readonly unit: ExpiryUnit } {
  const unit = UNITS.find((name) => seconds % EXPIRY_UNITS[name] === 0) ?? 'minutes'
  return { n: seconds / EXPIRY_UNITS[unit], unit }
}

/** A tolerance of the API, `0.5` or `50bps`, as a form shows it. */
export function splitTolerance(text: string): {
  readonly value: string
  readonly unit: ToleranceUnit
} {
  const [, digits] = /^([0-9]+)bps$/.exec(text) ?? []
  if (digits === undefined) return { value: text, unit: text === '0' ? 'percent' : 'amount' }
  const hundredths = digits.padStart(3, '0')
  const fraction = hundredths.slice(-2).replace(/0+$/, '')
  return { value: hundredths.slice(0, -2) + (fraction && `.${fraction}`), unit: 'percent' }
}

/** The same back: a percentage of at most two decimals is one of whole basis points. */
export function writeTolerance(value: string, unit: string): string {
  if (value === '') return '0'
  if (unit !== 'percent') return value
  const [, whole = '', fraction = ''] = /^([0-9]{1,3})(?:\.([0-9]{1,2})0*)?$/.exec(value) ?? []
  // What is no percentage is refused by the API, which says what to write.
  if (whole === '') return `${value} %`
  return `${Number(whole + fraction.padEnd(2, '0'))}bps`
}

function secondsOf(text: string, unit: string): number | null {
  const seconds = UNITS.find((name) => name === unit)
  return text === '' || seconds === undefined ? null : Number(text) * EXPIRY_UNITS[seconds]
}
