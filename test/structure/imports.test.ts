import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { FOLDERS } from './folders.ts'

/** Which rooms each room may import from. A room always may import from itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  store: ['core'],
  chain: ['core'],
  web: ['core'],
  metrics: ['core', 'store', 'chain'],
  api: ['core', 'store', 'chain', 'web', 'metrics'],
  workers: ['core', 'store', 'chain', 'metrics'],
  indexer: ['core', 'store', 'chain', 'metrics'],
  cli: ['core', 'store', 'chain'],
  contracts: [],
  sdk: [],
  dev: ['core', 'store', 'chain', 'api', 'workers', 'indexer', 'cli', 'contracts'],
  examples: ['dev', 'sdk'],
  test: [
    'core',
    'store',
    'chain',
    'api',
    'workers',
    'indexer',
    'cli',
    'contracts',
    'dev',
    'bench',
    'web',
    'examples',
    'metrics',
  ],
  bench: ['core', 'store', 'chain', 'api', 'workers', 'indexer', 'cli', 'contracts', 'dev', 'test'],
}

const DOCUMENTS = [
  'ARCHITECTURE.md',
  'README.md',
  'SECURITY.md',
  'docs/security.md',
  'docs/tests.md',
  'contracts/README.md',
  'sdk/README.md',
  'docs/checkout.md',
  'docs/backups.md',
  'docs/upgrading.md',
  'docs/keys.md',
  'docs/runbooks.md',
  'docs/graphql.md',
  'docs/api.md',
  'docs/configuration.md',
  'docs/flows.md',
  'docs/operating.md',
  'docs/webhooks.md',
  'docs/x402.md',
]

/** The rooms of the product, whose folders must form no circle either. */
const PRODUCT = [
  'core',
  'store',
  'chain',
  'web',
  'metrics',
  'api',
  'workers',
  'indexer',
  'cli',
  'dev',
]

const ROOT = join(import.meta.dirname, '../..')
/** Says which release this is, to whoever needs to know. */
const MANIFEST = 'package.json'
const imports = [...files()]
  .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
  .filter(({ target }) => target !== MANIFEST)

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

test.each(PRODUCT)('there is no circle between the folders of %s', (name) => {
  const arrows = new Map<string, Set<string>>()
  for (const { file, target } of imports) {
    if (room(file) !== name || room(target) !== name || unit(file) === unit(target)) continue
    arrows.set(unit(file), (arrows.get(unit(file)) ?? new Set()).add(unit(target)))
  }
  expect(circleIn(arrows)).toBeNull()
})

describe.each(Object.keys(FOLDERS))('in %s', (base) => {
  const allowed = FOLDERS[base] ?? {}

  test('every folder is drawn, and none that is not there', () => {
    const there = [...files()].map((file) => folderIn(base, file)).filter((name) => name !== null)
    expect([...new Set([...there, '.'])].sort()).toEqual(
      [...new Set([...Object.keys(allowed), '.'])].sort(),
    )
  })

  test('no folder imports from one that it must not know', () => {
    const forbidden = imports.filter(({ file, target }) => {
      const [from, to] = [folderIn(base, file), folderIn(base, target)]
      if (from === null || to === null || from === to || to === '.') return false
      return !allowed[from]?.includes(to)
    })
    expect(forbidden).toEqual([])
  })
})

test('every path that the documents name exists', () => {
  const missing = DOCUMENTS.flatMap((document) => {
    const text = readFileSync(join(ROOT, document), 'utf8')
    const named = [...text.matchAll(/`((?:[a-z]\w*\/)+[\w.-]*)`/g)].map(([, path = '']) => path)
    const paths = named.filter((path) => room(path) in ALLOWED && !path.endsWith('*.sql'))
    return paths.filter((path) => !existsSync(join(ROOT, path)))
  })
  expect(missing).toEqual([])
})

test('the core touches neither clock, chance, environment, network nor await', () => {
  const touching = [...files()]
    .filter((file) => room(file) === 'core')
    .filter((file) =>
      /\bDate\.now\(|new Date\(\)|process\.|\bfetch\(|\bawait\b|from 'node:|\bBun\.|\brandom\w*\(/i.test(
        // Hashing and ciphers are neither; the rest of node's modules, and what is random of this one, is.
        readFileSync(join(ROOT, file), 'utf8').replace(
          /{ create(Hmac(, hkdfSync, timingSafeEqual)?|Cipheriv, createDecipheriv) } from 'node:crypto'/,
          '',
        ),
      ),
    )
  expect(touching).toEqual([])
})

test('the SDK runs anywhere: of packages it knows one, and of runtimes only what all have', () => {
  const own = [...files()].filter((file) => file.startsWith('sdk/src/'))
  expect(own.length).toBeGreaterThan(10)
  const foreign = own.flatMap((file) => {
    // The types are written from descriptions that may name anything.
    const text = file.endsWith('/schema.ts') ? '' : readFileSync(join(ROOT, file), 'utf8')
    const packages = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^.'][^']*)'/g)]
    const named = packages.map(([, name = '']) => name).filter((name) => name !== 'openapi-fetch')
    return [...named, ...(text.match(/\b(?:Bun|Deno|process|Buffer|require)\b[.(]/g) ?? [])]
  })
  expect(foreign).toEqual([])
})

test('what runs in browsers asks for nothing that only servers have', () => {
  const asking = [...files()]
    .filter((file) => room(file) === 'web' && file !== 'web/build.ts')
    .filter((file) =>
      /from 'node:|\bBun\.|\bprocess\./.test(readFileSync(join(ROOT, file), 'utf8')),
    )
  expect(asking).toEqual([])
})

function* files(): Generator<string> {
  const glob = new Bun.Glob(
    '{core,store,chain,web,metrics,api,workers,indexer,cli,contracts,sdk,dev,examples,test,bench}/**/*.{ts,tsx}',
  )
  for (const file of glob.scanSync({ cwd: ROOT })) {
    if (!/node_modules\/|^sdk\/dist\//.test(file)) yield file
  }
}

function room(file: string): string {
  return file.split('/')[0] ?? ''
}

/** A folder inside a room as a whole, or a file directly in it. */
function unit(file: string): string {
  return file.split('/').length > 2 ? dirname(file) : file
}

/** In which folder of `base` a file is, however deep: '.' directly in it, null outside of it. */
function folderIn(base: string, file: string): string | null {
  if (!file.startsWith(`${base}/`)) return null
  const [first = '', ...rest] = file.slice(base.length + 1).split('/')
  return rest.length === 0 ? '.' : first
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
