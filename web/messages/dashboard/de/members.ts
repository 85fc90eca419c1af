import type { Translated } from '../../translated.ts'
import type { members as en } from '../en/members.ts'

export const members: Translated<typeof en> = {
  membersOwnersOnly: 'Nur Inhaber können Mitglieder einladen und Rollen ändern.',
  membersRoleHint:
    'Inhaber: voller Zugriff. Finanzen: Erstattungen und Berichte. Entwickler: Schlüssel und Webhooks. Support: nimmt Zahlungen an. Leser: nur lesen.',
  membersChange: 'Rolle ändern',
  membersChangeTitle: 'Rolle von {name} ändern',
  membersRemoveTitle: '{name} entfernen?',
  membersRemoveNext: '{name} verliert sofort den Zugriff.',
  membersRequested: 'Beantragt. Die Änderung gilt, sobald sie freigegeben ist.',
  membersInvited: 'Einladungen',
  membersNoneInvited: 'Keine offenen Einladungen.',
  membersRevoke: 'Einladung widerrufen',
  membersSent: 'Einladung an {email} gesendet. Der Link gilt einmal und läuft nach 7 Tagen ab.',
  membersInvite: 'Mitglied einladen',
}
