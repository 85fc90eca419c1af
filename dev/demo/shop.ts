/** The example servers as child processes, each on its own port. */
import { join } from 'node:path'
import { spawnDetached, stopOnParentDeath, stopProcess, waitUntil } from '../processes/child.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')
const STARTS_WITHIN_MS = 20_000

export interface Shop {
  readonly url: string
  stop(): Promise<void>
}

export interface ShopOptions {
  /** The name of the example. */
  readonly example?: 'server' | 'hono' | 'expressV1'
  /** Its public URL. */
  readonly publicUrl: string
  /** The folder of the stack; by default that of this process. */
  readonly home?: string
}

/** Starts a server and resolves when it listens. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const { example = 'server', publicUrl, home } = options
  const { child, running } = spawnDetached({
    command: process.execPath,
    args: [join(EXAMPLES, `${example}.ts`)],
    env: { ...process.env, PORT: '0', PUBLIC_URL: publicUrl, ...(home && { REMIT_HOME: home }) },
    output: 'pipe',
  })
  const release = stopOnParentDeath(running.pid, 'SIGTERM')
  const stop = async () => {
    await stopProcess(running.pid)
    release()
  }
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
  }
  const address = () => printed.match(/listening on (http:\S+)/)?.[1]
  const isOver = () => address() !== undefined || running.ended() !== undefined
  await waitUntil(isOver, STARTS_WITHIN_MS)
  const url = address()
  if (url !== undefined) return { url, stop }
  await stop()
  throw new Error(`the example server did not start:\n${printed}`)
}
