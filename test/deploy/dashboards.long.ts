import { afterAll, beforeAll, describe, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { demonstrateInvoice } from '../../dev/demo/invoice.ts'
import { demonstrateX402 } from '../../dev/demo/x402.ts'
import { freePort, isPortFree } from '../../dev/servers/ports.ts'
import { type Prometheus, startPrometheus } from '../support/prometheus.ts'
import {
  callApi,
  createHome,
  type DevStack,
  eventually,
  startDevStack,
} from '../support/servers/devStack.ts'

/** Every query of the dashboards, by Prometheus, beside a stack in which everything has happened once. */

const FOLDER = join(import.meta.dirname, '../../deploy/grafana')
/** What Grafana puts there for a scrape each second. */
const RATE_INTERVAL = '30s'

interface Dashboard {
  readonly title: string
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

const dashboards = readdirSync(FOLDER).map((name): Dashboard => {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))
})

const { home, remove } = createHome()
let stack: DevStack
let prometheus: Prometheus
let hooks: ReturnType<typeof Bun.serve>

beforeAll(async () => {
  const first = await freePorts(3)
  stack = await startDevStack(home, { METRICS_PORT: String(first) })
  prometheus = await startPrometheus(await freePort(), [first, first + 1, first + 2])
  hooks = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(null) })
  await callApi(stack, '/v1/webhooks/endpoints', {
    url: `http://127.0.0.1:${hooks.port}/`,
    eventTypes: ['invoice.paid'],
  })
  // The example's server looks there for the stack.
  process.env.REMIT_HOME = home
  await demonstrateInvoice(stack.description)
  await demonstrateX402(stack.description)
}, 300_000)

afterAll(async () => {
  await prometheus?.stop()
  await stack?.stop()
  await hooks?.stop(true)
  remove()
}, 60_000)

/** The first of so many ports in a row that are free. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort()
    const others = Array.from({ length: count - 1 }, (_, i) => isPortFree(first + 1 + i))
    if ((await Promise.all(others)).every(Boolean)) return first
  }
}

describe.each(dashboards.map((dashboard) => [dashboard.title, dashboard] as const))(
  '%s',
  (_, { panels }) => {
    test.each(panels.map((panel) => [panel.title, panel] as const))(
      'shows something: %s',
      async (_title, { targets }) => {
        for (const { expr } of targets) {
          const query = expr.replaceAll('$__rate_interval', RATE_INTERVAL)
          await eventually(
            async () => ({ query, series: await prometheus.series(query) }),
            ({ series }) => series > 0,
            60_000,
          )
        }
      },
      70_000,
    )
  },
)
