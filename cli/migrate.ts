import { missingRoles, roleNames } from '../store/access.ts'
import { migrate, pendingMigrations } from '../store/migrate.ts'
import { adviceFor } from './database.ts'
import { CommandError, type CommandSpec } from './terminal/command.ts'
import { withDatabase } from './terminal/ledger.ts'
import { table } from './terminal/output.ts'

export const migrateCommand: CommandSpec = {
  words: ['migrate'],
  about: "Bring the database's schema up to date.",
  details: `Applies what is missing, in order, each file in a transaction of its own. Several at once are safe: one
works, the others wait. Nothing is ever taken back.`,
  options: { 'dry-run': { about: 'Only say what is missing; exits with 1 when something is.' } },
  examples: ['migrate', 'migrate --dry-run'],
  async run(input) {
    return await withDatabase(input, async (database) => {
      if (input.switches.has('dry-run')) {
        const pending = await pendingMigrations(database)
        const text = pending.length === 0 ? 'The schema is up to date.' : pending.join('\n')
        return { json: { pending }, text, exitCode: pending.length === 0 ? 0 : 1 }
      }
      const applied = await migrate(database).catch((error: unknown) => {
        const isChanged = error instanceof Error && error.message.startsWith('migration ')
        if (isChanged) throw new CommandError([error.message], { cause: error })
        throw error
      })
      const text = table(
        applied,
        [
          { title: 'APPLIED', cell: ({ name }) => name },
          { title: 'MS', cell: ({ durationMs }) => durationMs.toFixed(0), isFigure: true },
        ],
        'The schema is up to date.',
      )
      const missing = await missingRoles(database)
      if (missing.length === 0) return { json: { applied }, text }
      const advice = adviceFor(missing, await roleNames(database))
      return { json: { applied, missingRoles: missing }, text: `${text}\n\nWarning: ${advice}` }
    })
  },
}
