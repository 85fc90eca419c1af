/** Compares what the contracts cost with the committed figures. */
import { join } from 'node:path'
import { forge } from './forge.ts'

type Figures = Readonly<Record<string, number>>

const COMMITTED = join(import.meta.dir, 'gas.json')
/** The gas tests leave their figures here, outside of what is committed. */
const MEASURED = join(import.meta.dir, 'out', 'gas', 'GasTest.json')
const TOLERATED_PERCENT = 5

/** Upper bounds of gas per item of a batch; they hold even when the committed figures change. */
const BOUNDS: Figures = {
  'sweep, token behind a proxy, distinct merchants, of 20': 72_000,
  'refund, deploying, token behind a proxy, of 20': 80_000,
  'settle, token behind a proxy, distributed, of 50': 49_000,
}

/**
 * Measures, prints what changed and compares; 1 when a figure is worse by more than 5 %, above its bound, or
 * has no counterpart.
 */
export async function compareGas(): Promise<number> {
  const measured = await measure()
  const committed = figures(await Bun.file(COMMITTED).json())
  const names = new Set([...Object.keys(committed), ...Object.keys(measured)])
  let failures = 0
  for (const name of names) {
    const before = committed[name]
    const now = measured[name]
    if (before === undefined || now === undefined) {
      console.error(`${name}: is in ${before === undefined ? 'the tests' : 'gas.json'} only`)
      failures += 1
      continue
    }
    const percent = ((now - before) / before) * 100
    const worse = percent > TOLERATED_PERCENT
    if (worse) failures += 1
    const change = `${percent > 0 ? '+' : ''}${percent.toFixed(2)} %`
    if (now === before) console.log(`${name}: ${now}`)
    else console.log(`${worse ? 'WORSE ' : 'CHANGED '}${name}: ${now} (was ${before}, ${change})`)
  }
  failures += aboveBounds(measured)
  return failures === 0 ? 0 : 1
}

/** Prints each bound and answers how many are broken. */
function aboveBounds(measured: Figures): number {
  let broken = 0
  for (const [name, bound] of Object.entries(BOUNDS)) {
    const now = measured[name]
    const holds = now !== undefined && now <= bound
    if (!holds) broken += 1
    console.log(`${holds ? 'within' : 'ABOVE'} the bound of ${bound}: ${name}: ${now}`)
  }
  return broken
}

/** Measures and commits the figures to contracts/gas.json. */
export async function updateGas(): Promise<number> {
  const measured = await measure()
  await Bun.write(COMMITTED, `${JSON.stringify(measured, null, 2)}\n`)
  console.log(`wrote ${COMMITTED}`)
  return 0
}

async function measure(): Promise<Figures> {
  // Each call as a transaction of its own: its calldata and the 21,000 of a transaction count.
  const args = ['test', '--isolate', '--match-contract', 'GasTest']
  const { exitCode, stdout, stderr } = await forge(args)
  if (exitCode !== 0) throw new Error(`The gas tests fail.\n${stdout}${stderr}`)
  return figures(await Bun.file(MEASURED).json())
}

function figures(content: unknown): Figures {
  if (typeof content !== 'object' || content === null) {
    throw new Error('A gas report is an object of figures.')
  }
  const sorted: Record<string, number> = {}
  for (const [name, value] of Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const gas = Number(value)
    if (!Number.isInteger(gas) || gas <= 0) throw new Error(`The gas figure ${name} is ${value}.`)
    sorted[name] = gas
  }
  return sorted
}
