import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Messages } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import type { Locale } from './locale.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { tr } from './tr.ts'
import { zh } from './zh.ts'

/**
 * Every language. Only the server imports this file: of a page, only the language of its request travels.
 */
const CATALOGUES: Readonly<Record<Locale, Messages>> = {
  en,
  de,
  es,
  fr,
  pt,
  it,
  nl,
  pl,
  tr,
  zh,
  ja,
  ar,
}

export function messagesIn(locale: Locale): Messages {
  return CATALOGUES[locale]
}
