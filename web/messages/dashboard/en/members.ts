/** Members and invitations. */
export const members = {
  membersPeople: 'People',
  membersFactor: 'Second factor',
  membersNoFactor: 'No second factor',
  membersOwnersOnly: 'Only owners invite people and change what they may do.',
  membersRole: 'Role',
  membersRoleHint:
    'Owners may do everything, finance refunds and reports, developers keys and webhooks, support accepts payments, readers only read.',
  membersChange: 'Change role',
  membersChangeTitle: 'What may {name} do?',
  membersChangeDo: 'Change the role',
  membersRemoveTitle: 'Remove {name}?',
  membersRemoveNext:
    'They are out with their next request. Only a new invitation brings them back.',
  membersRemoveDo: 'Remove {name}',
  membersAsked: 'Asked for. It happens when another person has approved it.',
  membersInvited: 'Invitations',
  membersNoneInvited: 'Nobody is invited. A link by mail works once, within seven days.',
  membersTakeBack: 'Take back',
  membersSent: 'A link is on its way to {email}.',
  membersInvite: 'Invite',
}
