/**
 * Where the examples are: the development stack (`bun run dev`), from the file that it leaves behind. A
 * server of yours has all this in its own configuration.
 */
import { resolve } from 'node:path'
import { readDescription } from '../dev/stack/description.ts'

/** The folder of the stack: REMIT_HOME, or `.remit`. */
export const HOME = resolve(process.env.REMIT_HOME || '.remit')
export const { apiUrl, secretKey, publishableKey, faucetPrivateKey } = describedAt(HOME)

/**
 * Where an example listens, and under which URL payers and registered prices know it. Each has a usual port
 * of its own, so that they can run side by side. PORT and PUBLIC_URL that are the API's, as in a shell that the
 * stack was started from, are not the example's.
 */
export function placeOn(usualPort: number): { readonly port: number; readonly publicUrl: string } {
  const { PORT, PUBLIC_URL } = process.env
  const isOfApi = PORT !== undefined && PORT === new URL(apiUrl).port
  const port = Number((!isOfApi && PORT) || usualPort)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) end(`PORT is no port: ${PORT}`)
  return { port, publicUrl: (!isOfApi && PUBLIC_URL) || `http://localhost:${port}` }
}

/** Has a server listen; ends the process with a sentence where the port is taken. */
export async function listening<T>(port: number, listen: () => T | Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    if (Object(error).code !== 'EADDRINUSE') throw error
    return end(`port ${port} is taken: set PORT to another one`)
  }
}

function describedAt(home: string) {
  try {
    return readDescription(home)
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error))
  }
}

function end(message: string): never {
  console.error(message)
  process.exit(1)
}
