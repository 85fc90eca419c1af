/**
 * Stands before a server, and falls silent when it is told to, as a frozen server, pooler or firewall does behind
 * something that still acknowledges: connections are accepted and what they say is taken, and nothing is passed on,
 * in either direction, nor that the other side has closed. What was open then stays silent for good: only
 * connections that are made once it speaks again are passed on.
 */
export interface SilentProxy {
  /** Where it listens on this machine. */
  readonly port: number
  /** The URL of the server, by way of the proxy. */
  through(url: string): string
  silence(): void
  speak(): void
  /** How many connections were made since the start. */
  readonly connections: number
  /** How many pieces of what either side said were passed on. */
  readonly passed: number
  stop(): void
}

interface Side {
  /** The other side; undefined while it is being reached, and once nothing is passed on any more. */
  other: Bun.Socket<Side> | undefined
  /** What was said before the server was reached. */
  early: Uint8Array[]
  /** What the other side could not take yet. */
  rest: Uint8Array[]
  isSilent: boolean
}

function startSilentProxy(target: {
  readonly hostname: string
  readonly port: number
}): SilentProxy {
  const clients = new Set<Bun.Socket<Side>>()
  const upstreams = new Set<Bun.Socket<Side>>()
  let isSilent = false
  let connections = 0
  let passed = 0
  const side = (): Side => ({ other: undefined, early: [], rest: [], isSilent })
  const passing = {
    data(socket: Bun.Socket<Side>, bytes: Uint8Array) {
      const { other, early } = socket.data
      if (socket.data.isSilent) return
      if (other === undefined) early.push(Uint8Array.from(bytes))
      else {
        passed += 1
        pass(other, Uint8Array.from(bytes))
      }
    },
    drain(socket: Bun.Socket<Side>) {
      for (const bytes of socket.data.rest.splice(0)) pass(socket, bytes)
    },
    close(socket: Bun.Socket<Side>) {
      clients.delete(socket)
      upstreams.delete(socket)
      if (!socket.data.isSilent) socket.data.other?.end()
    },
    error() {},
  }
  const server = Bun.listen<Side>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      ...passing,
      async open(client) {
        connections += 1
        client.data = side()
        clients.add(client)
        if (isSilent) return
        try {
          const upstream = await Bun.connect<Side>({ ...target, data: side(), socket: passing })
          upstreams.add(upstream)
          upstream.data.other = client
          client.data.other = upstream
          for (const bytes of client.data.early.splice(0)) pass(upstream, bytes)
        } catch {
          client.end()
        }
      },
    },
  })
  return {
    port: server.port,
    through(url: string) {
      // The host stands behind the password, if there is one.
      return url.replace(/(:\/\/(?:[^@/]*@)?)[^/@?#]+/, `$1127.0.0.1:${server.port}`)
    },
    silence() {
      isSilent = true
      for (const each of [...clients, ...upstreams]) each.data.isSilent = true
    },
    speak() {
      isSilent = false
    },
    get connections() {
      return connections
    },
    get passed() {
      return passed
    },
    stop() {
      for (const each of [...clients, ...upstreams]) each.terminate()
      server.stop(true)
    },
  }
}

/** Before the server that a URL names. */
export function startSilentProxyFor(url: string): SilentProxy {
  const { hostname, port } = new URL(url)
  return startSilentProxy({ hostname, port: Number(port) })
}

function pass(socket: Bun.Socket<Side>, bytes: Uint8Array): void {
  if (socket.data.isSilent) return
  const { rest } = socket.data
  const written = rest.length > 0 ? 0 : socket.write(bytes)
  if (written < bytes.length) rest.push(bytes.subarray(Math.max(0, written)))
}
