/**
 * `bun run check:deploy`: builds the image, pays an invoice and a request through it, and checks the
 * Dockerfile, the Compose file and the chart. It needs neither Docker nor an image registry, and leaves no process
 * behind.
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
const report = sayAs('deploy')
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping.abort()
    process.exit(1)
  })
}

/** Runs a part and reports its duration. If it fails, the exit code is 1, but the other parts still run. */
async function part(name: string, work: () => Promise<string>): Promise<void> {
  const started = performance.now()
  try {
    const result = await work()
    report(`${name}: ${result} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  } catch (error) {
    process.exitCode = 1
    report(`${name}: FAILED. ${error instanceof Error ? error.message : String(error)}`)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'remit-deploy-'))
try {
  await part('compose', async () => {
    const problems = composeProblems(ROOT)
    if (problems.length > 0) throw new Error(problems.join('; '))
    return 'all references exist; `docker compose config` was not run'
  })
  const missing = await requireCommands(stopping.signal)
  await part('chart', async () => {
    const helm = await installModules(folder, stopping.signal)
    return `helm lint and template, ${await checkChart(ROOT, helm, folder)} objects of the right types; no cluster used`
  })
  await part('Dockerfile', async () => {
    const linter = join(folder, 'node_modules/dockerfilelint/bin/dockerfilelint')
    await mustRun([process.execPath, linter, join(ROOT, 'deploy/Dockerfile')])
    return 'dockerfilelint reports no problems'
  })
  if (missing !== null) {
    report(missing)
    process.exitCode = 1
  } else {
    await part('image', async () => {
      const { seconds, compressedBytes } = await buildImage(ROOT)
      const size = `${(compressedBytes / 1e6).toFixed(0)} MB compressed`
      return `built in ${seconds.toFixed(0)} s, ${size}`
    })
    await part('containers', async () => {
      await payThroughImage(ROOT, report)
      return 'read-only, without capabilities, shut down cleanly on SIGTERM'
    })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
