/** The example server as a child of the demo: it has a port of its own, and ends with the demo. */
import { join } from 'node:path'
import { leash, spawnDetached, stopProcess, waitUntil } from '../process.ts'

const SCRIPT = join(import.meta.dirname, '../../examples/server.ts')
const STARTS_WITHIN_MS = 20_000

export interface Shop {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the server and resolves when it says where it listens. */
export async function startShop(publicUrl: string): Promise<Shop> {
  const { child, running } = spawnDetached({
    command: process.execPath,
    args: [SCRIPT],
    env: { ...process.env, PORT: '0', PUBLIC_URL: publicUrl },
    output: 'pipe',
  })
  const unleash = leash(running.pid, 'SIGTERM')
  const stop = async () => {
    await stopProcess(running.pid)
    unleash()
  }
  let said = ''
  const hear = (chunk: Buffer) => {
    said += chunk.toString()
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const address = () => said.match(/listening on (http:\S+)/)?.[1]
  const isOver = () => address() !== undefined || running.ended() !== undefined
  await waitUntil(isOver, STARTS_WITHIN_MS)
  const url = address()
  if (url !== undefined) return { url, stop }
  await stop()
  throw new Error(`the example server did not start:\n${said}`)
}
