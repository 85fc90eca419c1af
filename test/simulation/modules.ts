import { clearSucroseCache } from 'elysia/sucrose'
import { generateSiweNonce } from 'viem/siwe'
import { pause } from './real.ts'

/**
 * What packages keep in their modules is shared by all processes of a run, and would last from one run to the next.
 * Every run begins with the same, as if its process of this machine had begun with it.
 */
export async function beginAlike(): Promise<void> {
  useUpNames()
  // What Elysia has read of handlers is forgotten after minutes without new ones, by a timer of whichever process read.
  clearSucroseCache(0)
  await pause(1)
}

/**
 * viem takes names of clients, and such nonces, from a text of 256 random numbers, each one character after the one
 * before. When that is used up, the process that is next fills it with numbers of its own.
 */
function useUpNames(): void {
  let name = generateSiweNonce()
  for (;;) {
    const next = generateSiweNonce()
    if (!next.startsWith(name.slice(1))) return
    name = next
  }
}
