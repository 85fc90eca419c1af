/** Members and invitations. */
export const members = {
  membersOwnersOnly: 'Only owners can invite members and change roles.',
  membersRoleHint:
    'Owner: full access. Finance: refunds and reports. Developer: keys and webhooks. Support: accepts payments. Reader: read-only.',
  membersChange: 'Change role',
  membersChangeTitle: 'Change the role of {name}',
  membersRemoveTitle: 'Remove {name}?',
  membersRemoveNext: '{name} loses access immediately.',
  membersRequested: 'Requested. The change is made once it is approved.',
  membersInvited: 'Invitations',
  membersNoneInvited: 'No pending invitations.',
  membersRevoke: 'Revoke invitation',
  membersSent: 'Invitation sent to {email}. The link works once and expires in 7 days.',
  membersInvite: 'Invite member',
}
