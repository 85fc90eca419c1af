import type { Translated } from '../../translated.ts'
import type { links as en } from '../en/links.ts'

export const links: Translated<typeof en> = {
  invoiceKinds: 'Rechnungen und Zahlungslinks',
  links: 'Zahlungslinks',
  linksHint:
    'Eine Adresse, die bleibt. Wer sie hat, kann zahlen, jeder mit einer eigenen Rechnung: verschicken Sie sie, oder drucken Sie ihren QR-Code.',
  linksNoneTitle: 'Noch kein Zahlungslink',
  linksNoneNext: 'Machen Sie hier den ersten. Dafür braucht es weder Shop noch Code.',
  linksShown: '{n|one:# Zahlungslink|other:# Zahlungslinks} zu sehen',
  linkAdd: 'Neuer Zahlungslink',
  linkAddDo: 'Link machen',
  linkFor: 'Wofür er ist',
  linkForHint: 'Zahler lesen es neben dem Betrag.',
  linkEitherToken: 'Wie der Zahler will',
  linkLimit: 'Wie oft er bezahlt werden kann',
  linkLimitHint: 'Beides darf leer bleiben: dann nimmt er beliebig viele Zahlungen an, ohne Ende.',
  linkUses: 'Zahlungen',
  linkUsesOf: '{n} von {most}',
  linkOpen: 'Nimmt Zahlungen an',
  linkShut: 'Nimmt keine an',
  linkCode: 'QR-Code',
}
