import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Which files import which when they run, and so which tests a fault in a file can reach. */

const ROOMS = '{core,store,chain,api,workers,indexer,cli,dev,examples,contracts,bench,test}'
const STATIC = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm
const DYNAMIC = /\bimport\('(\.[^']+)'\)/g

export interface ReachingTest {
  readonly file: string
  /** How many imports lie between the test and the file; 1 when the test imports it itself. */
  readonly distance: number
}

export class Imports {
  private readonly importers = new Map<string, string[]>()

  constructor(root: string) {
    const glob = new Bun.Glob(`${ROOMS}/**/*.{ts,tsx}`)
    for (const file of [...glob.scanSync({ cwd: root })].sort()) {
      if (file.includes('node_modules/')) continue
      const targets = importsOf(file, readFileSync(join(root, file), 'utf8')).filter((target) =>
        existsSync(join(root, target)),
      )
      for (const target of targets) {
        this.importers.set(target, [...(this.importers.get(target) ?? []), file])
      }
    }
  }

  /** The test files that import a file, directly or through others, the nearest first. */
  testsOf(file: string): ReachingTest[] {
    return [...distances(this.importers, file)]
      .filter(([name]) => name.endsWith('.test.ts'))
      .map(([name, distance]) => ({ file: name, distance }))
  }
}

/** The project's own files that a file imports when it runs: types are gone by then. */
function importsOf(file: string, text: string): string[] {
  const found = [...text.matchAll(STATIC), ...text.matchAll(DYNAMIC)]
  return [...new Set(found.map(([, path = '']) => join(dirname(file), path)))]
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
 * The order in which a fault's tests run: those first that have killed faults in this file already,
 * then the nearest, of these the ones whose path says the same words, then the quickest. End-to-end
 * tests come last, because they take minutes.
 */
export function inOrder(
  tests: readonly ReachingTest[],
  file: string,
  kills: (test: string) => number,
  seconds: (test: string) => number,
): string[] {
  const words = new Set(wordsOf(file))
  const rank = ({ file: test, distance }: ReachingTest) => [
    -kills(test),
    test.startsWith('test/e2e/') ? 1 : 0,
    distance,
    -wordsOf(test).filter((word) => words.has(word)).length,
    seconds(test),
  ]
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
  const words = path.replace(/(\.test)?\.ts$/, '').match(/x402|[A-Z]?[a-z]+/g) ?? []
  return words.map((word) => word.toLowerCase().replace(/s$/, ''))
}
