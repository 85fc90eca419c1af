/** Browsers and systems by what they call themselves; the first that fits, since each names those it is like. */
const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

/** A browser and its system, as a reader knows them; what is unknown as it calls itself. */
export function deviceName(userAgent: string): string {
  const named = [BROWSERS, SYSTEMS].flatMap(
    (known) => known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? [],
  )
  return named.length === 0 ? userAgent : named.join(' · ')
}
