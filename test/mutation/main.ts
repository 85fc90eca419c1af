/**
 * `bun run mutate`: plants faults one at a time and sees whether a test fails. See docs/tests.md.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { postgresUrl, redisUrl, stopAll } from '../support/servers/run.ts'
import { Copy } from './copy.ts'
import { type Fault, keyOf } from './fault.ts'
import { Imports } from './reach.ts'
import { progress, report } from './report.ts'
import { type Result, Results } from './results.ts'
import { isWanted, sample, scanAll } from './sample.ts'
import { type Entry, faultOf, TABLE } from './table.ts'
import { killTests } from './testRun.ts'
import { Trials } from './trial.ts'

const HELP = `bun run mutate [options]

  --count N         how many faults the operators plant, spread over the rooms (300)
  --seed S          which ones; the same seed plants the same (1)
  --only PATH       only in files whose path begins so; may be given several times
  --table           only the faults of the table
  --seconds N       how long the tests of one fault may take (120)
  --jobs N          how many faults are tried at once, each in a copy of the tree (1)
  --again survived  try the survivors of earlier runs again
  --list            print the faults and plant none
  --report          print what is known of the faults and plant none`

const ROOT = join(import.meta.dirname, '../..')

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    table: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '120' },
    jobs: { type: 'string', default: '1' },
    again: { type: 'string' },
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const copies: Copy[] = []
let isEnding = false

async function main(): Promise<void> {
  if (values.help) return console.log(HELP)
  const faults = chosen()
  if (values.list) return faults.forEach((fault) => void console.log(keyOf(fault)))
  const results = new Results(join(ROOT, '.cache/mutation/results.jsonl'))
  const servers = values.report
    ? { databaseUrl: '', redisUrl: '' }
    : { databaseUrl: await postgresUrl(), redisUrl: await redisUrl() }
  const trials = new Trials({
    ...{ root: ROOT, servers, imports: new Imports(ROOT), results },
    ...{ seconds: Number(values.seconds), say: (sentence) => console.log(sentence) },
  })
  const known = faults.map((fault) => trials.known(fault))
  const isDue = (result: Result | undefined) =>
    result === undefined || (values.again === 'survived' && result.outcome === 'survived')
  const queue = values.report ? [] : faults.filter((_fault, i) => isDue(known[i]))
  const total = queue.length
  const work = async () => {
    if (queue.length === 0) return
    const copy = new Copy(ROOT)
    copies.push(copy)
    for (let fault = queue.shift(); fault && !isEnding; fault = queue.shift()) {
      const result = await trials.attempt(copy, fault)
      if (isEnding) return
      results.add(result)
      console.log(progress(result, total - queue.length, total))
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
  const all = faults.flatMap((fault) => trials.known(fault) ?? [])
  console.log(`\n${report(all)}`)
}

/** The faults of the table and of the sample that the options ask for. */
function chosen(): Fault[] {
  const ofTable = TABLE.filter(({ file }) => isWanted(file, values.only)).flatMap(found)
  if (values.table) return ofTable
  return [...ofTable, ...sample(scanAll(ROOT, values.only), Number(values.count), values.seed)]
}

/** An entry whose place is gone holds up no other. */
function found(entry: Entry): Fault[] {
  try {
    return [faultOf(ROOT, entry)]
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return []
  }
}

async function end(): Promise<void> {
  isEnding = true
  killTests()
  for (const copy of copies.splice(0)) copy.remove()
  await stopAll()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void end().then(() => process.exit(130)))
}
try {
  await main()
} finally {
  await end()
}
