/** The files of tests, what they need, and how long each takes. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Milliseconds of each file, by its path from the root. */
export type Timings = ReadonlyMap<string, number>

/** What is assumed of a file that was never measured. */
const UNKNOWN_MS = 5_000

/** These start processes and chains, for which they wait: some of them side by side keep the cores busy. */
export const isOfProcesses = (file: string) =>
  /^\.\/test\/(e2e|dev|metrics|workers|indexer|chain\/rpc)\//.test(file)
/** These need a browser: they import what opens it, directly or not. */
export const isBrowsing = (file: string) =>
  /^\.\/test\/web\//.test(file) &&
  /\/web\/(browser|(dashboard\/)?use\w+)\.ts'/.test(readFileSync(file, 'utf8'))
/** These run on the server that operators have, where there is one; all others run on the embedded one. */
export const isOfStore = (file: string) => /^\.\/test\/store\//.test(file)
/** Long ones with a command of their own: they need what it installs, much memory, or half an hour each. */
export const hasOwnCommand = (file: string) =>
  /\/(e2e\/agents|deploy)\/|\/(floods|channels\/thousand\w*)\.long\.ts$/.test(file)
export const isOther = (file: string) =>
  ![isOfProcesses, isBrowsing, isOfStore].some((isOfRow) => isOfRow(file))

/** The check runs `test`, and `check:long` runs `long`. */
type Suite = 'test' | 'long'

/**
 * Every file of tests of a suite, wherever it is, as `./test/a.test.ts`. The file's name sets its suite: what would
 * take the check minutes is a `.long.ts` or a `.browser.ts`, which have commands of their own.
 */
export function testFiles(root: string, suite: Suite = 'test'): string[] {
  const glob = new Bun.Glob(`**/*.${suite}.ts`)
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(node_modules|\..*)$/.test(entry.name))
    .flatMap(({ name }) =>
      [...glob.scanSync({ cwd: join(root, name) })].map((file) => `./${name}/${file}`),
    )
    .filter((file) => !file.includes('/node_modules/'))
    .sort()
}

/**
 * Divides files so that a row and each of several workers end together: the row, which has `fixedMs` of other
 * work, takes the shortest, and the workers draw the others, the longest first, beside what is theirs.
 */
export function balance(
  files: readonly string[],
  theirs: readonly string[],
  { fixedMs, workers, timings }: { fixedMs: number; workers: number; timings: Timings },
): { row: string[]; pool: string[] } {
  const ascending = files.toSorted((a, b) => msOf(timings, a) - msOf(timings, b))
  const goal = (fixedMs + sumOf(timings, [...files, ...theirs])) / (workers + 1)
  let used = fixedMs
  const row = ascending.filter((file) => {
    used += msOf(timings, file)
    return used <= goal
  })
  const pool = ascending.filter((file) => !row.includes(file))
  return { row: row.sort(), pool: [...theirs, ...pool].sort() }
}

export function sumOf(timings: Timings, files: readonly string[]): number {
  return files.reduce((sum, file) => sum + msOf(timings, file), 0)
}

function msOf(timings: Timings, file: string): number {
  return timings.get(file.replace(/^\.\//, '')) ?? UNKNOWN_MS
}

/** Reads what `bun test --update-timings` writes; nothing without the file. */
export function readTimings(path: string): Timings {
  if (!existsSync(path)) return new Map()
  const { files }: { files: Readonly<Record<string, number>> } = JSON.parse(
    readFileSync(path, 'utf8'),
  )
  return new Map(Object.entries(files))
}

/** Writes it as `bun test` does, in the order of the names, so that changes can be read. */
export function writeTimings(path: string, timings: Timings): void {
  const files = Object.fromEntries([...timings].sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify({ version: 1, files }, null, 2)}\n`)
}
