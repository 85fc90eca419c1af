import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'

/** What a process says of an error that nothing has caught. */

const ROOT = join(import.meta.dir, '../..')
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
  workers: {
    ...COMMON,
    HUB_OWNER: SOMEBODY,
    CONFIG_SIGNER_KEY: generatePrivateKey(),
    REFUND_SIGNER_KEY: generatePrivateKey(),
    RELAYER_KEYS_BASE_SEPOLIA: generatePrivateKey(),
  },
}
const KEY = 'f00dfeedf00dfeedf00dfeedf00dfeed'
/** Fails as soon as somebody would hear of it, as a call of a node would. */
const FAULT = `
import { HttpRequestError } from 'viem'
const timer = setInterval(() => {
  if (process.listenerCount('unhandledRejection') === 0) return
  clearInterval(timer)
  const error = new HttpRequestError({ url: 'https://node.example/v2/${KEY}', status: 503 })
  if (process.env.FAULT === 'thrown') throw error
  void Promise.reject(error)
}, 1)
`

test.each([
  ['api', 'rejected'],
  ['api', 'thrown'],
  ['workers', 'rejected'],
  ['indexer', 'rejected'],
])(
  '%s says it in a line of its log, without the key of a node, and ends: %s',
  async (of, fault) => {
    const dir = mkdtempSync(join(ROOT, 'test/metrics/.fault-'))
    try {
      writeFileSync(join(dir, 'fault.ts'), FAULT)
      const child = Bun.spawn(
        [process.execPath, '--preload', join(dir, 'fault.ts'), join(ROOT, of, 'main.ts')],
        {
          cwd: ROOT,
          env: { ...VARIABLES[of], PATH: process.env.PATH, FAULT: fault },
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
      expect(code).toBe(1)
      const last = out.trim().split('\n').at(-1) ?? ''
      expect(JSON.parse(last)).toMatchObject({
        level: 60,
        msg: 'the process ends: nothing has caught an error',
        err: { name: 'HttpRequestError', message: 'HTTP request failed.' },
      })
      expect(out + err).not.toContain(KEY)
    } finally {
      rmSync(dir, { recursive: true })
    }
  },
  30_000,
)
