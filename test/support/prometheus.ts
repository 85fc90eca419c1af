import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canInstallPackages, installPackages } from '../../dev/servers/debianPackages.ts'

/** Debian's Prometheus, for tests that scrape what our processes show. */
export interface Prometheus {
  /** How many series an expression has now. @throws with Prometheus' words for one that it can't read. */
  series(expression: string): Promise<number>
  stop(): Promise<void>
}

/** Finds Prometheus and promtool, or installs them where that is allowed. */
export async function findPrometheus(): Promise<void> {
  if (Bun.which('prometheus') !== null && Bun.which('promtool') !== null) return
  const isThere =
    canInstallPackages() && (await installPackages(['prometheus'], AbortSignal.timeout(180_000)))
  if (!isThere)
    throw new Error('there is no Prometheus here: install it (apt-get install prometheus)')
}

/** Starts one that scrapes these ports of this machine every second. */
export async function startPrometheus(
  port: number,
  scraped: readonly number[],
): Promise<Prometheus> {
  await findPrometheus()
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  const targets = scraped.map((one) => `127.0.0.1:${one}`)
  const configuration = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'remit', static_configs: [{ targets }] }],
  }
  const file = join(folder, 'prometheus.yml')
  await writeFile(file, JSON.stringify(configuration))
  const child = Bun.spawn(
    [
      'prometheus',
      `--config.file=${file}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdout: 'ignore', stderr: 'inherit' },
  )
  return {
    async series(expression) {
      const query = new URLSearchParams({ query: expression })
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${query}`).catch(
        () => null,
      )
      if (response === null || response.status === 503) return 0
      const answer = await response.json()
      if (answer.status !== 'success') throw new Error(`${expression}: ${answer.error}`)
      return answer.data.result.length
    },
    async stop() {
      child.kill()
      await child.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
