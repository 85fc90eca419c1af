/**
 * Where the examples are: the development stack (`bun run dev`), from the file that it leaves behind. A
 * server of yours has all this in its own configuration.
 */
import { resolve } from 'node:path'
import { readDescription } from '../dev/stack/description.ts'

/** Where an example listens, and under which URL payers and registered prices know it. */
export const PORT = Number(process.env.PORT || 4021)
export const PUBLIC_URL = process.env.PUBLIC_URL || 'http://localhost:4021'

/** The folder of the stack: REMIT_HOME, or `.remit`. */
export const HOME = resolve(process.env.REMIT_HOME || '.remit')
export const { apiUrl, secretKey, faucetPrivateKey } = readDescription(HOME)
