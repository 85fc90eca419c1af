import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { MACHINE } from '../../support/clock.ts'

/** What a process says of an error that nothing has caught. */

const ROOT = join(import.meta.dir, '../../..')
const SOMEBODY = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
/** A worker holds keys, which the other processes refuse. */
const COMMON = {
  REMIT_ENV: 'sandbox',
  DATABASE_URL: 'postgres://remit@127.0.0.1:1/remit',
  REDIS_URL: 'redis://127.0.0.1:1',
  HUB_ADDRESS: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  FEE_COLLECTOR: SOMEBODY,
  RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
}
const VARIABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api: { ...COMMON, PORT: '0' },
  indexer: { ...COMMON, GRAPHQL_PORT: '0' },
  cli: {},
  workers: {
    ...COMMON,
    HUB_OWNER: SOMEBODY,
    CONFIG_SIGNER_KEY: generatePrivateKey(),
    REFUND_SIGNER_KEY: generatePrivateKey(),
    RELAYER_KEYS_BASE_SEPOLIA: generatePrivateKey(),
  },
}
const KEY = 'f00dfeedf00dfeedf00dfeedf00dfeed'
/** Fails as a call of a node would. */
const FAIL = `
import { HttpRequestError } from 'viem'
function fail() {
  const error = new HttpRequestError({ url: 'https://node.example/v2/${KEY}', status: 503 })
  if (process.env.FAULT === 'thrown') throw error
  void Promise.reject(error)
}
`
/** The command line fails as soon as someone would hear of it. */
const FAIL_WHEN_HEARD = `${FAIL}
const timer = setInterval(() => {
  if (process.listenerCount('unhandledRejection') === 0) return
  clearInterval(timer)
  fail()
}, 1)
`
/** A server fails as soon as it asks its database for something, heard or not. */
const FAIL_WHEN_ASKING = `${FAIL}
const { port } = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: { open: () => setTimeout(fail, 0), data: () => undefined },
})
process.env.DATABASE_URL = 'postgres://remit@127.0.0.1:' + port + '/remit'
`

test('the command line says it in one line, without the key of a node', async () => {
  const ran = await withFault('cli', 'rejected', '--help')
  expect(ran.code).toBe(1)
  expect(ran.err).toStartWith('remit: HTTP request failed.\nHttpRequestError\n')
  expect(ran.out + ran.err).not.toContain(KEY)
}, 30_000)

test.each([
  ['api', 'rejected'],
  ['workers', 'thrown'],
  ['indexer', 'rejected'],
])(
  '%s says it in a line of its log, without the key of a node, and ends: %s',
  async (of, fault) => {
    const { code, out, err } = await withFault(of, fault)
    expect(code).toBe(1)
    expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      level: 60,
      msg: 'the process ends: nothing has caught an error',
      err: { name: 'HttpRequestError', message: 'HTTP request failed.' },
    })
    expect(out + err).not.toContain(KEY)
  },
  30_000,
)

/** Runs an entry point in which something fails that no one waits for. */
async function withFault(of: string, fault: string, ...args: readonly string[]) {
  // Within the project, so that it finds what it imports.
  const dir = mkdtempSync(join(ROOT, 'test/metrics/.fault-'))
  const preload = join(dir, 'fault.ts')
  writeFileSync(preload, of === 'cli' ? FAIL_WHEN_HEARD : FAIL_WHEN_ASKING)
  try {
    const child = Bun.spawn(
      [process.execPath, '--preload', preload, join(ROOT, of, 'main.ts'), ...args],
      {
        cwd: ROOT,
        env: { ...MACHINE, ...VARIABLES[of], FAULT: fault },
        stdout: 'pipe',
        stderr: 'pipe',
        timeout: 20_000,
      },
    )
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, out, err }
  } finally {
    rmSync(dir, { recursive: true })
  }
}
