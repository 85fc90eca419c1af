import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { circleOf, DOCUMENTS, FILES, IMPORTS, ROOT, room, source } from '../support/structure.ts'

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

/** Documents that describe the present code; the changelog and decisions may name former files. */
const PRESENT = DOCUMENTS.filter((file) => !/^CHANGELOG|^docs\/decisions/.test(file))

/** Rooms beside the grid, whose folders must form no circle either. */
const FURTHER = ['indexer', 'dev']

test('every file lives in a room of the house', () => {
  expect(IMPORTS.length).toBeGreaterThan(50)
  const homeless = FILES.filter((file) => !(room(file) in ALLOWED))
  expect(homeless).toEqual([])
})

test('no room imports from a room that it must not know', () => {
  const forbidden = IMPORTS.filter(({ file, target }) => room(file) !== room(target)).filter(
    ({ file, target }) => !ALLOWED[room(file)]?.includes(room(target)),
  )
  expect(forbidden).toEqual([])
})

test('there is no circle between rooms', () => {
  expect(circleOf(IMPORTS, room)).toBeNull()
})

test('there is no circle between files', () => {
  expect(circleOf(IMPORTS, (file) => file)).toBeNull()
})

test.each(FURTHER)('there is no circle between the folders of %s', (name) => {
  const own = IMPORTS.filter(({ file, target }) => room(file) === name && room(target) === name)
  expect(circleOf(own, unit)).toBeNull()
})

test('every path that the documents name exists', () => {
  expect(PRESENT.length).toBeGreaterThan(20)
  const missing = PRESENT.flatMap((document) => {
    const text = source(document)
    const named = [...text.matchAll(/`((?:[a-z]\w*\/)+[\w.-]*)`/g)].map(([, path = '']) => path)
    const paths = named.filter((path) => room(path) in ALLOWED && !path.endsWith('*.sql'))
    return paths.filter((path) => !existsSync(join(ROOT, path)))
  })
  expect(missing).toEqual([])
})

test('the core touches neither clock, chance, environment, network nor await', () => {
  const touching = FILES.filter((file) => room(file) === 'core').filter((file) =>
    /\bDate\.now\(|new Date\(\)|process\.|\bfetch\(|\bawait\b|from 'node:|\bBun\.|\brandom\w*\(/i.test(
      // Hashing and ciphers are neither; the rest of node's modules, and what is random of this one, is.
      source(file).replace(
        /{ create(Hmac(, hkdfSync, timingSafeEqual)?|Cipheriv, createDecipheriv) } from 'node:crypto'/,
        '',
      ),
    ),
  )
  expect(touching).toEqual([])
})

test('the SDK runs anywhere: of packages it knows one, and of runtimes only what all have', () => {
  const own = FILES.filter((file) => file.startsWith('sdk/src/'))
  expect(own.length).toBeGreaterThan(10)
  const foreign = own.flatMap((file) => {
    // The types are written from descriptions that may name anything.
    const text = file.endsWith('/schema.ts') ? '' : source(file)
    const packages = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^.'][^']*)'/g)]
    const named = packages.map(([, name = '']) => name).filter((name) => name !== 'openapi-fetch')
    return [...named, ...(text.match(/\b(?:Bun|Deno|process|Buffer|require)\b[.(]/g) ?? [])]
  })
  expect(foreign).toEqual([])
})

test('what runs in browsers asks for nothing that only servers have', () => {
  const asking = FILES.filter((file) => room(file) === 'web' && file !== 'web/build.ts').filter(
    (file) => /from 'node:|\bBun\.|\bprocess\./.test(source(file)),
  )
  expect(asking).toEqual([])
})

/** A folder inside a room as a whole, or a file directly in it. */
function unit(file: string): string {
  return file.split('/').length > 2 ? dirname(file) : file
}
