/**
 * Where the examples are: the development stack (`bun run dev`), from the file that it leaves behind. A
 * server of yours has all this in its own configuration.
 */
import { resolve } from 'node:path'
import { readDescription } from '../dev/stack/description.ts'

/**
 * Where an example listens, and under which URL payers and registered prices know it. Each has a usual port
 * of its own, so that they can run side by side.
 */
export function placeOn(usualPort: number): { readonly port: number; readonly publicUrl: string } {
  const port = Number(process.env.PORT || usualPort)
  return { port, publicUrl: process.env.PUBLIC_URL || `http://localhost:${port}` }
}

/** The folder of the stack: REMIT_HOME, or `.remit`. */
export const HOME = resolve(process.env.REMIT_HOME || '.remit')
export const { apiUrl, secretKey, publishableKey, faucetPrivateKey } = readDescription(HOME)
