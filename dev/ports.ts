/** TCP ports of the loopback interface. */
import { createServer } from 'node:net'
import { StackError } from './process.ts'

/** Whether a TCP port of the loopback interface can be listened on. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}

/** A port of the loopback interface that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') {
        reject(new StackError('The system assigned no TCP port.'))
        return
      }
      server.close(() => resolve(address.port))
    })
  })
}

/**
 * Turns a wanted port into one that can be used: 0 becomes any free one, a busy one is a
 * StackError that names the environment variable to change.
 */
export async function claimPort(wanted: number, what: string, variable?: string): Promise<number> {
  if (wanted === 0) return await freePort()
  if (await isPortFree(wanted)) return wanted
  const advice = variable === undefined ? '' : `, or set ${variable} to another port (0 for any)`
  throw new StackError(
    `Port ${wanted}, which ${what} needs, is in use; stop what listens there${advice}.`,
  )
}
