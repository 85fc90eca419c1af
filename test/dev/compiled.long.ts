import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOLC = join(import.meta.dirname, '../../contracts/bin/solc.js')
const home = mkdtempSync(join(tmpdir(), 'remit-solc-'))
const kept = join(home, 'remit/contracts')
const files = () => readdirSync(kept).sort()
let compiled = ''

beforeAll(async () => {
  compiled = await compile(inputOf('contract A {}'))
  expect(JSON.parse(compiled).contracts.a.A.evm.bytecode.object).toMatch(/^60/)
  expect(files()).toHaveLength(1)
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

test('what was compiled is kept, and not compiled again', async () => {
  const [file = ''] = files()
  const other = '{"contracts":{}}'
  const digest = new Bun.CryptoHasher('sha256').update(other).digest('hex')
  const before = await Bun.file(join(kept, file)).bytes()
  writeFileSync(join(kept, file), Bun.gzipSync(digest + other))
  expect(await compile(inputOf('contract A {}'))).toBe(other)
  writeFileSync(join(kept, file), before)
})

test.each([
  ['torn', (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2)],
  ['empty', () => new Uint8Array()],
  ['not what was written', () => Bun.gzipSync(`${'0'.repeat(64)}{"contracts":{}}`)],
])('what is %s is not believed, and mended', async (_, spoil) => {
  const path = join(kept, files()[0] ?? '')
  const before = await Bun.file(path).bytes()
  writeFileSync(path, spoil(before))
  expect(await compile(inputOf('contract A {}'))).toBe(compiled)
  expect(await Bun.file(path).bytes()).toEqual(before)
})

test('another source, and other settings, are compiled for themselves', async () => {
  const before = files().length
  await compile(inputOf('contract A { uint256 public a; }'))
  await compile(inputOf('contract A {}', { enabled: true, runs: 1 }))
  expect(files()).toHaveLength(before + 2)
})

test('what does not compile is not kept', async () => {
  const before = files()
  expect(JSON.parse(await compile(inputOf('contract A {'))).errors[0].severity).toBe('error')
  expect(files()).toEqual(before)
})

function inputOf(content: string, optimizer: object = { enabled: false }): string {
  const outputSelection = { '*': { '*': ['evm.bytecode.object'] } }
  return JSON.stringify({
    language: 'Solidity',
    sources: { a: { content } },
    settings: { optimizer, outputSelection },
  })
}

async function compile(input: string): Promise<string> {
  const child = Bun.spawn([process.execPath, SOLC, '--standard-json'], {
    stdin: Buffer.from(input),
    env: { ...process.env, XDG_CACHE_HOME: home },
  })
  const output = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return output
}
