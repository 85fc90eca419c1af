import { userInfo } from 'node:os'
import { parseEmail, recoveryEmail, recoveryUrl } from '../../core/access/invitation.ts'
import { dashboardUrl } from '../../core/config/origins.ts'
import { read } from '../../core/config/reader.ts'
import { beginRecovery } from '../../store/access/recovery.ts'
import { storeEmail } from '../../store/events/emails.ts'
import { CommandError, type CommandSpec, misused } from '../terminal/command.ts'
import { withLedger } from '../terminal/ledger.ts'
import { required } from '../terminal/options.ts'
import { columns } from '../terminal/output.ts'

/** Users who have lost access. Only this command restores it. */

export const userRecover: CommandSpec = {
  words: ['person', 'recover'],
  about:
    'Restore the access of a user who lost password or authenticator; prints a link and sends it by email.',
  details: `Removes their password, authenticator, recovery codes and passkeys, and ends their sessions. The link sets a new
password, once, within a day. Verify their identity first: the audit log of each of their merchants records the
recovery as yours.`,
  options: { email: { value: 'ADDRESS', about: 'Their email address', required: true } },
  examples: ['person recover --email ada@example.com'],
  async run(input) {
    const parsed = parseEmail(required(input, 'email'))
    if (!parsed.ok) throw misused(input, `--email ${parsed.message}`)
    const { email } = parsed
    const origin = read(input.variables, dashboardUrl)
    if (!origin.ok) throw new CommandError(origin.problems)
    return await withLedger(input, async (database) => {
      const begun = await database.begin(async (sql) => {
        const operator = userInfo().username
        const recovery = await beginRecovery(sql, { email, operator }, new Date())
        if (recovery === null) return null
        const url = recoveryUrl(origin.config, recovery.token)
        await storeEmail(sql, { recipient: email, ...recoveryEmail(url) })
        return { url, expiresAt: recovery.expiresAt }
      })
      if (begun === null) throw new CommandError([`no user has the address ${email}`])
      const { url, expiresAt } = begun
      const text = columns([
        ['user', email],
        ['link', url],
        ['until', expiresAt.toISOString()],
      ])
      return { json: { email, url, expiresAt }, text }
    })
  },
}
