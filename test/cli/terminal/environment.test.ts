import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSurroundings } from '../../../cli/terminal/environment.ts'
import { remit, remitProcess } from '../../support/cli/run.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'remit-cli-'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function writeStack(home: string): void {
  mkdirSync(home, { recursive: true })
  writeFileSync(
    join(home, 'env'),
    'DATABASE_URL=postgres://stack/db?a=b\nHUB_ADDRESS=0xstack\nREDIS_URL=redis://stack\n',
  )
  writeFileSync(join(home, 'keys.json'), JSON.stringify({ owner: `0x${'1'.repeat(64)}` }))
}

describe('settings', () => {
  test('come from the environment when it names a database', async () => {
    writeStack(join(root, '.remit'))
    const own = { DATABASE_URL: 'postgres://own', HUB_ADDRESS: '0xown' }
    const found = await readSurroundings(own, root)
    expect(found).toEqual({ variables: own, source: 'the environment' })
  })

  test('come from the development stack of this folder otherwise, as a whole', async () => {
    writeStack(join(root, '.remit'))
    const found = await readSurroundings({ REDIS_URL: 'redis://own', LOG_LEVEL: 'warn' }, root)
    expect(found.source).toBe(join(root, '.remit/env'))
    expect(found.variables).toMatchObject({
      DATABASE_URL: 'postgres://stack/db?a=b',
      HUB_ADDRESS: '0xstack',
      REDIS_URL: 'redis://stack',
      LOG_LEVEL: 'warn',
      HUB_OWNER_KEY: `0x${'1'.repeat(64)}`,
    })
  })

  test.each(['REMIT_ENV', 'HUB_OWNER', 'HUB_OWNER_KEY', 'HUB_ADDRESS'])(
    'come from the environment when it has %s, which the stack would say otherwise',
    async (name) => {
      writeStack(join(root, '.remit'))
      const found = await readSurroundings({ [name]: 'own' }, root)
      expect(found).toEqual({ variables: { [name]: 'own' }, source: 'the environment' })
      const unset = await readSurroundings({ [name]: '' }, root)
      expect(unset.source).toBe(join(root, '.remit/env'))
    },
  )

  test("are said to be the stack's, to people", async () => {
    writeStack(root)
    const stack = { REMIT_HOME: root }
    const sentence = `using the settings of the development stack in ${join(root, 'env')}\n`
    const ran = await remit(stack, 'hub', 'status', '--chain', 'nowhere')
    expect(ran.err).toStartWith(sentence)
    const json = await remit(stack, 'hub', 'status', '--chain', 'nowhere', '--json')
    expect(json.err).not.toContain(sentence)
  })

  test('come from REMIT_HOME when it names another stack', async () => {
    writeStack(join(root, 'other'))
    const found = await readSurroundings({ REMIT_HOME: join(root, 'other') }, '/nonexistent')
    expect(found.variables.DATABASE_URL).toBe('postgres://stack/db?a=b')
  })

  test('may be given as files', async () => {
    const file = join(root, 'url')
    writeFileSync(file, 'postgres://from-a-file\n')
    const found = await readSurroundings({ DATABASE_URL_FILE: file }, root)
    expect(found.variables.DATABASE_URL).toBe('postgres://from-a-file')
  })
})

describe('a command without its settings', () => {
  test('names everything that is missing and exits with 1', async () => {
    const ran = await remit({}, 'merchant', 'create', '--name', 'x')
    expect(ran).toMatchObject({ code: 1, out: '' })
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'HUB_ADDRESS', 'RPC_URL_BASE_SEPOLIA']) {
      expect(ran.err).toContain(name)
    }
    expect(ran.err).not.toContain('    at ')
  })

  test('says that the database does not respond, without a stack trace', async () => {
    const ran = await remitProcess(
      { DATABASE_URL: 'postgres://u:secret@127.0.0.1:9/x' },
      'merchant',
      'list',
    )
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toContain('remit: the database of the environment does not respond')
    expect(ran.err).not.toContain('secret')
    expect(ran.err).not.toContain('    at ')
  })

  test('says which file could not be read', async () => {
    const ran = await remit({ DATABASE_URL_FILE: '/nonexistent/url' }, 'merchant', 'list', '--json')
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.err).error).toMatchObject({ code: 'failed' })
    expect(ran.err).toContain('/nonexistent/url')
  })
})
