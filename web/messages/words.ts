import type { Messages } from './en.ts'
import { directionOf, type Locale } from './locale.ts'

export type Values = Readonly<Record<string, string | number>>

/** The entries that every catalogue has, with which amounts and durations are written. */
type Common = Pick<Messages, 'decimalMark' | 'groupMark' | 'seconds' | 'minutes'>

/** The entries of any catalogue that has those. */
type Catalogue<Key extends string> = Common & { readonly [K in Key]: string }

/** How a page speaks: its sentences, amounts and durations in one language. */
export interface Words<Key extends string = keyof Messages> {
  readonly locale: Locale
  say(key: Key | keyof Common, values?: Values): string
  /**
   * A decimal with at least two places, or those of its currency, and its thousands apart; exact, however
   * long it is.
   */
  amount(decimal: string, currency?: string): string
  /** The same with its token or currency, which it never parts from at the end of a line. */
  money(decimal: string, unit: string): string
  /** In whole seconds below a minute and a half, else in minutes. */
  duration(seconds: number): string
}

/** One for each language, made when it is first needed: that takes longer than all that it is used for. */
const plurals = new Map<Locale, Intl.PluralRules>()

function pluralsOf(locale: Locale): Intl.PluralRules {
  const rules = plurals.get(locale) ?? new Intl.PluralRules(locale)
  plurals.set(locale, rules)
  return rules
}

export function createWords<Key extends string>(
  messages: Catalogue<Key>,
  locale: Locale,
): Words<Key> {
  // Names and amounts run from left to right; between isolates they don't disorder the sentence.
  const [start, end] = directionOf(locale) === 'rtl' ? ['\u2068', '\u2069'] : ['', '']

  /** Fills {name}, and {name|one:# second|other:# seconds} by the language's own plural. */
  function say(key: Key | keyof Common, values: Values = {}): string {
    return messages[key].replace(
      /\{(\w+)((?:\|\w+:[^|}]*)*)\}/g,
      (_, name: string, forms: string) => {
        const value = values[name] ?? ''
        if (forms === '') return `${start}${value}${end}`
        const byForm = new Map(
          forms
            .slice(1)
            .split('|')
            .map((form): [string, string] => {
              const at = form.indexOf(':')
              return [form.slice(0, at), form.slice(at + 1)]
            }),
        )
        const chosen =
          byForm.get(pluralsOf(locale).select(Number(value))) ?? byForm.get('other') ?? ''
        return chosen.replace('#', `${start}${value}${end}`)
      },
    )
  }

  function amount(decimal: string, currency?: string): string {
    const [whole = '0', fraction = ''] = decimal.split('.')
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, messages.groupMark)
    const padded = fraction.padEnd(currency === undefined ? 2 : placesOf(currency), '0')
    return padded === '' ? grouped : `${grouped}${messages.decimalMark}${padded}`
  }

  return {
    locale,
    say,
    amount,
    money: (decimal, unit) => `${amount(decimal, unit)}\u00a0${unit}`,
    duration(seconds) {
      if (seconds < 90) return say('seconds', { n: Math.max(1, Math.round(seconds)) })
      return say('minutes', { n: Math.round(seconds / 60) })
    },
  }
}

/** How many decimals a currency has: none for JPY, three for KWD. Two for tokens, which Intl doesn't know. */
function placesOf(unit: string): number {
  if (!/^[A-Z]{3}$/.test(unit)) return 2
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: unit })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}
