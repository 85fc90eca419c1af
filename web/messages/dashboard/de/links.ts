import type { Translated } from '../../translated.ts'
import type { links as en } from '../en/links.ts'

export const links: Translated<typeof en> = {
  invoiceKinds: 'Rechnungen und Zahlungslinks',
  links: 'Zahlungslinks',
  linksHint: 'Ein Link für beliebig viele Kunden. Jede Zahlung erzeugt eine eigene Rechnung.',
  linksNoneTitle: 'Noch keine Zahlungslinks',
  linksNoneNext: 'Erstellen Sie Ihren ersten Link. Sie brauchen weder Shop noch Code.',
  linksShown: '{n|one:# Zahlungslink|other:# Zahlungslinks} angezeigt',
  linkAdd: 'Neuer Zahlungslink',
  linkAddDo: 'Link erstellen',
  linkForHint: 'Wird neben dem Betrag angezeigt.',
  linkAnyToken: 'Kundenauswahl',
  linkLimit: 'Maximale Anzahl Zahlungen',
  linkLimitHint: 'Optional. Ohne Grenze kann der Link beliebig oft bezahlt werden.',
  linkUsesOf: '{n} von {most}',
  linkCode: 'QR-Code',
}
