/**
 * Stands before Postgres as a pooler does: whoever connects is greeted with a process id that is none of the
 * server's. All else passes as it is.
 */
export interface GreetingProxy {
  /** The same database, reached through it. */
  readonly url: string
  stop(): void
}

interface Pair {
  other: Bun.Socket<Pair> | undefined
  /** What the client said before the server was reached. */
  early: Uint8Array[]
}

/** BackendKeyData: `K`, a length of 12, then the process id. */
const KEY = Buffer.from([0x4b, 0, 0, 0, 12])

export function startGreetingProxy(databaseUrl: string): GreetingProxy {
  const target = new URL(databaseUrl)
  const server = Bun.listen<Pair>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      async open(client) {
        client.data = { other: undefined, early: [] }
        const upstream = await Bun.connect<Pair>({
          hostname: target.hostname,
          port: Number(target.port),
          data: { other: client, early: [] },
          socket: {
            data: (own, bytes) => void own.data.other?.write(withOtherPid(bytes)),
            close: (own) => void own.data.other?.end(),
          },
        })
        for (const bytes of client.data.early) upstream.write(bytes)
        client.data.other = upstream
      },
      data({ data }, bytes) {
        if (data.other === undefined) data.early.push(Uint8Array.from(bytes))
        else data.other.write(bytes)
      },
      close: ({ data }) => void data.other?.end(),
    },
  })
  const url = new URL(databaseUrl)
  url.port = String(server.port)
  return { url: url.href, stop: () => server.stop(true) }
}

function withOtherPid(bytes: Buffer): Buffer {
  const at = bytes.indexOf(KEY)
  if (at === -1) return bytes
  const changed = Buffer.from(bytes)
  changed.writeInt32BE(1 + (changed.readInt32BE(at + KEY.length) ^ 0x40_00_00_00), at + KEY.length)
  return changed
}
