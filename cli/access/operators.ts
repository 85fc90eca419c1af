import { userInfo } from 'node:os'
import { invitationUrl, parseEmail } from '../../core/access/invitation.ts'
import { dashboardUrl } from '../../core/config/origins.ts'
import { read } from '../../core/config/reader.ts'
import {
  addOperator,
  inviteOperator,
  listOperators,
  removeOperator,
} from '../../store/access/operators.ts'
import { addCommandEntry } from '../../store/events/audit.ts'
import { storeEmail } from '../../store/events/emails.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { withLedger } from '../terminal/ledger.ts'
import { required } from '../terminal/options.ts'
import { columns, table } from '../terminal/output.ts'

/** Operators of the deployment. Only these commands grant access to the operator's pages. */

const EMAIL = { value: 'ADDRESS', about: 'Their email address', required: true }

const operatorAdd: CommandSpec = {
  words: ['operator', 'add'],
  about: 'Make a user an operator of this deployment; invites them if they have no account.',
  details: `Operators see every merchant, chain and relayer, reactivate relayers and retry pending work. They need a second
factor, and don't become members of a merchant. The link works once, within seven days.`,
  options: { email: EMAIL },
  examples: ['operator add --email ada@example.com'],
  async run(input) {
    const email = emailOption(input)
    const origin = read(input.variables, dashboardUrl)
    if (!origin.ok) throw new CommandError(origin.problems)
    return await withLedger(input, async (database) => {
      const link = await database.begin(async (sql) => {
        await addCommandEntry(sql, {
          ...{ operator: userInfo().username, action: 'addOperator', objectId: email },
        })
        if ((await addOperator(sql, email)) !== null) return null
        const { token } = await inviteOperator(sql, email, new Date())
        const url = invitationUrl(origin.config, token)
        const subject = 'Invitation to operate Remit'
        const body = `You are invited to operate this deployment of Remit.\n\nOpen this link within seven days. It works once, for this address only:\n\n${url}\n`
        await storeEmail(sql, { recipient: email, subject, body })
        return url
      })
      const text = columns([
        ['operator', email],
        ...(link === null
          ? [['pages', `${origin.config}/dashboard/operator`] as const]
          : [['invited', link] as const]),
      ])
      return { json: { email, url: link }, text }
    })
  },
}

const operatorRemove: CommandSpec = {
  words: ['operator', 'remove'],
  about: "Revoke an operator's access to this deployment immediately.",
  options: { email: EMAIL },
  examples: ['operator remove --email ada@example.com'],
  async run(input) {
    const email = emailOption(input)
    return await withLedger(input, async (database) => {
      const isRemoved = await database.begin(async (sql) => {
        await addCommandEntry(sql, {
          ...{ operator: userInfo().username, action: 'removeOperator', objectId: email },
        })
        return removeOperator(sql, email)
      })
      const text = isRemoved ? `${email} is no longer an operator` : `${email} was not an operator`
      return { json: { email, isRemoved }, text }
    })
  },
}

const operatorList: CommandSpec = {
  words: ['operator', 'list'],
  about: 'List the operators of this deployment.',
  options: {},
  examples: ['operator list'],
  async run(input) {
    const operators = await withLedger(input, listOperators)
    const text = table(
      operators,
      [
        { title: 'EMAIL', cell: ({ email }) => email },
        { title: 'SECOND FACTOR', cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'yes' : 'no') },
        { title: 'SINCE', cell: ({ createdAt }) => createdAt.toISOString() },
      ],
      'There is no operator yet: bun run remit operator add --email ADDRESS',
    )
    return { json: operators, text }
  },
}

export const OPERATOR_COMMANDS: readonly CommandSpec[] = [operatorAdd, operatorRemove, operatorList]

function emailOption(input: CommandInput): string {
  const parsed = parseEmail(required(input, 'email'))
  if (!parsed.ok) throw misused(input, `--email ${parsed.message}`)
  return parsed.email
}
