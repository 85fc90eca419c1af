import type { Translated } from '../../translated.ts'
import type { members as en } from '../en/members.ts'

export const members: Translated<typeof en> = {
  membersPeople: 'Personen',
  membersFactor: 'Zweiter Faktor',
  membersNoFactor: 'Kein zweiter Faktor',
  membersOwnersOnly: 'Nur Inhaber laden Personen ein und ändern, was sie dürfen.',
  membersRole: 'Rolle',
  membersRoleHint:
    'Inhaber dürfen alles, Finanzen Erstattungen und Berichte, Entwickler Schlüssel und Webhooks, Support nimmt Zahlungen an, Leser lesen nur.',
  membersChange: 'Rolle ändern',
  membersChangeTitle: 'Was darf {name}?',
  membersChangeDo: 'Rolle ändern',
  membersRemoveTitle: '{name} entfernen?',
  membersRemoveNext:
    'Ab der nächsten Anfrage ist der Zugang zu Ende. Nur eine neue Einladung bringt ihn zurück.',
  membersRemoveDo: '{name} entfernen',
  membersAsked: 'Beantragt. Es geschieht, wenn eine andere Person zugestimmt hat.',
  membersInvited: 'Einladungen',
  membersNoneInvited: 'Niemand ist eingeladen. Ein Link per E-Mail gilt einmal, sieben Tage lang.',
  membersTakeBack: 'Zurückziehen',
  membersSent: 'Ein Link ist unterwegs an {email}.',
  membersInvite: 'Einladen',
}
