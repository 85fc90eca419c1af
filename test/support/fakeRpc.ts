/**
 * A node that lies, dawdles and hangs up: an HTTP proxy in front of a real one. It decides call by
 * call, also within a batch, what becomes of it.
 */

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

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

/** Returns what shall become of a call; undefined forwards it. */
export type Rule = (call: RpcCall) => Reaction | undefined

export interface FakeRpc {
  readonly url: string
  /** Replaces the rule; none forwards everything. */
  rule(rule?: Rule): void
  /** How often each method was called. */
  readonly calls: ReadonlyMap<string, number>
  stop(): Promise<void>
}

type Answer = Record<string, unknown> | 'lost'

/** Starts the proxy on a free port. */
export function startFakeRpc(nodeUrl: string): FakeRpc {
  let current: Rule | undefined
  const calls = new Map<string, number>()
  const answer = async (body: unknown): Promise<Answer> => {
    const { id, method, params } = parse(body)
    calls.set(method, (calls.get(method) ?? 0) + 1)
    const reaction = current?.({ method, params })
    const head = { jsonrpc: '2.0', id }
    if (reaction?.type === 'drop_request') return 'lost'
    if (reaction?.type === 'result') return { ...head, result: reaction.result }
    if (reaction?.type === 'error') {
      return { ...head, error: { code: reaction.code, message: reaction.message } }
    }
    if (reaction?.type === 'delay') await Bun.sleep(reaction.ms)
    const response = await forward(nodeUrl, { ...head, method, params })
    return reaction?.type === 'drop_answer' ? 'lost' : response
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body: unknown = await request.json()
      const isBatch = Array.isArray(body)
      const answers: Answer[] = []
      for (const one of isBatch ? body : [body]) answers.push(await answer(one))
      // What is lost for one call of a batch is lost for all: there is only one connection.
      if (answers.includes('lost')) return new Response('bad gateway', { status: 502 })
      return Response.json(isBatch ? answers : answers[0])
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    rule(rule) {
      current = rule
    },
    calls,
    stop: () => server.stop(true),
  }
}

/** A rule for one method only, with the given share of its calls, 0 to 1. */
export function sometimes(method: string, share: number, reaction: Reaction): Rule {
  return (call) => (call.method === method && Math.random() < share ? reaction : undefined)
}

/** The first reactions in order, one for each call of the method; afterwards all is forwarded. */
export function script(method: string, reactions: readonly (Reaction | undefined)[]): Rule {
  const left = [...reactions]
  return (call) => (call.method === method ? left.shift() : undefined)
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
