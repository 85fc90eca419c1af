import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { stopAll } from '../support/servers/run.ts'
import { SimulatedChain } from './chain.ts'
import { replaceGlobals } from './globals.ts'
import { type Outcome, simulate } from './run.ts'

/**
 * `bun run simulate [--seed N] [--seeds N]`: runs the whole product in one process, with time, network and chain of
 * its own. A seed decides everything that happens, and has the same hash whenever it is run.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    repeat: { type: 'string', default: '1' },
    trace: { type: 'string' },
    calm: { type: 'boolean', default: false },
    customers: { type: 'string', default: '40' },
    loud: { type: 'boolean', default: false },
  },
})

function seedsOf(): string[] {
  if (values.seed !== undefined) return [values.seed]
  return Array.from({ length: Number(values.seeds) }, (_, i) => String(Number(values.first) + i))
}

function print({ seed, hash, events, virtualS, realS, counts, failure, newest }: Outcome): void {
  const what = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  const figures = `${events} events, ${virtualS.toFixed(0)} s in ${realS.toFixed(1)} s`
  console.log(`seed ${seed}: ${hash}, ${figures}${what.length > 0 ? `: ${what.join(', ')}` : ''}`)
  if (failure === null) return
  console.log(newest.join('\n'))
  console.log(`seed ${seed} failed: ${failure}`)
}

async function main(): Promise<number> {
  const chain = await SimulatedChain.start()
  replaceGlobals()
  let failed = 0
  for (const seed of seedsOf()) {
    for (let i = 0; i < Number(values.repeat); i += 1) {
      const lines: string[] = []
      const onLine = values.trace === undefined ? () => {} : (line: string) => void lines.push(line)
      const outcome = await simulate(seed, chain, {
        onLine,
        isLoud: values.loud,
        isCalm: values.calm,
        customers: Number(values.customers),
      })
      print(outcome)
      if (values.trace !== undefined) writeFileSync(values.trace, `${lines.join('\n')}\n`)
      if (outcome.failure !== null) failed += 1
    }
  }
  await stopAll()
  return failed === 0 ? 0 : 1
}

process.exit(await main())
