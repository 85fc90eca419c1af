import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Copy } from './copy.ts'
import { reasonWhyEquivalent } from './equivalents.ts'
import { type Mutant, mutantsOf } from './guards.ts'
import { tableMutants } from './table.ts'

/** Which mutants survive: `bun contracts/build.ts mutate [--only PATH] [--kind KIND] [--list]`. */

const HERE = join(import.meta.dirname, '..')
/** They fail for every change of a source, or measure figures that mutations don't concern. */
const IRRELEVANT_TESTS = ['test_the_committed_init_code_is_the_compiled_one']
const IRRELEVANT_CONTRACTS = 'GasTest'
const SLOW_CONTRACTS = 'Invariant'

/** Every mutant of the hub's sources, in the order in which they are tried. */
export async function allMutants(only = ''): Promise<Mutant[]> {
  const files = [...new Bun.Glob('src/**/*.sol').scanSync({ cwd: HERE })].filter(isHub).sort()
  const mutants = await Promise.all(
    files.map(async (file) => {
      const text = await Bun.file(join(HERE, file)).text()
      return [...mutantsOf(file, text), ...tableMutants(file, text)]
    }),
  )
  return mutants.flat().filter(({ file }) => file.includes(only))
}

/** The lenses are never deployed, and interfaces have no code. */
export function isHub(file: string): boolean {
  return !/interfaces\/|AuthorizationLens|AuthorizationProbe|PermitLens/.test(file)
}

/** Takes every guard away, one at a time; answers 1 when the tests do not notice one. */
export async function mutate(flags: readonly string[]): Promise<number> {
  const text = { type: 'string' } as const
  const options = { only: text, kind: text, list: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...flags], options })
  const mutants = (await allMutants(values.only))
    .filter(({ kind }) => values.kind === undefined || kind === values.kind)
    .filter((one) => reasonWhyEquivalent(one) === undefined)
  if (values.list) {
    for (const mutant of mutants) console.log(sentenceOf(mutant))
    return 0
  }
  const copy = new Copy()
  process.once('SIGINT', () => {
    copy.remove()
    process.exit(130)
  })
  try {
    const survivors = await survivorsOf(copy, mutants)
    console.log(`\n${mutants.length - survivors.length} of ${mutants.length} were noticed.`)
    for (const survivor of survivors) console.log(`survived: ${sentenceOf(survivor)}`)
    return survivors.length === 0 ? 0 : 1
  } finally {
    copy.remove()
  }
}

async function survivorsOf(copy: Copy, mutants: readonly Mutant[]): Promise<Mutant[]> {
  const clean = await copy.test(['--no-match-contract', IRRELEVANT_CONTRACTS])
  if (!clean.compiled) throw new Error('The contracts do not compile.')
  const broken = clean.failed.filter((name) => !IRRELEVANT_TESTS.includes(name))
  if (broken.length > 0) console.log(`Fail without a fault, and count for nothing: ${broken}`)
  const skipped = ['--no-match-test', `^(${[...IRRELEVANT_TESTS, ...broken].join('|')})\\(`]
  const quick = [...skipped, '--no-match-contract', `${IRRELEVANT_CONTRACTS}|${SLOW_CONTRACTS}`]
  const slow = [...skipped, '--match-contract', SLOW_CONTRACTS]
  const survivors: Mutant[] = []
  for (const [i, mutant] of mutants.entries()) {
    const verdict = await verdictOf(copy, mutant, [quick, slow])
    if (verdict === null) survivors.push(mutant)
    console.log(`${i + 1}/${mutants.length} ${verdict ?? 'SURVIVED'}  ${sentenceOf(mutant)}`)
  }
  return survivors
}

/** What noticed a mutant; null when nothing did. The source is whole again while the tests run. */
async function verdictOf(
  copy: Copy,
  mutant: Mutant,
  runs: readonly (readonly string[])[],
): Promise<string | null> {
  const source = copy.read(mutant.file)
  copy.plant(mutant)
  const isCompiled = await copy.replaceHub()
  copy.write(mutant.file, source)
  if (!isCompiled) return 'does not compile'
  for (const flags of runs) {
    const [first] = (await copy.test(['--fail-fast', ...flags])).failed
    if (first !== undefined) return `noticed by ${first}`
  }
  return null
}

function sentenceOf({ file, line, kind, find, put }: Mutant): string {
  const change = put === '' ? 'gone' : `-> ${put}`
  return `${file}:${line} ${kind}: ${find.replaceAll(/\s+/g, ' ')} ${change}`
}
