import { clearSucroseCache } from 'elysia/sucrose'
import { createClient, custom } from 'viem'
import { pause } from './real.ts'

/**
 * What packages keep in their modules is shared by all processes of a run, and would last from one run to the next.
 * Every run begins with the same, as if its process of this machine had begun with it.
 */
export async function beginAlike(): Promise<void> {
  useUpNames()
  // What Elysia has read of handlers is forgotten after minutes without new ones, by a timer of whoever read them.
  clearSucroseCache(0)
  await pause(1)
}

/**
 * viem takes names of clients from a text of 256 random numbers, each one character after the one before, and fills it
 * again when it is used up: with numbers of the process whose client comes first then.
 */
function useUpNames(): void {
  const transport = custom({ request: async () => null })
  let name = createClient({ transport }).uid
  for (;;) {
    const next = createClient({ transport }).uid
    if (!next.startsWith(name.slice(1))) return
    name = next
  }
}
