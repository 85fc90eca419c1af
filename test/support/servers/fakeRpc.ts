import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Answer, askOther, type OtherNode, type RpcCall } from './otherNode.ts'

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
  /** The node is asked and this is made of what it answers. */
  | { readonly type: 'change'; change(answer: Answer): Answer }
  | OtherNode

/** Returns what shall become of a call; undefined forwards it. */
export type Rule = (call: RpcCall) => Reaction | undefined

/** What befalls a request with all its calls. */
export type Trouble =
  /** A gateway answers in the node's place, e.g. 503. */
  | {
      readonly type: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly json?: unknown
    }
  /** The node receives it all, and the connection breaks before it answers. */
  | { readonly type: 'hang_up' }
  /** The node is asked, this many milliseconds late. */
  | { readonly type: 'delay'; readonly ms: number }
  /** All its calls are answered by another node of a pool, unless a rule says something else. */
  | OtherNode

/** An HTTP request with its calls, more than one of them in a batch. */
export interface RpcRequest {
  readonly isBatch: boolean
  readonly calls: readonly RpcCall[]
}

/** Returns what befalls the next request, in this order; nothing or undefined lets it through. */
export type RequestRule = (request: RpcRequest) => Trouble | readonly Trouble[] | undefined

export interface FakeRpc {
  readonly url: string
  /** Replaces the rule; none forwards everything. */
  rule(rule?: Rule): void
  /** Replaces the rule for whole requests; none lets them all through. */
  requests(rule?: RequestRule): void
  /** How often each method was called. */
  readonly calls: ReadonlyMap<string, number>
  /** How many HTTP requests came, regardless of what became of them. */
  requestCount(): number
  /** How many bytes its answers had. */
  bytes(): number
  stop(): Promise<void>
}

/** Starts the proxy on a free port. */
export function startFakeRpc(nodeUrl: string): FakeRpc {
  let current: Rule | undefined
  let currentOfRequests: RequestRule | undefined
  let count = 0
  let bytes = 0
  const calls = new Map<string, number>()
  const answer = async ({ id, ...call }: Call, other: OtherNode | undefined) => {
    calls.set(call.method, (calls.get(call.method) ?? 0) + 1)
    const reaction = current?.(call) ?? other
    const head = { jsonrpc: '2.0', id }
    const ask = (asked: RpcCall) => forward(nodeUrl, { ...head, ...asked })
    const answered = await react(ask, call, reaction)
    return answered === 'lost' ? answered : { ...head, ...answered }
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request)
    count += 1
    const isBatch = Array.isArray(body)
    const given = (isBatch ? body : [body]).map(parse)
    let other: OtherNode | undefined
    let isCutOff = false
    for (const trouble of [currentOfRequests?.({ isBatch, calls: given }) ?? []].flat()) {
      if (trouble.type === 'status') return void end(response, trouble)
      if (trouble.type === 'delay') await Bun.sleep(trouble.ms)
      else if (trouble.type === 'hang_up') isCutOff = true
      else other = trouble
    }
    const answers = await Promise.all(given.map((call) => answer(call, other)))
    if (isCutOff) return void request.socket.destroy()
    // What is lost for one call of a batch is lost for all: there is only one connection.
    if (answers.includes('lost')) return void end(response, { status: 502 })
    bytes += end(response, { status: 200, json: isBatch ? answers : answers[0] })
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
    requestCount: () => count,
    bytes: () => bytes,
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
function staleReads(share: number, blocks: number): Rule {
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

/** What becomes of one call. */
async function react(
  ask: (call: RpcCall) => Promise<Answer>,
  call: RpcCall,
  reaction: Reaction | undefined,
): Promise<Answer | 'lost'> {
  if (reaction === undefined) return ask(call)
  switch (reaction.type) {
    case 'drop_request':
      return 'lost'
    case 'drop_answer':
      await ask(call)
      return 'lost'
    case 'result':
      return { result: reaction.result }
    case 'error':
      return { error: { code: reaction.code, message: reaction.message } }
    case 'change':
      return reaction.change(await ask(call))
    case 'delay':
      await Bun.sleep(reaction.ms)
      return ask(call)
    default:
      return askOther(ask, call, reaction)
  }
}

interface Ending {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** Answers, and returns the bytes of the body. */
function end(response: ServerResponse, { status, headers, json }: Ending): number {
  const body = json === undefined ? '' : JSON.stringify(json)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
  return Buffer.byteLength(body)
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

interface Call extends RpcCall {
  readonly id: unknown
}

function parse(body: unknown): Call {
  if (typeof body !== 'object' || body === null || !('method' in body)) {
    throw new Error('not a JSON-RPC call')
  }
  const params: readonly unknown[] =
    'params' in body && Array.isArray(body.params) ? body.params : []
  return { id: 'id' in body ? body.id : null, method: String(body.method), params }
}
