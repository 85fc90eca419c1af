import { expect, test } from 'bun:test'
import { FILES, room, source } from '../support/structure.ts'

/** Most files and changes of room that a reader may need: more is a step back, fewer deserve a lower figure. */
const BOUNDS = { 'From a transfer': [44, 11], 'From POST /v1/x402/settle': [35, 8] } as const

const [, section = ''] = /\n## Walks\n([\s\S]+?)\n## /.exec(source('ARCHITECTURE.md')) ?? []
const walks = section.split('\n### ').slice(1)

test.each(Object.keys(BOUNDS) as (keyof typeof BOUNDS)[])('%s: as long as it says', (name) => {
  const walk = walks.find((one) => one.startsWith(name)) ?? ''
  const [title = ''] = walk.split('\n')
  const files = [...walk.matchAll(/`([a-z]\w*\/[\w./]+\.ts)`/g)].map(([, file = '']) => file)
  expect(
    files.filter((file, place) => !FILES.includes(file) || files.indexOf(file) < place),
  ).toEqual([])
  const changes = files.filter((file, i) => i > 0 && room(file) !== room(files[i - 1] ?? '')).length
  expect(title).toEndWith(`: ${files.length} files, ${changes} changes of room`)
  expect(files.length).toBeLessThanOrEqual(BOUNDS[name][0])
  expect(changes).toBeLessThanOrEqual(BOUNDS[name][1])
})
