import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { askStale, type RpcCall } from './staleNode.ts'

/**
 * A node that lies, dawdles and hangs up: an HTTP proxy in front of a real one. A rule decides call by
 * call, also within a batch, what becomes of it; another one decides it of whole HTTP requests.
 */

export type Reaction =
  /** The node receives the call and its answer is lost. */
  | { readonly type: 'drop_answer' }
  /** The node never receives the call. */
  | { readonly type: 'drop_request' }
  | { readonly type: 'error'; readonly code: number; readonly message: string }
  /** The node is not asked; this is the answer. */
  | { readonly type: 'result'; readonly result: unknown }
  /** The node is asked, this many milliseconds late. */
  | { readonly type: 'delay'; readonly ms: number }
  /** The node answers as it would have so many blocks ago. */
  | { readonly type: 'stale'; readonly blocks: number }

/** Returns what shall become of a call; undefined forwards it. */
export type Rule = (call: RpcCall) => Reaction | undefined

/** What befalls a request with all its calls. */
export type Trouble =
  /** A gateway answers in the node's place, e.g. 503. */
  | { readonly type: 'status'; readonly status: number }
  /** The node receives it all, and the connection breaks before it answers. */
  | { readonly type: 'hang_up' }
  /** The node is asked, this many milliseconds late. */
  | { readonly type: 'delay'; readonly ms: number }

/** Returns what befalls the next request; undefined lets it through. */
export type RequestRule = () => Trouble | undefined

export interface FakeRpc {
  readonly url: string
  /** Replaces the rule; none forwards everything. */
  rule(rule?: Rule): void
  /** Replaces the rule for whole requests; none lets them all through. */
  requests(rule?: RequestRule): void
  /** How often each method was called. */
  readonly calls: ReadonlyMap<string, number>
  stop(): Promise<void>
}

type Answer = Record<string, unknown> | 'lost'

/** Starts the proxy on a free port. */
export function startFakeRpc(nodeUrl: string): FakeRpc {
  let current: Rule | undefined
  let currentOfRequests: RequestRule | undefined
  const calls = new Map<string, number>()
  const answer = async (body: unknown): Promise<Answer> => {
    const { id, method, params } = parse(body)
    calls.set(method, (calls.get(method) ?? 0) + 1)
    const reaction = current?.({ method, params })
    const head = { jsonrpc: '2.0', id }
    const ask = (call: RpcCall) => forward(nodeUrl, { ...head, ...call })
    if (reaction?.type === 'drop_request') return 'lost'
    if (reaction?.type === 'result') return { ...head, result: reaction.result }
    if (reaction?.type === 'error') {
      return { ...head, error: { code: reaction.code, message: reaction.message } }
    }
    if (reaction?.type === 'stale') {
      return { ...head, ...(await askStale(ask, { method, params }, reaction.blocks)) }
    }
    if (reaction?.type === 'delay') await Bun.sleep(reaction.ms)
    const response = await ask({ method, params })
    return reaction?.type === 'drop_answer' ? 'lost' : response
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request)
    const trouble = currentOfRequests?.()
    if (trouble?.type === 'status') return end(response, trouble.status)
    if (trouble?.type === 'delay') await Bun.sleep(trouble.ms)
    const isBatch = Array.isArray(body)
    const answers = await Promise.all((isBatch ? body : [body]).map(answer))
    if (trouble?.type === 'hang_up') return void request.socket.destroy()
    // What is lost for one call of a batch is lost for all: there is only one connection.
    if (answers.includes('lost')) return end(response, 502)
    end(response, 200, JSON.stringify(isBatch ? answers : answers[0]))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy())
  })
  // Bun has bound the port when this returns.
  server.listen(0, '127.0.0.1')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    rule(rule) {
      current = rule
    },
    requests(rule) {
      currentOfRequests = rule
    },
    calls,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A rule for one method only, with the given share of its calls, 0 to 1. */
export function sometimes(method: string, share: number, reaction: Reaction): Rule {
  return (call) => (call.method === method && Math.random() < share ? reaction : undefined)
}

/** Transactions are lost on their way to the node. */
export const NOTHING_ARRIVES: Rule = ({ method }) =>
  method === 'eth_sendRawTransaction' ? { type: 'drop_request' } : undefined

/** The first reactions in order, one for each call of the method; afterwards all is forwarded. */
export function script(method: string, reactions: readonly (Reaction | undefined)[]): Rule {
  const left = [...reactions]
  return (call) => (call.method === method ? left.shift() : undefined)
}

/** Transactions like this are refused in a node's words. `onRefusal` hears of each that is. */
export function refuseTransactions(
  isLike: (raw: string) => boolean,
  message: string,
  onRefusal: () => void,
): Rule {
  return ({ method, params }) => {
    const [raw] = params
    if (method !== 'eth_sendRawTransaction' || typeof raw !== 'string' || !isLike(raw)) {
      return undefined
    }
    onRefusal()
    return { type: 'error', code: -32000, message }
  }
}

/** The given share of all calls, 0 to 1, is answered by a node that is so many blocks behind. */
export function staleReads(share: number, blocks: number): Rule {
  return () => (Math.random() < share ? { type: 'stale', blocks } : undefined)
}

/** The first of these rules that has something to say about a call. */
export function firstOf(...rules: readonly Rule[]): Rule {
  return (call) => {
    for (const rule of rules) {
      const reaction = rule(call)
      if (reaction !== undefined) return reaction
    }
    return undefined
  }
}

/** Troubles with the share of the requests that each of them befalls; together at most 1. */
export function troubles(
  shares: readonly (readonly [share: number, trouble: Trouble])[],
): RequestRule {
  return () => {
    let left = Math.random()
    for (const [share, trouble] of shares) {
      if (left < share) return trouble
      left -= share
    }
    return undefined
  }
}

/**
 * What nodes do on a bad day, all of it together: a fifth of the answers to broadcasts is lost, a tenth
 * of the requests takes twice as long as `timeoutMs`, some break off, and a tenth of all calls is
 * answered by a node that is two blocks behind.
 */
export function misbehave(node: FakeRpc, timeoutMs: number): void {
  node.rule(
    firstOf(sometimes('eth_sendRawTransaction', 0.2, { type: 'drop_answer' }), staleReads(0.1, 2)),
  )
  node.requests(
    troubles([
      [0.1, { type: 'delay', ms: 2 * timeoutMs }],
      [0.02, { type: 'status', status: 503 }],
      [0.02, { type: 'hang_up' }],
    ]),
  )
}

/** Forwards everything again. */
export function behave(node: FakeRpc): void {
  node.rule()
  node.requests()
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

function end(response: ServerResponse, status: number, json = ''): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(json)
}

async function forward(url: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null) throw new Error('the node sent no object')
  return { ...answer }
}

function parse(body: unknown): RpcCall & { readonly id: unknown } {
  if (typeof body !== 'object' || body === null || !('method' in body)) {
    throw new Error('not a JSON-RPC call')
  }
  const params: readonly unknown[] =
    'params' in body && Array.isArray(body.params) ? body.params : []
  return { id: 'id' in body ? body.id : null, method: String(body.method), params }
}
