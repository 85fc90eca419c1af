import { userInfo } from 'node:os'
import { invitationEmail, invitationUrl, parseEmail } from '../../core/access/invitation.ts'
import { ROLES } from '../../core/access/roles.ts'
import { dashboardUrl } from '../../core/config/origins.ts'
import { read } from '../../core/config/reader.ts'
import { createInvitation } from '../../store/access/invitations.ts'
import { listMembers, setMember } from '../../store/access/members.ts'
import { addCommandEntry } from '../../store/events/audit.ts'
import { storeEmail } from '../../store/events/emails.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { requireMerchant, withLedger } from '../terminal/ledger.ts'
import { merchantArgument, required, requiredChoice } from '../terminal/options.ts'
import { columns } from '../terminal/output.ts'

/** Members of merchants. */

export const merchantInvite: CommandSpec = {
  words: ['merchant', 'invite'],
  about: 'Invite a member to the dashboard of a merchant; prints the link and sends it by email.',
  argument: { name: 'ID', about: 'The merchant, as printed by `merchant list`' },
  details: `The link works once, within seven days, for this address only. An existing member gets the
new role.`,
  options: {
    email: { value: 'ADDRESS', about: "The member's email address", required: true },
    role: { value: ROLES.join('|'), about: 'The role', required: true },
  },
  examples: [
    'merchant invite 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11 --email ada@example.com --role owner',
  ],
  async run(input) {
    const merchantId = merchantArgument(input)
    const role = requiredChoice(input, 'role', ROLES)
    const parsed = parseEmail(required(input, 'email'))
    if (!parsed.ok) throw misused(input, `--email ${parsed.message}`)
    const { email } = parsed
    const origin = originFor(input)
    return await withLedger(input, async (database) => {
      const { name } = await requireMerchant(database, merchantId)
      const { url, expiresAt } = await database.begin(async (sql) => {
        const operator = userInfo().username
        const after = { email, role }
        await addCommandEntry(sql, {
          ...{ operator, merchantId, action: 'inviteMember', objectId: email, after },
        })
        const made = await createInvitation(sql, { merchantId, email, role }, new Date())
        const link = invitationUrl(origin, made.token)
        await storeEmail(sql, { recipient: email, ...invitationEmail(name, role, link) })
        return { url: link, expiresAt: made.expiresAt }
      })
      const text = columns([
        ['merchant', name],
        ['invited', `${email} as ${role}`],
        ['link', url],
        ['until', expiresAt.toISOString()],
      ])
      return { json: { merchantId, email, role, url, expiresAt }, text }
    })
  },
}

export const merchantMember: CommandSpec = {
  words: ['merchant', 'member'],
  about:
    'Change the role of a member, or remove the member; notifies the member and all owners by email.',
  argument: { name: 'ID', about: 'The merchant, as printed by `merchant list`' },
  details: `Owners do this in the dashboard. Use the command where the removal needs an approval and there is no approver
left. Verify the identity of the members first: the merchant's audit log records the change as yours. The last owner
can't be removed.`,
  options: {
    email: { value: 'ADDRESS', about: "The member's email address", required: true },
    role: {
      value: `${ROLES.join('|')}|none`,
      about: 'The new role, or none to remove the member',
      required: true,
    },
  },
  examples: [
    'merchant member 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11 --email eve@example.com --role none',
  ],
  async run(input) {
    const merchantId = merchantArgument(input)
    const wanted = requiredChoice(input, 'role', [...ROLES, 'none'] as const)
    const role = wanted === 'none' ? null : wanted
    const email = required(input, 'email').toLowerCase()
    return await withLedger(input, async (database) => {
      const { name } = await requireMerchant(database, merchantId)
      const before = await database.begin(async (sql) => {
        const members = await listMembers(sql, merchantId)
        const member = members.find((one) => one.email === email)
        if (member === undefined) throw new CommandError([`${email} isn't a member of ${name}`])
        const outcome = await setMember(sql, merchantId, member.personId, role)
        if (outcome === 'last_owner') {
          throw new CommandError([
            `${email} is the last owner of ${name}: invite another owner first`,
          ])
        }
        await addCommandEntry(sql, {
          ...{ operator: userInfo().username, merchantId, objectId: member.personId },
          action: role === null ? 'removeMember' : 'changeMember',
          ...{ before: { email, role: member.role }, after: { role } },
        })
        return member.role
      })
      const text = columns([
        ['merchant', name],
        ['member', email],
        ['before', before],
        ['now', role ?? 'not a member'],
      ])
      return { json: { merchantId, email, before, role }, text }
    })
  },
}

/** The origin of the dashboard, from the API's configuration. */
function originFor({ variables }: CommandInput): string {
  const parsed = read(variables, dashboardUrl)
  if (!parsed.ok) throw new CommandError(parsed.problems)
  return parsed.config
}
