import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Which rooms each room may import from. A room always may import from itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  store: ['core'],
  chain: ['core'],
  api: ['core', 'store', 'chain'],
  workers: ['core', 'store', 'chain'],
  indexer: ['core', 'store', 'chain'],
  cli: ['core', 'store', 'chain'],
  contracts: [],
  dev: ['core', 'store', 'chain', 'api', 'workers', 'indexer', 'cli', 'contracts'],
  examples: ['dev'],
  test: ['core', 'store', 'chain', 'api', 'workers', 'indexer', 'cli', 'contracts', 'dev', 'bench'],
  bench: ['core', 'store', 'chain', 'api', 'workers', 'indexer', 'cli', 'contracts', 'dev', 'test'],
}

const ROOT = join(import.meta.dirname, '../..')
const imports = [...files()].flatMap((file) => importsOf(file).map((target) => ({ file, target })))

test('every file lives in a room of the house', () => {
  expect(imports.length).toBeGreaterThan(50)
  const homeless = [...files()].filter((file) => !(room(file) in ALLOWED))
  expect(homeless).toEqual([])
})

test('no room imports from a room that it must not know', () => {
  const forbidden = imports
    .filter(({ file, target }) => room(file) !== room(target))
    .filter(({ file, target }) => !ALLOWED[room(file)]?.includes(room(target)))
  expect(forbidden).toEqual([])
})

test('there is no circle between rooms', () => {
  const arrows = new Map<string, Set<string>>()
  for (const { file, target } of imports) {
    if (room(file) === room(target)) continue
    arrows.set(room(file), (arrows.get(room(file)) ?? new Set()).add(room(target)))
  }
  expect(circleIn(arrows)).toBeNull()
})

test('there is no circle between files', () => {
  const arrows = new Map<string, Set<string>>()
  for (const { file, target } of imports) {
    arrows.set(file, (arrows.get(file) ?? new Set()).add(target))
  }
  expect(circleIn(arrows)).toBeNull()
})

test('the core touches neither clock, chance, environment, network nor await', () => {
  const touching = [...files()]
    .filter((file) => room(file) === 'core')
    .filter((file) =>
      /\bDate\.now\(|new Date\(\)|process\.|\bfetch\(|\bawait\b|from 'node:|\bBun\.|\brandom\w*\(/i.test(
        // Hashing is neither; the rest of node's modules, and what is random of this one, is.
        readFileSync(join(ROOT, file), 'utf8').replace("{ createHmac } from 'node:crypto'", ''),
      ),
    )
  expect(touching).toEqual([])
})

function* files(): Generator<string> {
  const glob = new Bun.Glob(
    '{core,store,chain,api,workers,indexer,cli,contracts,dev,examples,test,bench}/**/*.{ts,tsx}',
  )
  for (const file of glob.scanSync({ cwd: ROOT })) {
    if (!file.includes('node_modules/')) yield file
  }
}

function room(file: string): string {
  return file.split('/')[0] ?? ''
}

/** The project's own files that this one imports, statically or dynamically. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
  return [...found].map(([, path = '']) => relative(ROOT, join(ROOT, dirname(file), path)))
}

/** A circle as the list of its stations, or null when there is none. */
function circleIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>()
  const walk = (station: string, path: readonly string[]): string[] | null => {
    if (path.includes(station)) return [...path.slice(path.indexOf(station)), station]
    if (done.has(station)) return null
    for (const next of arrows.get(station) ?? []) {
      const circle = walk(next, [...path, station])
      if (circle) return circle
    }
    done.add(station)
    return null
  }
  for (const station of arrows.keys()) {
    const circle = walk(station, [])
    if (circle) return circle
  }
  return null
}
