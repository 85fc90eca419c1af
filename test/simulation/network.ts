import { type Kernel, type Process, runAs } from './kernel.ts'

/** The HTTP servers of a run, by their host names. */

export interface Sent {
  readonly from: Process
  readonly url: URL
  readonly headers: Headers
  readonly body: string
}

export type Reply =
  | { readonly status: number; readonly body: string }
  /** The connection breaks before an answer. */
  | 'broken'
  /** There is never an answer. */
  | 'silent'

/** Answers a request, outside of all processes. */
export type Host = (sent: Sent) => Reply | Promise<Reply>

const hosts = new Map<string, Host>()

/** Replaces all servers. */
export function setHosts(next: ReadonlyMap<string, Host>): void {
  hosts.clear()
  for (const [name, host] of next) hosts.set(name, host)
}

/** How long a request is on its way at most, in ms. */
const ON_THE_WAY_MS = 8

export function simulatedFetch(
  kernel: Kernel,
  from: Process,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input)
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const { signal } = init
  let isOver = false
  const end = (how: () => void) => {
    if (isOver) return
    isOver = true
    runAs(from, how)
  }
  const onAbort = () => end(() => reject(signal?.reason))
  if (signal?.aborted) return Promise.reject(signal.reason)
  signal?.addEventListener('abort', onAbort)
  const body = typeof init.body === 'string' ? init.body : ''
  kernel.after(kernel.latency.next() * ON_THE_WAY_MS, from, async () => {
    const host = hosts.get(url.host)
    const sent = { from, url, headers: new Headers(init.headers), body }
    const reply = host === undefined ? 'broken' : await host(sent)
    if (reply === 'silent') return
    end(() => {
      signal?.removeEventListener('abort', onAbort)
      if (reply === 'broken') reject(brokenConnection(url))
      else resolve(new Response(reply.body, { status: reply.status, headers: JSON_TEXT }))
    })
  })
  return promise
}

const JSON_TEXT = { 'content-type': 'application/json' }

function brokenConnection({ host }: URL): Error {
  return Object.assign(new Error(`the connection to ${host} was closed`), { code: 'ECONNREFUSED' })
}
