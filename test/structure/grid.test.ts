import { expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { circleOf, FILES, IMPORTS, room, source } from '../support/structure.ts'

/** `room/subject/file.ts`: a subject has one name in every room, and ARCHITECTURE.md prints their order. */
const ORDERED = ['core', 'store', 'chain', 'metrics', 'workers', 'api', 'cli']
/** The subjects of web are pages, which have no place in the order. */
const GRID = [...ORDERED, 'web']
/** These put together what the subjects of their room offer, so they may know all of it. */
const WIRING = new Set([
  ...['api/main.ts', 'api/app.ts', 'api/sections.ts', 'api/http/exchange.ts'],
  ...['api/invoice/routes.ts', 'api/facilitator/routes.ts'],
  ...['cli/main.ts', 'cli/line.ts', 'cli/catalogue.ts', 'workers/main.ts', 'workers/plan.ts'],
  ...['workers/turns/ledgerContext.ts', 'workers/relayer/turn.ts', 'workers/relayer/kinds.ts'],
  'web/build.ts',
])
/** Imports against the order. Each costs a reader a look back: lower this when one goes. */
const BACKWARDS = 48

/** Each language is a folder of files by pages. */
const DEEPER = /^web\/messages\/dashboard\//

const files = FILES.filter((file) => GRID.includes(room(file)))
const between = IMPORTS.filter(({ file, target }) => files.includes(file) && files.includes(target))
const counted = between.filter(({ file }) => !WIRING.has(file))
const subject = (file: string) =>
  (file.split('/').length > 2 ? file.split('/')[1] : undefined) ?? ''
const filesOf = (folder: string, all: readonly string[]) =>
  all.filter((file) => file.startsWith(`${folder}/`))

test('every file stands at room/subject/file.ts, and only a large subject has parts', () => {
  const misplaced = files.filter((file) => {
    const [name = '', topic = '', ...rest] = file.split('/')
    if (rest.length === 0) return !WIRING.has(file)
    if (DEEPER.test(file)) return rest.length > 3
    return rest.length > 2 || (rest.length === 2 && filesOf(`${name}/${topic}`, files).length <= 25)
  })
  expect(misplaced).toEqual([])
})

test('no folder holds more than 30 files, and there are at most 95, besides 32 of pages', () => {
  const counts = new Map<string, number>()
  for (const file of FILES.filter((one) => [...GRID, 'indexer'].includes(room(one)))) {
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  }
  const folders = [...counts.keys()]
  expect(folders.filter((folder) => (counts.get(folder) ?? 0) > 30)).toEqual([])
  const isPage = (folder: string) => room(folder) === 'web'
  expect(folders.filter((folder) => !isPage(folder)).length).toBeLessThanOrEqual(95)
  expect(folders.filter(isPage).length).toBeLessThanOrEqual(32)
})

test.each(GRID)('there is no circle between the subjects of %s, or their parts', (name) => {
  const own = counted.filter(({ file, target }) => room(file) === name && room(target) === name)
  const inSubjects = own.filter(({ target }) => subject(target) !== '')
  expect(circleOf(inSubjects, (file) => `${name}/${subject(file)}`)).toBeNull()
  expect(circleOf(inSubjects, dirname)).toBeNull()
})

test('the printed order names each subject once, and few imports run against it', () => {
  const printed = /```order\n([^`]+)```/.exec(source('ARCHITECTURE.md'))?.[1] ?? ''
  const order = printed.split(/\s+/).filter((word) => word !== '')
  const ordered = files.filter((file) => ORDERED.includes(room(file)))
  const subjects = new Set(ordered.map(subject).filter((word) => word !== ''))
  expect(order.toSorted()).toEqual([...subjects].sort())
  const backwards = counted
    .filter(({ file }) => ordered.includes(file))
    .filter(({ file, target }) => order.indexOf(subject(file)) < order.indexOf(subject(target)))
    .filter(({ target }) => subject(target) !== '')
    .map(({ file, target }) => `${file} -> ${target}`)
  expect(backwards.length > BACKWARDS ? backwards : []).toEqual([])
})

test('every file that wires is there', () => {
  expect([...WIRING].filter((file) => !files.includes(file))).toEqual([])
})
