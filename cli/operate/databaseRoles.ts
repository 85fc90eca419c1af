import { openRole, PROCESSES, roleNames, settleAccess } from '../../store/database/access.ts'
import { settlePooledRole } from '../../store/database/pooler.ts'
import { CommandError, type CommandSpec } from '../terminal/command.ts'
import { withLedger } from '../terminal/ledger.ts'
import { table } from '../terminal/output.ts'

export const databaseRoles: CommandSpec = {
  words: ['database', 'roles'],
  about: "Grant each process's database role its rights, and enable its login.",
  details: `Each process connects with its own role, which has only the rights it needs. Creates missing roles and grants
their rights. Enables the login of each role whose password is in DATABASE_PASSWORD_API, _WORKER, _NOTIFIER or
_INDEXER (or in the file named by the variable with the suffix _FILE); other roles are unchanged. Then set each
process's DATABASE_URL to its role. The API's role also stores the settings that its sessions need behind a pooler.
Like all commands, this one connects as the owner of the database.`,
  options: {},
  examples: ['database roles', 'database roles --json'],
  async run(input) {
    return await withLedger(input, async (database) => {
      const missing = await settleAccess(database)
      const names = await roleNames(database)
      if (missing.length > 0) throw new CommandError([adviceFor(missing, names)])
      const opened = new Set<string>()
      for (const process of PROCESSES) {
        const password = input.variables[`DATABASE_PASSWORD_${process.toUpperCase()}`]?.trim()
        if (!password) continue
        await openRole(database, names[process], password)
        opened.add(process)
      }
      await settlePooledRole(database, names.api)
      const rows = await database<{ role: string; canLogIn: boolean }[]>`
        select rolname::text as role, rolcanlogin as can_log_in from pg_roles
        where rolname = any(${Object.values(names)}::text[])`
      const roles = PROCESSES.map((process) => ({
        process,
        role: names[process],
        canLogIn: rows.some(({ role, canLogIn }) => role === names[process] && canLogIn),
        isPasswordNew: opened.has(process),
      }))
      const text = table(
        roles,
        [
          { title: 'PROCESS', cell: ({ process }) => process },
          { title: 'ROLE', cell: ({ role }) => role },
          { title: 'MAY LOG IN', cell: ({ canLogIn }) => (canLogIn ? 'yes' : 'no') },
          { title: 'PASSWORD', cell: (row) => (row.isPasswordNew ? 'set' : 'unchanged') },
        ],
        'No roles exist.',
      )
      return { json: { roles }, text }
    })
  },
}

/** Instructions for the administrator if the database's owner may not create roles. */
export function adviceFor(
  missing: readonly string[],
  names: Readonly<Record<'worker' | 'notifier' | 'indexer', string>>,
): string {
  const creations = missing.map((role) => `create role "${role}";`).join(' ')
  return (
    `the database's owner may not create the roles ${missing.join(', ')}, so every process has the ` +
    `owner's privileges: have an administrator run \`${creations} grant "${names.notifier}" to "${names.worker}"; ` +
    `grant "${names.indexer}" to <owner>;\`, then run \`bun run remit database roles\``
  )
}
