/**
 * `bun run check:deploy`: builds the image and pays an invoice and a request through it, and looks at
 * Dockerfile, Compose file and chart. It needs neither Docker nor a registry of images, and leaves no
 * process behind.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkChart } from './deploy/chart.ts'
import { composeProblems } from './deploy/compose.ts'
import { payThroughImage } from './deploy/demo.ts'
import { buildImage } from './deploy/image.ts'
import { installModules, mustRun, requireCommands } from './deploy/tools.ts'
import { sayAs } from './processes/terminal.ts'

const ROOT = join(import.meta.dirname, '..')
const say = sayAs('deploy')
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping.abort()
    process.exit(1)
  })
}

/** Does a part, says how long it took, and counts a failure without ending the others. */
async function part(name: string, work: () => Promise<string>): Promise<void> {
  const started = performance.now()
  try {
    const result = await work()
    say(`${name}: ${result} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  } catch (error) {
    process.exitCode = 1
    say(`${name}: FAILED. ${error instanceof Error ? error.message : String(error)}`)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'remit-deploy-'))
try {
  await part('compose', async () => {
    const problems = composeProblems(ROOT)
    if (problems.length > 0) throw new Error(problems.join('; '))
    return 'what it names is there; `docker compose config` was not run'
  })
  const lacking = await requireCommands(stopping.signal)
  await part('chart', async () => {
    const helm = await installModules(folder, stopping.signal)
    return `helm lint and template, ${await checkChart(ROOT, helm, folder)} objects of the right types; no cluster was asked`
  })
  await part('Dockerfile', async () => {
    const linter = join(folder, 'node_modules/dockerfilelint/bin/dockerfilelint')
    await mustRun([process.execPath, linter, join(ROOT, 'deploy/Dockerfile')])
    return 'dockerfilelint finds nothing'
  })
  if (lacking !== null) {
    say(lacking)
    process.exitCode = 1
  } else {
    await part('image', async () => {
      const { seconds, compressedBytes } = await buildImage(ROOT)
      const size = `${(compressedBytes / 1e6).toFixed(0)} MB compressed`
      return `built in ${seconds.toFixed(0)} s, ${size}`
    })
    await part('containers', async () => {
      await payThroughImage(ROOT, say)
      return 'read-only, without capabilities, ended in order by SIGTERM'
    })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
