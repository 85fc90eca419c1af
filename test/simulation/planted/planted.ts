import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Copy } from '../../mutation/copy.ts'
import { faultOf, TABLE } from '../../mutation/table.ts'
import { postgresUrl } from '../../support/servers/run.ts'
import { editsOf, type Planted } from './edits.ts'
import { SIGNATURES } from './invoiceFaults.ts'
import { PLANTED, UNSEEN } from './table.ts'

/** Plants faults one at a time, each in a copy of the tree, and looks for the first seed that finds it. */

const ROOT = join(import.meta.dirname, '../../..')
/** A run that says nothing for so long hangs, in ms. */
const SILENCE_MS = 600_000
/** Runs without a planted fault are done sooner; one that never ends takes processor time until then. */
const PATIENCE_S = '240'
/** Sweeps, payouts and their confirmations are in trouble, too. */
const TROUBLE_S = '40'

interface Planting {
  readonly first: string
  readonly seeds: number
  readonly customers: number
  readonly jobs: number
  /** Parts of the names of those that are tried, separated by `|`. */
  readonly only: string
  /** A line of it is one fault that was tried. */
  readonly results: string
}

interface Tried {
  readonly name: string
  /** The seed that found it; null for none of them. */
  readonly seed: string | null
  readonly seeds: number
  readonly what: string
}

/** Tries what the file of results has no line of. */
export async function tryPlanted({
  first,
  seeds,
  customers,
  jobs,
  only,
  results,
}: Planting): Promise<void> {
  const url = await postgresUrl()
  const done = new Set(triedIn(results).map(({ name }) => name))
  const parts = only.split('|')
  const isMeant = ({ name }: Planted) =>
    parts.some((part) => name.includes(part)) && !done.has(name) && !UNSEEN.includes(name)
  const queue = [...PLANTED, ...TABLE].filter(isMeant).values()
  const args = ['--seeds', `${seeds}`, '--first', first, '--customers', `${customers}`, '--stop']
  args.push('--mild', '--patience', PATIENCE_S, '--trouble', TROUBLE_S)
  const argsOf = (entry: Planted) => (SIGNATURES.includes(entry) ? [...args, '--signed'] : args)
  const work = async () => {
    const copy = new Copy(ROOT)
    try {
      for (const entry of queue) {
        const tried = { ...(await tryOne(copy, entry, argsOf(entry), url)), seeds }
        appendFileSync(results, `${JSON.stringify(tried)}\n`)
        process.stdout.write(`${lineOf(tried)}\n`)
      }
    } finally {
      copy.remove()
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  const all = triedIn(results)
  const found = all.filter(({ seed }) => seed !== null)
  process.stdout.write(`${found.length} of ${all.length} planted faults were found\n`)
}

async function tryOne(
  copy: Copy,
  entry: Planted,
  args: readonly string[],
  url: string,
): Promise<Omit<Tried, 'seeds'>> {
  const { name } = entry
  const faults = editsOf(entry).map((edit) => faultOf(ROOT, edit))
  copy.plant(...faults)
  const main = join(copy.dir, 'test/simulation/main.ts')
  const child = Bun.spawn([process.execPath, main, ...args], {
    ...{ cwd: copy.dir, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    env: { ...process.env, DATABASE_URL: url },
  })
  let isSilent = false
  const hang = () => {
    isSilent = true
    child.kill('SIGKILL')
  }
  let alarm = setTimeout(hang, SILENCE_MS)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true })
    clearTimeout(alarm)
    alarm = setTimeout(hang, SILENCE_MS)
  }
  clearTimeout(alarm)
  const code = await child.exited
  copy.restore(...faults)
  copy.sweep()
  if (isSilent) return { name, seed: `after ${seedsIn(text)}`, what: 'it hangs' }
  const [, seed = null, what = ''] = /^seed (\S+) failed: (.*)$/m.exec(text) ?? []
  if (seed === null && code !== 0) {
    const error = (await new Response(child.stderr).text()).trim().slice(-200)
    if (seedsIn(text) === 0) return { name, seed: null, what: `it can't be run: ${error}` }
    return { name, seed: `after ${seedsIn(text)}`, what: `it ended: ${error}` }
  }
  return { name, seed, what: what.slice(0, 200) }
}

function seedsIn(text: string): number {
  return text.match(/^seed \S+: /gm)?.length ?? 0
}

function triedIn(file: string): Tried[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line): Tried => JSON.parse(line))
}

function lineOf({ name, seed, seeds, what }: Tried): string {
  return `${seed === null ? `NOT FOUND in ${seeds} seeds` : `seed ${seed}`}: ${name}: ${what}`
}
