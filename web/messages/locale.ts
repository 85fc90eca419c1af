/** The languages of the page in their own words, in the order of the menu. */
export const LOCALES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  tr: 'Türkçe',
  zh: '中文',
  ja: '日本語',
  ar: 'العربية',
} as const

export type Locale = keyof typeof LOCALES

export function isLocale(text: string): text is Locale {
  return Object.hasOwn(LOCALES, text)
}

/** Which languages are offered: those that the merchant chose, or all when none of ours is among them. */
export function offeredLocales(chosen: readonly string[]): readonly Locale[] {
  const offered = chosen.filter(isLocale)
  return offered.length > 0 ? offered : Object.keys(LOCALES).filter(isLocale)
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr'
}

/**
 * The language of a request, of those that are offered: the one chosen by hand, else the best of its
 * Accept-Language (RFC 9110, section 12.5.4), else English, else the first.
 */
export function chooseLocale(
  byHand: string | null,
  acceptLanguage: string | null,
  offered: readonly Locale[],
): Locale {
  const find = (text: string | null | undefined) => offered.find((locale) => locale === text)
  const chosen = find(byHand)
  if (chosen !== undefined) return chosen
  const wanted = (acceptLanguage ?? '').split(',', MOST_RANGES).map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((part) => part.startsWith('q='))?.slice(2)
    return { locale: tag.split('-')[0] ?? '', weight: weight === undefined ? 1 : Number(weight) }
  })
  const best = wanted
    .filter(({ locale, weight }) => find(locale) !== undefined && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)[0]?.locale
  return find(best) ?? find('en') ?? offered[0] ?? 'en'
}

/** Browsers send a handful. */
const MOST_RANGES = 20
