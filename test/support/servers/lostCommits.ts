import { connect, createServer, type Socket } from 'node:net'
import postgres from 'postgres'

/**
 * A failover that loses commits: a proxy before Postgres whose connections break at a moment, and lead to the same
 * database as it was at an earlier one from then on.
 */
export interface LosingPostgres {
  /** Of the database, by the proxy. */
  readonly url: string
  /** Keeps the database as it is now. Breaks its connections. */
  keep(): Promise<void>
  /** Breaks all connections; those that come afterwards find the database as it was kept. */
  failOver(): Promise<void>
  stop(): Promise<void>
}

/** Makes a copy of a database, and the way to it. `server` may create databases. */
export async function openLosingPostgres(
  server: postgres.Sql,
  template: string,
): Promise<LosingPostgres> {
  const name = `${template}_${crypto.randomUUID().slice(0, 8)}`
  await copy(server, template, name)
  const sockets = new Set<Socket>()
  let held = Promise.resolve()
  const proxy = createServer(async (near) => {
    sockets.add(near)
    near.on('error', () => near.destroy())
    near.on('close', () => sockets.delete(near))
    near.pause()
    await held
    if (near.destroyed) return
    const far = connect(server.options.port[0] ?? 5432, server.options.host[0] ?? '127.0.0.1')
    far.on('error', () => near.destroy())
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    near.pipe(far)
    far.pipe(near)
    near.resume()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')

  /** What is done while nothing is connected. */
  async function apart(work: () => Promise<void>): Promise<void> {
    const end = Promise.withResolvers<void>()
    held = end.promise
    for (const socket of sockets) socket.destroy()
    try {
      await work()
    } finally {
      end.resolve()
    }
  }
  const url = new URL(`postgres://127.0.0.1:${address.port}/${name}`)
  url.username = String(server.options.user)
  url.password = String(server.options.pass ?? '')
  return {
    url: url.href,
    keep: () => apart(() => copy(server, name, `${name}_kept`)),
    failOver: () =>
      apart(async () => {
        await alone(server, name, `alter database "${name}" rename to "${name}_lost"`)
        await server.unsafe(`alter database "${name}_kept" rename to "${name}"`)
      }),
    async stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      for (const each of [name, `${name}_lost`, `${name}_kept`])
        await server.unsafe(`drop database if exists "${each}" with (force)`)
    },
  }
}

function copy(server: postgres.Sql, from: string, to: string): Promise<void> {
  return alone(server, from, `create database "${to}" template "${from}"`)
}

/** Does what Postgres does only while no one is connected to the database. */
async function alone(server: postgres.Sql, name: string, statement: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await server`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    try {
      await server.unsafe(statement)
      return
    } catch (error) {
      const isInUse = error instanceof postgres.PostgresError && error.code === '55006'
      if (!isInUse || tries >= 100) throw error
      await Bun.sleep(10)
    }
  }
}
