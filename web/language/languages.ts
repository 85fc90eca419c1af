import { ar } from '../messages/ar.ts'
import { de } from '../messages/de.ts'
import { en, type Messages } from '../messages/en.ts'
import { es } from '../messages/es.ts'
import { fr } from '../messages/fr.ts'
import { it } from '../messages/it.ts'
import { ja } from '../messages/ja.ts'
import { nl } from '../messages/nl.ts'
import { pl } from '../messages/pl.ts'
import { pt } from '../messages/pt.ts'
import { tr } from '../messages/tr.ts'
import { zh } from '../messages/zh.ts'
import type { Locale } from './locale.ts'

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
