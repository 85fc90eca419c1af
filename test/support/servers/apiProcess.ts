import { join } from 'node:path'
import { MACHINE } from '../clock.ts'

/** The API as production runs it: a process of its own. */

const ROOT = join(import.meta.dirname, '../../..')

export interface ApiProcess {
  readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  readonly url: string
  /** Lines of the log, newest last. */
  readonly lines: { traceId?: string }[]
}

/** Starts the API and resolves with its address, which it says in its first line. */
export async function startApi(environment: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const child = spawn(environment)
  const lines: { traceId?: string; url?: string }[] = []
  const started = Promise.withResolvers<string>()
  const reading = (async () => {
    let rest = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop() ?? ''
      for (const part of parts) lines.push(JSON.parse(part))
      const url = lines.find((line) => line.url !== undefined)?.url
      if (url !== undefined) started.resolve(url)
    }
    started.reject(new Error(`the API ended: ${await new Response(child.stderr).text()}`))
  })()
  reading.catch(started.reject)
  return { child, url: await started.promise, lines }
}

/** Ends the API as a power cut does. */
export async function killApi({ child }: ApiProcess): Promise<void> {
  child.kill('SIGKILL')
  await child.exited
}

/** Runs an API that is to end by itself. */
export async function runApiToEnd(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<{ readonly code: number; readonly err: string }> {
  const child = spawn(environment, flags)
  const [err, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { code, err }
}

function spawn(environment: Readonly<Record<string, string>>, flags: readonly string[] = []) {
  return Bun.spawn([process.execPath, ...flags, join(ROOT, 'api/main.ts')], {
    cwd: ROOT,
    env: { ...MACHINE, ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}
