import { missingRoles, roleNames } from '../../store/database/access.ts'
import {
  migrate,
  type PlannedMigration,
  pendingMigrations,
  planMigrations,
  SchemaError,
} from '../../store/database/migrate.ts'
import { CommandError, type CommandOutcome, type CommandSpec } from '../terminal/command.ts'
import { withDatabase } from '../terminal/ledger.ts'
import { table } from '../terminal/output.ts'
import { adviceFor } from './databaseRoles.ts'

export const migrateCommand: CommandSpec = {
  words: ['migrate'],
  about: "Bring the database's schema up to date.",
  details: `Applies pending migrations in order, while everything runs: a migration that can't lock a table within a second
releases its locks and tries again, large indexes are built concurrently, and backfills run in batches. Concurrent
runs are safe: one works, the others wait. An interrupted run continues where it stopped. Migrations are never
reverted.`,
  options: {
    'dry-run': { about: 'List pending migrations only; exits with 1 if there are any.' },
    plan: { about: 'The same, with how each migration is executed and which tables it locks.' },
  },
  examples: ['migrate', 'migrate --plan', 'migrate --dry-run'],
  async run(input) {
    return await withDatabase(input, async (database) => {
      if (input.switches.has('dry-run')) {
        const pending = await pendingMigrations(database)
        const text = pending.length === 0 ? 'The schema is up to date.' : pending.join('\n')
        return { json: { pending }, text, exitCode: pending.length === 0 ? 0 : 1 }
      }
      if (input.switches.has('plan')) return presentPlan(await planMigrations(database))
      const applied = await migrate(database, {
        onWait(name, attempt) {
          const [text, times] = [`${name} waits for a locked table`, `attempt ${attempt}`]
          input.say(`${text} (${times}); other sessions continue meanwhile`)
        },
        onBatch: (name, rows) => input.say(`${name}: ${rows} rows`),
      }).catch((error: unknown) => {
        if (!(error instanceof SchemaError)) throw error
        throw new CommandError([error.message], { cause: error })
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

function presentPlan(planned: readonly PlannedMigration[]): CommandOutcome {
  const text = table(
    planned,
    [
      { title: 'MISSING', cell: ({ name }) => name },
      { title: 'IN', cell: ({ kind }) => (kind === 'transaction' ? 'one transaction' : kind) },
      {
        title: 'LOCKS (ABOUT SO MANY ROWS)',
        cell: ({ locks }) =>
          locks.map(({ table, rows }) => `${table} (${rows})`).join(', ') || 'no existing tables',
      },
    ],
    'The schema is up to date.',
  )
  return { json: { planned }, text, exitCode: planned.length === 0 ? 0 : 1 }
}
