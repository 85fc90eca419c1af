import type { Locale } from '../messages/locale.ts'

/** What the widget says in the shop's page when its frame says nothing. One line each: it has 2 KB in all. */
export const OTHER_WAY: Readonly<Record<Locale, string>> = {
  en: 'Problems? Open in a new tab',
  de: 'Probleme? In neuem Tab öffnen',
  es: '¿Problemas? Abrir en otra pestaña',
  fr: 'Problème ? Ouvrir dans un nouvel onglet',
  pt: 'Problemas? Abrir em outra aba',
  it: 'Problemi? Apri in una nuova scheda',
  nl: 'Problemen? Open in een nieuw tabblad',
  pl: 'Problem? Otwórz w nowej karcie',
  tr: 'Sorun mu var? Yeni sekmede aç',
  zh: '有问题？打开新标签页',
  ja: '問題？新しいタブで開く',
  ar: 'مشكلة؟ افتح في تبويب جديد',
}
