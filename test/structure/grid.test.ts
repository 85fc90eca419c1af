import { expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { circleOf, FILES, IMPORTS, room, source } from '../support/structure.ts'

/** `room/subject/file.ts`: a subject has one name in every room, and ARCHITECTURE.md prints their order. */
const GRID = ['core', 'store', 'chain', 'metrics', 'workers', 'api', 'cli']
/** These put together what the subjects of their room offer, so they may know all of it. */
const WIRING = new Set([
  ...['api/main.ts', 'api/app.ts', 'api/sections.ts', 'api/http/exchange.ts'],
  ...['api/invoice/routes.ts', 'api/facilitator/routes.ts'],
  ...['cli/main.ts', 'cli/line.ts', 'cli/catalogue.ts', 'workers/main.ts', 'workers/plan.ts'],
  ...['workers/turns/ledgerContext.ts', 'workers/relayer/turn.ts', 'workers/relayer/kinds.ts'],
])
/** Imports against the order. Each costs a reader a look back: lower this when one goes. */
const BACKWARDS = 48

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
    return rest.length > 2 || (rest.length === 2 && filesOf(`${name}/${topic}`, files).length <= 25)
  })
  expect(misplaced).toEqual([])
})

test('no folder holds more than 30 files, and there are at most 95', () => {
  const rooms = FILES.filter((file) => [...GRID, 'indexer'].includes(room(file)))
  const folders = [...new Set(rooms.map(dirname))]
  expect(folders.length).toBeLessThanOrEqual(95)
  const inOf = (folder: string) => rooms.filter((file) => dirname(file) === folder).length
  expect(folders.filter((folder) => inOf(folder) > 30)).toEqual([])
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
  const subjects = new Set(files.map(subject).filter((word) => word !== ''))
  expect(order.toSorted()).toEqual([...subjects].sort())
  const backwards = counted
    .filter(({ file, target }) => order.indexOf(subject(file)) < order.indexOf(subject(target)))
    .filter(({ target }) => subject(target) !== '')
    .map(({ file, target }) => `${file} -> ${target}`)
  expect(backwards.length > BACKWARDS ? backwards : []).toEqual([])
})

test('every file that wires is there', () => {
  expect([...WIRING].filter((file) => !files.includes(file))).toEqual([])
})
