import { type Process, runAs } from '../kernel.ts'
import type { World } from '../world.ts'

/** How merchants and payers call the API. */

/** How long a caller waits for an answer of the API, in ms. */
const CALLER_PATIENCE_MS = 30_000

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: unknown
  /** The process that has answered. */
  readonly from: Process
}

export interface CallOptions {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls one of the APIs; null when there is no answer. */
export function call(
  world: World,
  actor: Process,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer | null> {
  const { kernel, apis } = world
  const { promise, resolve } = Promise.withResolvers<Answer | null>()
  const late = () => kernel.latency.next() * 20
  const api = apis[actor.random.between(0, Math.max(0, apis.length - 1))]
  const headers = new Headers({ 'content-type': 'application/json', ...options.headers })
  if (options.key !== undefined) headers.set('x-service-key', options.key)
  const body = options.body === undefined ? {} : { body: JSON.stringify(options.body) }
  const give = (answer: Answer | null) => {
    const what = `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`
    kernel.note(
      `${actor.name} < ${api?.process.name ?? 'no API'} ${what} ${answer?.status ?? 'no answer'}`,
    )
    runAs(actor, () => resolve(answer))
  }
  if (api === undefined) {
    kernel.after(late(), actor, () => resolve(null))
    return promise
  }
  const end = kernel.after(CALLER_PATIENCE_MS, actor, () => give(null))
  kernel.after(late(), api.process, () => {
    runAs(api.process, async () => {
      const response = await api.fetch(
        new Request(`http://api.sim${path}`, { method, headers, ...body }),
      )
      const text = await response.text()
      kernel.after(late(), actor, () => {
        end()
        const { status, headers: own } = response
        const json: unknown = text === '' ? null : JSON.parse(text)
        give({ status, headers: own, json, from: api.process })
      })
    }).catch((error: unknown) => kernel.failures.push(error))
  })
  return promise
}

/** Calls until there is an answer that a retry would not change. */
export async function insist(
  world: World,
  actor: Process,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  for (;;) {
    const answer = await call(world, actor, method, path, options)
    if (answer !== null && answer.status < 500 && answer.status !== 429) return answer
    await Bun.sleep(actor.random.between(200, 2_000))
  }
}
