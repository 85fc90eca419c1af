/**
 * A process that floods the API, apart from the one that measures: `bun bench/flood/flooder.ts FLOOD`,
 * where FLOOD is JSON. Prints how often each status was answered, as JSON.
 */

export interface Flood {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly headers: Readonly<Record<string, string>>
  /** Client addresses that the connections share. */
  readonly addresses: readonly string[]
  readonly body: keyof typeof BODIES
}

export interface Flooded {
  readonly statuses: Readonly<Record<string, number>>
}

/** So many characters and elements make 250 KB. */
const TEXT = 'Flood'.repeat(30_000)
const BODIES = {
  none: () => null,
  array: () => `{"tokenSymbol":"USDC","amountExpected":1,"chains":[${'1,'.repeat(124_000)}1]}`,
  network: () =>
    JSON.stringify({
      x402Version: 1,
      paymentPayload: {},
      paymentRequirements: { scheme: 'exact', network: TEXT },
    }),
} as const

async function flood(wanted: Flood): Promise<Flooded> {
  const { method, url, connections, seconds, headers, addresses } = wanted
  const body = BODIES[wanted.body]()
  const statuses: Record<string, number> = {}
  const end = performance.now() + seconds * 1_000
  const connection = async (_: unknown, i: number) => {
    const address = addresses[i % addresses.length] ?? ''
    const init = { method, headers: { ...headers, 'x-forwarded-for': address } }
    while (performance.now() < end) {
      const status = await fetch(url, body === null ? init : { ...init, body }).then(
        async (response) => {
          const text = await response.text()
          // There are several reasons for 429, of which the rate limit is one.
          const error = response.status === 429 ? JSON.parse(text).error : ''
          return `${response.status} ${error}`.trim()
        },
        () => 'broken',
      )
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return { statuses }
}

if (import.meta.main) {
  const [given = ''] = process.argv.slice(2)
  console.log(JSON.stringify(await flood(JSON.parse(given))))
}
