import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { generatePrivateKey } from 'viem/accounts'
import { openChain } from '../../../chain/rpc/client.ts'
import { readFacts } from '../../../chain/x402/authorizationFacts.ts'
import { type LoggedError, logOptions } from '../../../core/base/logging.ts'
import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { MACHINE } from '../../support/clock.ts'
import { workerConfig } from '../../support/servers/chain.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { randomHex } from '../../support/x402/authorizations.ts'

/** What logs show of errors: no keys, no signatures, and never much. */

const ROOT = join(import.meta.dirname, '../../..')
const KEY = 'n0d3k3y'.repeat(4)
const SOMEBODY = lowerCaseAddress('0x90f79bf6eb2c4f870365e785982e1f101e93b906')
const VARIABLES = {
  REMIT_ENV: 'sandbox',
  DATABASE_URL: 'postgres://remit@127.0.0.1:1/remit',
  REDIS_URL: 'redis://127.0.0.1:1',
  HUB_ADDRESS: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  FEE_COLLECTOR: SOMEBODY,
  HUB_OWNER: SOMEBODY,
  CONFIG_SIGNER_KEY: generatePrivateKey(),
  REFUND_SIGNER_KEY: generatePrivateKey(),
  RELAYER_KEYS_BASE_SEPOLIA: generatePrivateKey(),
}

let node: FakeRpc

beforeAll(() => {
  node = startFakeRpc('http://127.0.0.1:1')
})

afterAll(() => node.stop())

/** The line that is logged, as a process would, for what the work throws. */
async function lineFor(work: () => Promise<unknown>): Promise<string> {
  const lines: string[] = []
  const log = pino(logOptions('api', 'info'), { write: (line) => lines.push(line) })
  try {
    await work()
  } catch (error) {
    log.child({ networkId: 'base-sepolia' }).warn({ err: error }, 'it failed')
  }
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

function errorIn(line: string): LoggedError {
  return JSON.parse(line).err
}

describe('a failed read of 64 authorizations', () => {
  const signatures = Array.from({ length: 64 }, () => randomHex(65))
  const read = (rpcUrl: string) => {
    const { chain } = workerConfig({ ...VARIABLES, RPC_URL_BASE_SEPOLIA: rpcUrl })
    const queries = signatures.map((signature) => ({
      token: SOMEBODY,
      authorization: {
        from: SOMEBODY,
        to: SOMEBODY,
        value: 1n,
        validAfter: 0n,
        validBefore: 1n,
        nonce: randomHex(32),
      },
      signature,
      walletGas: 100_000n,
      preparation: null,
      isTried: true,
    }))
    return () => readFacts(openChain(chain).rpc, queries)
  }

  test('at a URL where no one listens is a short line without key or signature', async () => {
    const line = await lineFor(read(`http://127.0.0.1:1/v2/${KEY}`))
    expectDiscreet(line)
    expect(errorIn(line)).toMatchObject({
      name: 'HttpRequestError',
      message: 'HTTP request failed.',
    })
  })

  test('that the node refuses shows its words', async () => {
    node.rule(() => ({ type: 'error', code: -32_603, message: 'out of coffee' }))
    const line = await lineFor(read(`${node.url}/v2/${KEY}`))
    expectDiscreet(line)
    expect(line).toContain('out of coffee')
    expect(errorIn(line)).toMatchObject({ code: -32_603 })
  })

  test('in another field has its short form, too', async () => {
    const lines: string[] = []
    const log = pino(logOptions('api', 'info'), { write: (line) => lines.push(line) })
    const error: unknown = await read(`http://127.0.0.1:1/v2/${KEY}`)().catch((thrown) => thrown)
    log.warn({ fault: error }, 'a line')
    expectDiscreet(lines[0] ?? '')
    expect(JSON.parse(lines[0] ?? '').fault).toMatchObject({ message: 'HTTP request failed.' })
  })

  test('in a line without a message has its first line for one', async () => {
    const lines: string[] = []
    const log = pino(logOptions('api', 'info'), { write: (line) => lines.push(line) })
    const error: unknown = await read(`http://127.0.0.1:1/v2/${KEY}`)().catch((thrown) => thrown)
    log.warn({ err: error })
    log.warn(error)
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      expectDiscreet(line)
      expect(JSON.parse(line).msg).toBe('HTTP request failed.')
    }
  })

  function expectDiscreet(line: string) {
    expect(line).not.toContain(KEY)
    expect(line.length).toBeLessThan(4_000)
    for (const signature of signatures) expect(line).not.toContain(signature.slice(2, 66))
  }
})

test('what is thrown may be anything', async () => {
  const long: Hex = randomHex(2_000)
  for (const [thrown, shown] of [
    ['a word', { name: 'string', message: 'a word' }],
    [null, { name: 'object', message: 'null' }],
    [
      { code: 7, message: 'x' },
      { name: 'Error', message: 'x', code: 7 },
    ],
    [new Error(`see https://node.example/${KEY} now`), { message: 'see <url> now' }],
    [new Error(long), { message: `${long.slice(0, 63)}…` }],
    [
      new Error('many words '.repeat(100)),
      { message: `${'many words '.repeat(28).slice(0, 299)}…` },
    ],
    [new Error('outer', { cause: new RangeError('inner') }), { cause: { name: 'RangeError' } }],
  ] as const) {
    expect(errorIn(await lineFor(() => Promise.reject(thrown)))).toMatchObject(shown)
  }
})

describe('what a caller wrote', () => {
  const LONG = `Flood${'d'.repeat(250_000)}`
  const HASH = randomHex(32)

  /** The line that is logged of these fields. */
  function fieldsOf(fields: object) {
    const lines: string[] = []
    const log = pino(logOptions('api', 'info'), { write: (line) => lines.push(line) })
    log.info(fields, 'a line')
    expect(lines[0]?.length).toBeLessThan(6_000)
    return JSON.parse(lines[0] ?? '')
  }

  test('is cut at 64 characters, wherever it stands', () => {
    const error = Object.assign(new Error(LONG, { cause: new Error(`a ${LONG}`) }), {
      code: LONG,
      name: LONG,
    })
    const line = fieldsOf({
      path: LONG,
      message: `the network ${LONG} is not known`,
      deep: { deeper: [LONG, { [LONG]: LONG }] },
      err: error,
    })
    const texts = JSON.stringify(line).match(/Flood[^"\\ ]*/g) ?? []
    expect(texts.length).toBeGreaterThan(8)
    for (const text of texts) expect(text).toBe(`${LONG.slice(0, 63)}…`)
  })

  test('is cut short in number and depth as well', () => {
    const nested = Array.from({ length: 2_000 }).reduce((inner) => ({ inner }), 'end')
    const many = Array.from({ length: 100_000 }, () => 1)
    const { list, tree, fields } = fieldsOf({
      list: many,
      tree: nested,
      fields: Object.fromEntries(many.map((value, i) => [`field${i}`, value])),
    })
    expect([list.length, Object.keys(fields).length]).toEqual([100, 100])
    expect(JSON.stringify(tree).length).toBeLessThan(100)
  })

  test('stays whole when it is short, and so does the hash of a transaction', () => {
    const fields = { path: '/v1/invoices', hash: HASH, at: new Date(0), amount: 7, none: null }
    expect(fieldsOf(fields)).toMatchObject({ ...fields, at: '1970-01-01T00:00:00.000Z' })
  })
})

test('of the stack our own places are shown', async () => {
  const { stack = [] } = errorIn(await lineFor(async () => JSON.parse('{')))
  expect(stack[0]).toContain('test/core/base/logging.test.ts')
})

test('of a stack that holds no place of ours nothing is shown', async () => {
  const error = new Error('from elsewhere')
  error.stack = [
    'Error: from elsewhere',
    '    at native:7:39',
    '    at run (node:vm:100:5)',
    '    at call (/srv/remit/node_modules/viem/index.js:1:2)',
  ].join('\n')
  expect(errorIn(await lineFor(() => Promise.reject(error)))).toEqual({
    name: 'Error',
    message: 'from elsewhere',
  })
})

test('causes that go round in a circle end', async () => {
  const error = new Error('round')
  error.cause = error
  expect((await lineFor(() => Promise.reject(error))).length).toBeLessThan(8_000)
})

test('a worker whose node is away logs no key', async () => {
  const child = Bun.spawn([process.execPath, join(ROOT, 'workers/main.ts')], {
    env: {
      ...VARIABLES,
      ...MACHINE,
      RPC_URL_BASE_SEPOLIA: `http://127.0.0.1:1/${KEY}`,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let seen = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout) {
    seen += decoder.decode(chunk, { stream: true })
    if (seen.includes('\n')) break
  }
  child.kill('SIGKILL')
  await child.exited
  expect(seen).toContain('the hub could not be checked')
  expect(seen).not.toContain(KEY)
})

test('every log of a process is opened with the common options', () => {
  const opened = [...new Bun.Glob('{api,workers,indexer,store,chain,cli}/**/*.ts').scanSync(ROOT)]
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .flatMap((text) => text.match(/\bpino\(\w*/g) ?? [])
  expect(opened.length).toBeGreaterThanOrEqual(3)
  expect(new Set(opened)).toEqual(new Set(['pino(logOptions']))
})
