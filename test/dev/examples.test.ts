import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the examples listen, in shells that know the stack's own variables and in those that don't. */

const ROOT = join(import.meta.dirname, '../..')
const API_PORT = '3100'

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'remit-examples-'))
  writeFileSync(join(home, 'dev.json'), JSON.stringify({ apiUrl: `http://127.0.0.1:${API_PORT}` }))
})
afterAll(() => rmSync(home, { recursive: true }))

async function run(code: string, variables: Readonly<Record<string, string>>) {
  const { PORT: _, PUBLIC_URL: __, ...env } = process.env
  const child = Bun.spawn([process.execPath, '-e', code], {
    cwd: ROOT,
    env: { ...env, REMIT_HOME: home, ...variables },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out: out.trim(), err: err.trim() }
}

const PLACE = `import { placeOn } from './examples/stack.ts'
console.log(JSON.stringify(placeOn(4024)))`

test.each([
  [{}, { port: 4024, publicUrl: 'http://localhost:4024' }],
  [{ PORT: '4099' }, { port: 4099, publicUrl: 'http://localhost:4099' }],
  [
    { PORT: '0', PUBLIC_URL: 'https://shop.example' },
    { port: 0, publicUrl: 'https://shop.example' },
  ],
  // The API's own, which the shell still has from the stack.
  [
    { PORT: API_PORT, PUBLIC_URL: 'https://pay.example' },
    { port: 4024, publicUrl: 'http://localhost:4024' },
  ],
])('with %j an example is at %j', async (variables, place) => {
  expect(JSON.parse((await run(PLACE, variables)).out)).toEqual(place)
})

test.each([
  [
    'its port is taken',
    `listening(7, () => Bun.serve({ port: Number(process.env.TAKEN), fetch: () => new Response() }))`,
  ],
  ['PORT is none', `placeOn(4024)`],
])('an example ends with a sentence where %s', async (_, what) => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const code = `import { listening, placeOn } from './examples/stack.ts'
await ${what}`
  const ended = await run(code, { PORT: 'http', TAKEN: String(server.port) })
  expect(ended.code).toBe(1)
  expect(ended.err.split('\n')).toHaveLength(1)
  expect(ended.err).toContain('PORT')
  await server.stop(true)
})

test('an example ends with a sentence where no stack has been started', async () => {
  const ended = await run(PLACE, { REMIT_HOME: join(home, 'nowhere') })
  expect([ended.code, ended.err.split('\n').length]).toEqual([1, 1])
  expect(ended.err).toContain('start the stack')
})
