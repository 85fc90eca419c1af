import { parseAddress } from '../../../core/chain/evm.ts'
import { formatSecret, signedHeaders } from '../../../core/webhook/signature.ts'

/** A service on this machine that screens payers, as well behaved as a test wants it. */
export interface ScreeningServer {
  /** What a process is configured with. */
  readonly variables: Readonly<Record<string, string>>
  /** Whom it was asked about, with a right signature; others are refused. */
  readonly asked: string[]
  /** What it says of an address from now on. */
  answer: (address: string) => Response | Promise<Response>
  stop(): void
}

export const says = (verdict: string, reason?: string) => Response.json({ verdict, reason })

export function startScreeningServer(): ScreeningServer {
  const secret = formatSecret('sandbox', crypto.getRandomValues(new Uint8Array(32)))
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = await request.text()
      const header = (name: string) => request.headers.get(name) ?? ''
      const at = new Date(Number(header('webhook-timestamp')) * 1_000)
      const expected = signedHeaders({ id: header('webhook-id'), at, body }, [secret])
      if (expected['webhook-signature'] !== header('webhook-signature')) {
        return new Response(null, { status: 401 })
      }
      const address = parseAddress(JSON.parse(body).address) ?? ''
      asked.push(address)
      return own.answer(address)
    },
  })
  const own: ScreeningServer = {
    variables: {
      SCREENING_URL: `http://127.0.0.1:${server.port}/screen?key=secret`,
      SCREENING_SECRET: secret,
      SCREENING_ALLOWED_NETWORKS: '127.0.0.1/32',
      SCREENING_TIMEOUT_MS: '2000',
    },
    asked,
    answer: () => says('allow'),
    stop: () => server.stop(true),
  }
  return own
}
