import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  signalProcess,
  spawnDetached,
  stopOnParentDeath,
  stopProcess,
  waitUntil,
} from '../../dev/processes/child.ts'
import { commandLine, identify, processesIn } from '../../dev/processes/inspect.ts'
import { readOrphan, stopOrphan, writePidFile } from '../../dev/processes/pidFiles.ts'
import { supervise } from '../../dev/processes/supervisor.ts'
import { claimPort } from '../../dev/servers/ports.ts'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'remit-supervisor-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function sleeper() {
  return spawnDetached({ command: 'sleep', args: ['60'], output: 'ignore' }).running
}

describe('a supervised child', () => {
  test('that is killed from outside is started again', async () => {
    const said: string[] = []
    const child = await supervise({
      name: 'sleeper',
      log: join(dir, 'sleeper.log'),
      say: (sentence) => said.push(sentence),
      onGiveUp: () => said.push('given up'),
      start: async () => {
        const running = sleeper()
        return { ...running, stop: () => stopProcess(running.pid) }
      },
    })
    const first = child.current().pid
    signalProcess(first, 'SIGKILL')
    expect(await waitUntil(() => child.current().pid !== first, 5_000)).toBe(true)
    const second = child.current().pid
    expect(identify(second)).toBeDefined()
    expect(said).toEqual(['ended (signal SIGKILL); starting it again in 0.25 s'])
    await child.stop()
    expect(identify(second)).toBeUndefined()
  })

  test('that keeps ending is given up after growing pauses, with the end of its log', async () => {
    const log = join(dir, 'dying.log')
    const said: string[] = []
    const reason = Promise.withResolvers<string>()
    await supervise({
      name: 'dying',
      log,
      say: (sentence) => said.push(sentence),
      onGiveUp: (error) => reason.resolve(error.message),
      start: async () => {
        const args = ['-c', 'echo "no such luck"; exit 7']
        const { running } = spawnDetached({ command: 'sh', args, output: { file: log } })
        return { ...running, stop: () => stopProcess(running.pid) }
      },
    })
    expect(await reason.promise).toContain('dying keeps ending: it ended (exit code 7)')
    expect(await reason.promise).toContain('no such luck')
    const pauses = said.map((sentence) => Number(/in ([0-9.]+) s/.exec(sentence)?.[1]))
    expect(pauses).toEqual([0.25, 0.5, 1, 2])
  })
})

describe('a process left behind', () => {
  test('is stopped by its pid file', async () => {
    const file = join(dir, 'left.pid')
    const { pid } = sleeper()
    writePidFile(file, pid, 'a note')
    expect(readOrphan(file)).toEqual({ pid, note: 'a note' })
    expect(await stopOrphan(file, 'SIGTERM')).toBe(true)
    expect(identify(pid)).toBeUndefined()
  })

  test('is left alone when its PID belongs to another process now', async () => {
    const file = join(dir, 'recycled.pid')
    const { pid } = sleeper()
    writeFileSync(file, `${pid}\nthe-identity-of-an-earlier-process\n\n`)
    expect(await stopOrphan(file, 'SIGTERM')).toBe(false)
    expect(identify(pid)).toBeDefined()
    await stopProcess(pid)
  })

  test('ends with the process that it is tied to', async () => {
    const { pid } = sleeper()
    const script = `const { stopOnParentDeath } = await import(${JSON.stringify(join(import.meta.dir, '../../dev/processes/child.ts'))})
      stopOnParentDeath(${pid}, 'SIGTERM'); console.log('tied'); await Bun.sleep(60_000)`
    const holder = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    for await (const _ of holder.stdout) break
    expect(identify(pid)).toBeDefined()
    holder.kill('SIGKILL')
    expect(await waitUntil(() => identify(pid) === undefined, 5_000)).toBe(true)
  })

  test('ends, as a chain in memory, with the process that was about to start it', async () => {
    const chainId = 1_000_000 + Math.floor(Math.random() * 1_000_000)
    const script = `const { startAnvil } = await import(${JSON.stringify(join(import.meta.dir, '../../dev/servers/anvil.ts'))})
      await startAnvil({ chainId: ${chainId}, port: 0, mining: 'manual' })`
    const holder = Bun.spawn([process.execPath, '-e', script], { stdout: 'ignore' })
    const here = (words: string) =>
      processesIn(process.cwd()).filter((pid) => commandLine(pid)?.includes(words))
    const nodes = () => here(`--chain-id ${chainId}`)
    const isTied = () => nodes().some((pid) => here(`parent-watch TERM ${pid}`).length > 0)
    expect(await waitUntil(isTied, 60_000, 1)).toBe(true)
    holder.kill('SIGKILL')
    expect(await waitUntil(() => nodes().length === 0, 60_000)).toBe(true)
  })

  test('survives when it was untied', async () => {
    const { pid } = sleeper()
    stopOnParentDeath(pid, 'SIGTERM')()
    await Bun.sleep(200)
    expect(identify(pid)).toBeDefined()
    await stopProcess(pid)
  })
})

describe('a busy port', () => {
  test('is reported in one sentence that names the variable to set', async () => {
    const busy = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') })
    const port = busy.port ?? 0
    await expect(claimPort(port, 'the API', 'PORT')).rejects.toThrow(
      `Port ${port} of the API is in use; stop the process that listens there, or set PORT to another port (0 for any).`,
    )
    expect(await claimPort(0, 'the API')).toBeGreaterThan(0)
    await busy.stop(true)
  })
})
