import { timingSafeEqual } from 'node:crypto'
import http, { type IncomingMessage, type RequestListener, type ServerOptions } from 'node:http'

/**
 * Who may query Ponder's server. It shows what all merchants received, so it is for the operator alone: callers
 * with the operator's token, or, where none is set, callers on this machine. Ponder itself answers /metrics and
 * /status before any route of ours, so that the guard covers the whole server. Whether the
 * process is alive and ready is no secret.
 */

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
const OPEN = ['/health', '/ready']

interface Refusal {
  readonly status: 401 | 405
  readonly message: string
}

/** Has every server that is created from now on in this process refuse others. */
export function guardServers(operatorToken: string | null): void {
  const create = http.createServer
  const guarded = (options: ServerOptions, answer: RequestListener) =>
    create(options, (request, response) => {
      const refusal = refusalOf(request, operatorToken)
      if (refusal === null) return answer(request, response)
      const body = JSON.stringify({ errors: [{ message: refusal.message }] })
      response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(body)
    })
  Object.assign(http, { createServer: guarded })
}

function refusalOf(request: IncomingMessage, operatorToken: string | null): Refusal | null {
  const [path] = (request.url ?? '').split('?')
  if (OPEN.includes(path ?? '')) return null
  const message =
    operatorToken === null ? notLocal(request) : wrongToken(request, `Bearer ${operatorToken}`)
  if (message !== null) return { status: 401, message }
  // To anything else Ponder answers with a page whose script comes from a third party's server.
  const isPage = path === '/graphql' && request.method !== 'POST'
  return isPage ? { status: 405, message: 'send the query by POST' } : null
}

function wrongToken({ headers }: IncomingMessage, expected: string): string | null {
  return isSame(headers.authorization ?? '', expected)
    ? null
    : 'send the operator token: Authorization: Bearer <token>'
}

/** Compares digests, which have one length, in a time that doesn't depend on where they differ. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Uint8Array {
  return new Bun.CryptoHasher('sha256').update(text).digest()
}

/**
 * Binding to the loopback interface keeps other machines out, but not the web pages that are open in
 * this machine's browser: their requests name another origin, or another host that resolves here.
 */
function notLocal({ headers }: IncomingMessage): string | null {
  const host = headers.host ?? ''
  const { origin } = headers
  const isLocal = LOOPBACK.includes(host.replace(/:[0-9]+$/, ''))
  const isOwn = origin === undefined || origin === `http://${host}`
  return isLocal && isOwn ? null : 'only this machine has access; set OPERATOR_TOKEN to open it'
}
