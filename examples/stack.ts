/**
 * Settings of the examples, from the file of the development stack (`bun run dev`). Your own
 * server has them in its configuration.
 */
import { resolve } from 'node:path'
import { readDescription } from '../dev/stack/description.ts'

/** The folder of the stack: REMIT_HOME, or `.remit`. */
export const HOME = resolve(process.env.REMIT_HOME || '.remit')
export const { apiUrl, secretKey, publishableKey, faucetPrivateKey } = describedAt(HOME)

/**
 * Port and public URL of an example. Each has its own default port,
 * so that they can run side by side. PORT and PUBLIC_URL of the API, as in a shell that the
 * stack was started from, are ignored.
 */
export function placeOn(usualPort: number): { readonly port: number; readonly publicUrl: string } {
  const { PORT, PUBLIC_URL } = process.env
  const isOfApi = PORT !== undefined && PORT === new URL(apiUrl).port
  const port = Number((!isOfApi && PORT) || usualPort)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) end(`PORT is not a valid port: ${PORT}`)
  return { port, publicUrl: (!isOfApi && PUBLIC_URL) || `http://localhost:${port}` }
}

/** Starts a server; ends the process with a message if the port is in use. */
export async function listening<T>(port: number, listen: () => T | Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    if (Object(error).code !== 'EADDRINUSE') throw error
    return end(`port ${port} is in use: set PORT to another one`)
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
