import type { IpNetwork } from '../../core/base/network.ts'
import type { Environment } from '../../core/chain/table.ts'
import { ANSWER_BYTES_KEPT } from '../../core/webhook/delivery.ts'
import {
  ANSWER_LIMIT_MS,
  type DeliveryAnswer,
  type DeliveryFault,
} from '../../core/webhook/schedule.ts'
import { createDestinations, type Resolve, resolveBySystem } from './destination.ts'

/** Sends one webhook and reads the answer, as far as it is worth reading. */

export interface Sender {
  /** Posts a JSON body. Never rejects: every failure is an outcome. */
  send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Reply>
}

export interface Reply {
  readonly answer: DeliveryAnswer
  /** The beginning of the answer's body; null when there was no answer. */
  readonly text: string | null
}

export interface SenderOptions {
  readonly environment: Environment
  /** Networks that may be sent to although they are not public. */
  readonly allowed: readonly IpNetwork[]
  readonly resolve?: Resolve
  /** How long an answer may take, from the lookup of the name to its last byte, in ms. */
  readonly limitMs?: number
  /** Certificate authorities to trust besides those of the system, in PEM. */
  readonly authorities?: string
}

/** No useful answer to a webhook is longer: what follows is not read, and the status counts. */
const ANSWER_BYTES_READ = 64 * 1024
const USER_AGENT = 'Remit-Webhooks/1'

export function createSender(options: SenderOptions): Sender {
  const { environment, allowed, resolve = resolveBySystem } = options
  const findDestination = createDestinations(allowed, resolve)
  return {
    async send(url, headers, body) {
      const target = URL.parse(url)
      if (target === null) return failure('unknown_host')
      if (environment === 'live' && target.protocol !== 'https:') return failure('https_required')
      // One limit for all of it; a request still running at the limit is cut off.
      const signal = AbortSignal.timeout(options.limitMs ?? ANSWER_LIMIT_MS)
      try {
        const found = findDestination(target)
        const destination = found instanceof Promise ? await beforeEnd(signal, found) : found
        if (!destination.ok) return failure(destination.fault)
        const { host, addresses } = destination
        const request = { ...options, target, host, headers, body, signal }
        return await firstReply(addresses.map((address) => () => post(request, address)))
      } catch (error) {
        return failure(faultOf(error))
      }
    },
  }
}

interface Posting {
  readonly target: URL
  /** The name of the host; empty when the URL has an address. */
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
  readonly authorities?: string
}

/**
 * Connects to the given address, and speaks to it as the URL's host: name, certificate and all. A
 * connection is kept for what comes next to the same address, port and name.
 */
async function post(posting: Posting, address: string): Promise<Reply> {
  const { target, host, authorities } = posting
  const url = new URL(target)
  url.hostname = address
  const response = await fetchWithRetry(url, {
    method: 'POST',
    headers: {
      ...posting.headers,
      host: target.host,
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'accept-encoding': 'identity',
    },
    body: posting.body,
    redirect: 'manual',
    decompress: false,
    signal: posting.signal,
    tls: {
      ...(host === '' ? {} : { serverName: host }),
      ...(authorities === undefined ? {} : { ca: authorities }),
    },
  })
  const text = await readBeginning(response)
  const retryAfter = response.headers.get('retry-after')
  return { answer: { type: 'answered', status: response.status, retryAfter }, text }
}

/**
 * Retries once over a new connection when the connection was closed before a response: most likely the receiver
 * closed an idle one. If not, it may receive the same webhook-id twice.
 */
async function fetchWithRetry(url: URL, request: BunFetchRequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    if (codeOf(error) !== 'ECONNRESET') throw error
    return await fetch(url, { ...request, keepalive: false })
  }
}

/** The first address that takes the connection is the one; one that refused it has read nothing. */
async function firstReply(tries: readonly (() => Promise<Reply>)[]): Promise<Reply> {
  for (const attempt of tries) {
    try {
      return await attempt()
    } catch (error) {
      if (faultOf(error) !== 'connection_refused') throw error
    }
  }
  return failure('connection_refused')
}

/** Reads a body up to the limit and keeps its beginning, as text that Postgres can store. */
async function readBeginning(response: Response): Promise<string> {
  const kept: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  while (reader !== undefined && length < ANSWER_BYTES_READ) {
    const { done, value } = await reader.read()
    if (done) break
    if (length < ANSWER_BYTES_KEPT) kept.push(value.subarray(0, ANSWER_BYTES_KEPT - length))
    length += value.length
  }
  // What was not read to its end is cut off, and with it the connection.
  await reader?.cancel()
  return new TextDecoder().decode(Buffer.concat(kept)).replaceAll('\0', '\ufffd')
}

async function beforeEnd<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const end = Promise.withResolvers<never>()
  const onAbort = () => end.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, end.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function failure(error: DeliveryFault): Reply {
  return { answer: { type: 'failed', error }, text: null }
}

const REFUSALS = ['ECONNREFUSED', 'ConnectionRefused', 'ENETUNREACH', 'EHOSTUNREACH']

function faultOf(error: unknown): DeliveryFault {
  if (!(error instanceof Error)) return 'connection_failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout'
  const code = codeOf(error)
  if (REFUSALS.includes(code)) return 'connection_refused'
  return /TLS|SSL|CERT|SIGNATURE|ISSUER/.test(code) ? 'tls_error' : 'connection_failed'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
