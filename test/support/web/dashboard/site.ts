import { openDashboardRig } from '../../api/people.ts'
import type { ApiRig, RigOptions } from '../../api/rig.ts'

/** The API with its dashboard behind a socket, where a browser finds it by its name. */
export interface DashboardSite {
  readonly rig: ApiRig
  readonly url: string
  close(): Promise<void>
}

export async function openDashboardSite(options: RigOptions = {}): Promise<DashboardSite> {
  let rig: ApiRig | null = null
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // As the API's own server has it: streams live by their beats.
    idleTimeout: 30,
    async fetch(request) {
      if (rig === null) return new Response(null, { status: 503 })
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = method === 'GET' ? {} : { body: await request.bytes() }
      return rig.fetch(`${pathname}${search}`, { method, headers, ...body })
    },
  })
  const url = `http://localhost:${server.port}`
  rig = await openDashboardRig({
    ...options,
    variables: {
      DASHBOARD_URL: url,
      DASHBOARD_MAILBOX: 'on',
      RATE_LIMIT_PAYERS: '1000000',
      ...options.variables,
    },
  })
  const opened = rig
  return {
    rig: opened,
    url,
    async close() {
      await server.stop(true)
      await opened.close()
    },
  }
}
