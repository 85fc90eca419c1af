import { createHome, type DevStack, startDevStack } from '../servers/devStack.ts'

/** The one stack that all tests share which stop and kill nothing that another one needs. */

const { home, remove } = createHome()
let current: DevStack | undefined

export function running(): DevStack {
  if (!current) throw new Error('the stack is not running')
  return current
}

/** Starts it, or starts it again with what it has stored. */
export async function startRunning(): Promise<DevStack> {
  current = await startDevStack(home, {
    RATE_LIMIT_X402: '1000000',
    // The keys of a worker that was killed are free again soon.
    RELAYER_LEASE_MS: '5000',
  })
  return current
}

export async function stopRunning(): Promise<void> {
  await current?.stop()
  remove()
}
