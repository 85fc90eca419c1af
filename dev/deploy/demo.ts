/** Pays an invoice and a request through containers of the image. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { spawnDetached, stopOnParentDeath, stopProcess } from '../processes/child.ts'
import { run } from './tools.ts'

const FREE_PORTS = {
  PORT: '0',
  GRAPHQL_PORT: '0',
  POSTGRES_PORT: '0',
  REDIS_PORT: '0',
  RPC_PORT_BASE_SEPOLIA: '0',
  RPC_PORT_SEPOLIA: '0',
}
const TIMEOUT_MS = 180_000
const DEMOS = ['invoice', 'x402']

/** @throws if a part doesn't start or stop properly, or an amount is wrong. */
export async function payThroughImage(root: string, say: (line: string) => void): Promise<void> {
  const home = mkdtempSync('/tmp/remit-image-')
  const { PATH = '', HOME = '' } = process.env
  const environment = { PATH, HOME, ...FREE_PORTS, REMIT_HOME: home }
  const log = join(home, 'launcher.log')
  const { running } = spawnDetached({
    command: process.execPath,
    args: [join(root, 'dev/deploy/stack.ts')],
    cwd: root,
    env: environment,
    output: { file: log },
  })
  const release = stopOnParentDeath(running.pid, 'SIGINT')
  let hasPassed = false
  try {
    await untilReady(join(home, 'dev.json'), () => running.ended() !== undefined, log)
    requireNative(join(home, 'logs/api.log'))
    for (const demo of DEMOS) {
      const started = performance.now()
      const script = join(root, 'dev/demo/main.ts')
      const { code, output } = await run([process.execPath, script, demo], environment)
      if (code !== 0) throw new Error(`the demo ${demo} failed: ${output.slice(-2_000)}`)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      say(`demo ${demo}: every unit is accounted for (${seconds} s)`)
    }
    hasPassed = true
  } finally {
    await stopProcess(running.pid, 'SIGINT', 60_000)
    release()
    if (hasPassed) rmSync(home, { recursive: true, force: true })
    else say(`logs of the failed run: ${home}`)
  }
  const exit = await running.exited
  if (exit.code !== 0) throw new Error('the containers did not stop properly')
}

async function untilReady(file: string, hasEnded: () => boolean, log: string): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  while (!existsSync(file)) {
    if (hasEnded() || performance.now() > end) {
      throw new Error(`the containers did not start:\n${readFileSync(log, 'utf8').slice(-3_000)}`)
    }
    await Bun.sleep(100)
  }
}

function requireNative(log: string): void {
  if (readFileSync(log, 'utf8').includes('"recoveryEngine":"native"')) return
  throw new Error('the API of the image recovers signatures in JavaScript')
}
