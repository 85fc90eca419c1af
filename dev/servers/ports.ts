/** TCP ports of the loopback interface. */
import { createServer } from 'node:net'
import { StackError } from '../processes/child.ts'

/** Whether a TCP port of the loopback interface can be listened on. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}

/** Below the range of automatically assigned ports. */
const LOWEST = 15_000
const HIGHEST = 32_000
const TRIES = 100

/**
 * A port of the loopback interface without a listener, outside of the range of automatic
 * assignment.
 */
export async function freePort(): Promise<number> {
  for (let i = 0; i < TRIES; i += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (await isPortFree(port)) return port
  }
  throw new StackError(`No TCP port from ${LOWEST} to ${HIGHEST} could be listened on.`)
}

/**
 * Resolves a requested port to a usable one: 0 becomes any free port, a busy port is a
 * StackError with the environment variable to change.
 */
export async function claimPort(wanted: number, what: string, variable?: string): Promise<number> {
  if (wanted === 0) return await freePort()
  if (await isPortFree(wanted)) return wanted
  const advice = variable === undefined ? '' : `, or set ${variable} to another port (0 for any)`
  throw new StackError(
    `Port ${wanted} of ${what} is in use; stop the process that listens there${advice}.`,
  )
}
