import type { Answer, RpcCall } from '../support/servers/otherNode.ts'

/**
 * The simulator's own connection to the node of the chain, by WebSocket: a request by `fetch` costs this process several
 * times as much.
 */
export class NodeSocket {
  private readonly open: Promise<unknown>
  private readonly socket: WebSocket
  private readonly waiting = new Map<number, PromiseWithResolvers<Answer>>()
  private ids = 0

  constructor(url: string) {
    this.socket = new WebSocket(url)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.open = promise
    this.socket.onopen = resolve
    this.socket.onmessage = ({ data }) => this.hear(JSON.parse(String(data)))
    this.socket.onclose = () => {
      const error = new Error(`the connection to ${url} was closed`)
      reject(error)
      for (const { reject: refuse } of this.waiting.values()) refuse(error)
      this.waiting.clear()
    }
  }

  /** What the node answers, which may be an error. */
  async ask({ method, params }: RpcCall): Promise<Answer> {
    await this.open
    const id = this.ids++
    const answer = Promise.withResolvers<Answer>()
    this.waiting.set(id, answer)
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return answer.promise
  }

  /** The result of a call. @throws Error if the node returns none. */
  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const answer = await this.ask({ method, params })
    if (!('result' in answer)) throw new Error(`${method} failed: ${JSON.stringify(answer)}`)
    return answer.result
  }

  private hear({ id, ...answer }: Answer): void {
    this.waiting.get(Number(id))?.resolve(answer)
    this.waiting.delete(Number(id))
  }
}
