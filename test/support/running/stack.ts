import { createHome, type DevStack, startDevStack } from '../servers/devStack.ts'

/** The one stack that all tests of a file share, which stop and kill nothing that another one needs. */

const VARIABLES = {
  RATE_LIMIT_X402: '1000000',
  // The keys of a worker that was killed are free again soon; by default a test would mostly wait for them.
  RELAYER_LEASE_MS: '5000',
}

let home: ReturnType<typeof createHome> | undefined
let current: DevStack | undefined
/** Tests that have begun and not passed. */
let unfinished = 0

export function running(): DevStack {
  if (!current) throw new Error('the stack is not running')
  return current
}

/** Starts it, or starts it again with what it has stored. `prepare` is done in its folder before the first start. */
export async function startRunning(
  own: Readonly<Record<string, string>> = {},
  prepare?: (home: string) => Promise<void>,
): Promise<DevStack> {
  if (home === undefined) {
    home = createHome()
    await prepare?.(home.home)
  }
  current = await startDevStack(home.home, { ...VARIABLES, ...own })
  return current
}

/** A test after whose failure logs and stores are kept. */
export function keepingLogs(work: () => Promise<void>): () => Promise<void> {
  return async () => {
    unfinished += 1
    await work()
    unfinished -= 1
  }
}

export async function stopRunning(): Promise<void> {
  await current?.stop()
  if (unfinished === 0) home?.remove()
  else console.error(`logs and stores of the failed run: ${home?.home}`)
  home = undefined
  current = undefined
  unfinished = 0
}
