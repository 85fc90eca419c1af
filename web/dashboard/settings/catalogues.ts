import type { Messages } from '../../messages/en.ts'
import type { Locale } from '../../messages/locale.ts'

/** The checkout's texts in each language, loaded on demand. */
export const CATALOGUES: Readonly<Record<Locale, () => Promise<Messages>>> = {
  en: async () => (await import('../../messages/en.ts')).en,
  de: async () => (await import('../../messages/de.ts')).de,
  es: async () => (await import('../../messages/es.ts')).es,
  fr: async () => (await import('../../messages/fr.ts')).fr,
  pt: async () => (await import('../../messages/pt.ts')).pt,
  it: async () => (await import('../../messages/it.ts')).it,
  nl: async () => (await import('../../messages/nl.ts')).nl,
  pl: async () => (await import('../../messages/pl.ts')).pl,
  tr: async () => (await import('../../messages/tr.ts')).tr,
  zh: async () => (await import('../../messages/zh.ts')).zh,
  ja: async () => (await import('../../messages/ja.ts')).ja,
  ar: async () => (await import('../../messages/ar.ts')).ar,
}
