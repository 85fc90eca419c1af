import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the document says of each stolen credential is what a test shows: every cell names one that exists. */

const ROOT = join(import.meta.dirname, '../..')
const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
const [, section = ''] = text.split('## What each stolen credential can do\n')
const lines = (section.split('\n## ')[0] ?? '').split('\n')
const rows = lines
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').slice(1, -1))
/** The label of a test, the file that it is in, and its name there. */
const named = lines.flatMap((line) => {
  const [, label, file, name] = /^\[\^([\w-]+)\]: `([^`]+)`: (.+)$/.exec(line) ?? []
  return label && file && name ? [{ label, file, name }] : []
})
const labelsIn = (cell: string) => [...cell.matchAll(/\[\^([\w-]+)\]/g)].map(([, label]) => label)

test('every cell names its test', () => {
  const [heading = [], ...others] = rows
  expect(heading.map((cell) => cell.trim())).toEqual([
    'stolen',
    'can do',
    'how fast',
    'who is notified',
    'what ends it',
  ])
  expect(others.length).toBeGreaterThan(10)
  const known = new Set(named.map(({ label }) => label))
  const unproven = others.flatMap(([stolen = '', ...cells]) => {
    const columns = heading.slice(1)
    expect(cells).toHaveLength(columns.length)
    return cells.flatMap((cell, place) => {
      const labels = labelsIn(cell)
      const isNamed = labels.length > 0 && labels.every((label) => label && known.has(label))
      return isNamed ? [] : [`${stolen}: ${columns[place]}`]
    })
  })
  expect(unproven).toEqual([])
})

test('every test that is named exists, once', () => {
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(({ file, name }) => {
    if (!existsSync(join(ROOT, file))) return true
    const source = readFileSync(join(ROOT, file), 'utf8')
    const title = file.endsWith('.sol') ? `function ${name}` : `'${name}'`
    // Opened by test, or by a table of test.each, on the same line or on the next one.
    const places = source.split(title).slice(0, -1)
    return places.filter((before) => /(?:[([]\s*|\n\s*)$/.test(before)).length !== 1
  })
  expect(missing).toEqual([])
  const labels = named.map(({ label }) => label)
  expect(labels.filter((label, place) => labels.indexOf(label) !== place)).toEqual([])
  const used = new Set(rows.flatMap((cells) => cells.flatMap(labelsIn)))
  expect(labels.filter((label) => !used.has(label))).toEqual([])
})
