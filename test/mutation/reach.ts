import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Which files import which when they run, and so which tests a fault in a file can reach. */

const ROOMS = '{core,store,chain,api,workers,indexer,cli,dev,examples,contracts,bench,test}'
const STATIC = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm
const DYNAMIC = /\bimport\('(\.[^']+)'\)/g
/** How tests name the program that they start. */
const STARTED = /'(\w+\/main\.ts)'/g
/** What it adds to the distance that a test reaches a file only by starting a program. */
const BY_PROCESS = 100

export interface ReachingTest {
  readonly file: string
  /** How many imports lie between the test and the file; 1 when the test itself imports it. */
  readonly distance: number
}

export class Imports {
  private readonly importers = new Map<string, string[]>()
  /** Who imports a file or starts it as a program. */
  private readonly users = new Map<string, string[]>()

  constructor(root: string) {
    const glob = new Bun.Glob(`${ROOMS}/**/*.{ts,tsx}`)
    for (const file of [...glob.scanSync({ cwd: root })].sort()) {
      if (file.includes('node_modules/')) continue
      const text = readFileSync(join(root, file), 'utf8')
      const started = file.startsWith('test/') ? matches(text, STARTED) : []
      for (const target of importsOf(file, text)) add(this.importers, target, file)
      for (const target of [...importsOf(file, text), ...started]) add(this.users, target, file)
    }
  }

  /**
   * The test files that import a file, directly or through others, and then those that only start a
   * program which does.
   */
  testsOf(file: string): ReachingTest[] {
    const near = distances(this.importers, file)
    const far = [...distances(this.users, file)].filter(([name]) => !near.has(name))
    return [...near, ...far.map(([name, steps]) => [name, steps + BY_PROCESS] as const)]
      .filter(([name]) => /\.(test|long)\.ts$/.test(name))
      .map(([name, distance]) => ({ file: name, distance }))
  }
}

function add(arrows: Map<string, string[]>, from: string, to: string): void {
  arrows.set(from, [...(arrows.get(from) ?? []), to])
}

/** The project's own files that a file imports when it runs: types are gone by then. */
function importsOf(file: string, text: string): string[] {
  const paths = [...matches(text, STATIC), ...matches(text, DYNAMIC)]
  return [...new Set(paths.map((path) => join(dirname(file), path)))]
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, path = '']) => path)
}

/** How many steps lie between a file and all that arrows lead to. */
function distances(
  arrows: ReadonlyMap<string, readonly string[]>,
  from: string,
): Map<string, number> {
  const distance = new Map([[from, 0]])
  for (const [at, steps] of distance) {
    for (const next of arrows.get(at) ?? []) {
      if (!distance.has(next)) distance.set(next, steps + 1)
    }
  }
  return distance
}

/**
 * The order in which a fault's tests run: first those that import the file themselves, of these the ones
 * whose path says the same words, then those that have killed faults in the file before, then the nearest
 * and the quickest. End-to-end tests and long ones come last, because they take minutes.
 */
export function inOrder(
  tests: readonly ReachingTest[],
  file: string,
  kills: (test: string) => number,
  seconds: (test: string) => number,
): string[] {
  const words = new Set(wordsOf(file))
  const rank = ({ file: test, distance }: ReachingTest) => {
    const isDirect = distance === 1
    const alike = wordsOf(test).filter((word) => words.has(word)).length
    const kinship = [isDirect ? 0 : 1, isDirect ? -alike : 0, -kills(test), distance, -alike]
    const isSlow = test.startsWith('test/e2e/') || test.endsWith('.long.ts')
    return [isSlow ? 1 : 0, ...kinship, seconds(test)]
  }
  return tests
    .map((test) => ({ file: test.file, rank: rank(test) }))
    .sort((a, b) => compare(a.rank, b.rank) || a.file.localeCompare(b.file))
    .map((test) => test.file)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** "store/relayer/workItems.ts" says store, relayer, work and item. */
function wordsOf(path: string): string[] {
  const words = path.replace(/(\.(test|long))?\.ts$/, '').match(/x402|[A-Z]?[a-z]+/g) ?? []
  return words.map((word) => word.toLowerCase().replace(/s$/, ''))
}
