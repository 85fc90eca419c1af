/**
 * A check in miniature, run as a process of its own so that a test can interrupt it: it leaves an orphan in a
 * session of its own, a child (with `deaf`, one that does not listen to SIGTERM), and a file, says so, and waits.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAlone } from '../../../dev/check/run.ts'

await runAlone(async ({ folder }) => {
  writeFileSync(join(tmpdir(), 'left'), '')
  const orphan = await start('sleep 300 >/dev/null & echo $!')
  const deaf = process.argv.includes('deaf') ? 'trap "" TERM;' : ''
  const child = await start(`${deaf} echo $$; while :; do sleep 300; done`)
  console.log(JSON.stringify({ folder, pids: [process.pid, orphan, child] }))
  await Bun.sleep(300_000)
  return 0
})

/** Starts a shell without ties to this process. The answer is the number that it prints. */
async function start(script: string): Promise<number> {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  const shell = spawn('/bin/sh', ['-c', script], { detached: true, stdio })
  const [printed] = await once(shell.stdout, 'data')
  return Number(String(printed))
}
