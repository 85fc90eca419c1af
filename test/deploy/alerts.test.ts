import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS } from '../../cli/catalogue.ts'

/** What belongs to each alert: a section that says what to do, a case in which it fires, and one in which not. */

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const alerts = [...read('deploy/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)

test('every alert has a section of the runbooks, and every section an alert', () => {
  const sections = [...read('docs/runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  expect(alerts.length).toBeGreaterThan(20)
  expect(sections).toEqual(alerts)
})

test('runbooks name commands that there are', () => {
  const commands = COMMANDS.map(({ words }) => words.join(' '))
  const named = [...read('docs/runbooks.md').matchAll(/`(?:bun run remit )([a-z][^`]*)`/g)]
  expect(named.length).toBeGreaterThan(20)
  const unknown = named
    .map(([, line = '']) => line)
    .filter((line) => !commands.some((words) => `${line} `.startsWith(`${words} `)))
  expect(unknown).toEqual([])
})

test('every alert is shown to fire and to be silent', () => {
  const cases = [...read('deploy/alerts_test.yaml').matchAll(/- name: (\w+ (?:fires|is silent))/g)]
  const named = cases.map(([, name]) => name)
  expect(named).toEqual(alerts.flatMap((name) => [`${name} fires`, `${name} is silent`]))
})

test('alerts and dashboards ask for figures that processes show', () => {
  const rooms = ['metrics', 'workers', 'api']
  const shown = rooms.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) =>
        [...read(join(room, name)).matchAll(/'(remit_\w+)'/g)].map(([, one]) => one),
      ),
  )
  const boards = readdirSync(join(ROOT, 'deploy/grafana')).map((name) => `deploy/grafana/${name}`)
  const asked = ['deploy/alerts.yaml', ...boards].flatMap((file) =>
    [...read(file).matchAll(/\b(remit_\w+?)(?:_bucket|_count)?\b(?=[{[\s)"])/g)].map(
      ([, one]) => one,
    ),
  )
  expect(new Set(asked).size).toBeGreaterThan(20)
  expect(asked.filter((name) => !shown.includes(name))).toEqual([])
})
