import { openHealth } from '../../store/books/health.ts'
import { readBooks } from '../../store/books/money.ts'
import { readWorkload } from '../../store/books/workload.ts'
import { type Database, isDatabaseDown } from '../../store/database/database.ts'
import {
  type CommandInput,
  type CommandOutcome,
  type CommandSpec,
  misused,
} from '../terminal/command.ts'
import { withLedger } from '../terminal/ledger.ts'
import { printableLines } from '../terminal/output.ts'
import { type Seen, screenOf } from './topScreen.ts'

export const topCommand: CommandSpec = {
  words: ['top'],
  about: 'Show live activity: chains, relayers, work, webhooks.',
  details: `Heads and how old they are, relayers with money and account nonces, work by kind and state, deliveries
and pending events, and what workers report. Reads the ledger only, every two seconds until Ctrl-C;
once if the output is not a terminal, or with --once.`,
  options: {
    once: { about: 'Print once and exit' },
    every: { value: 'SECONDS', about: 'The refresh interval (default 2)' },
  },
  examples: ['top', 'top --once', 'top --every 10'],
  run: top,
}

/** Moves the cursor home, and clears the rest of the screen. */
const HOME = '\x1b[H\x1b[J'

async function top(input: CommandInput): Promise<CommandOutcome> {
  const everyMs = secondsIn(input) * 1_000
  return await withLedger(input, async (database) => {
    const isLive = process.stdout.isTTY === true && !input.switches.has('once')
    if (isLive) await showUntilInterrupted(database, everyMs)
    const seen = await readStatus(database)
    return { json: { ...seen, health: plain(seen) }, text: screenOf(seen) }
  })
}

async function showUntilInterrupted(database: Database, everyMs: number): Promise<void> {
  const end = Promise.withResolvers<'end'>()
  const interrupt = () => end.resolve('end')
  process.once('SIGINT', interrupt)
  for (;;) {
    const screen = await readStatus(database).then(screenOf, (error: unknown) => {
      if (!isDatabaseDown(error)) throw error
      return 'the database does not respond; trying again'
    })
    process.stdout.write(`${HOME}${printableLines(screen)}\n`)
    if ((await Promise.race([end.promise, Bun.sleep(everyMs)])) === 'end') return
  }
}

async function readStatus(database: Database): Promise<Seen> {
  const [health, load, books] = await Promise.all([
    openHealth(database)(),
    readWorkload(database),
    readBooks(database),
  ])
  return { health, load, books, now: new Date() }
}

/** JSON has no maps. */
function plain({ health }: Seen) {
  return { ...health, indexerHeads: Object.fromEntries(health.indexerHeads) }
}

function secondsIn(input: CommandInput): number {
  const text = input.values.get('every') ?? '2'
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text)
  throw misused(input, `--every must be a whole number of seconds from 1 on, not ${text}`)
}
