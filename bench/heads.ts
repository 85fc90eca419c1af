import { createPublicClient, webSocket } from 'viem'
import type { DevStack } from '../test/support/servers/devStack.ts'

/** The times at which blocks of a chain were received. */
export interface Heads {
  /** By number: the time at which the node reported it, in ms since 1970. */
  readonly heardAt: ReadonlyMap<number, number>
  stop(): void
}

/** The time of this machine's clock in ms, with parts of it: the same in every process. */
export function machineTime(): number {
  return performance.timeOrigin + performance.now()
}

/** Subscribes to new blocks of the node. */
export function watchHeads({ description }: DevStack, networkId: string): Heads {
  const chain = description.chains.find((one) => one.networkId === networkId)
  return hearHeads((chain?.rpcUrl ?? '').replace(/^http/, 'ws'))
}

/** The same of a node's WebSocket. */
export function hearHeads(wsUrl: string): Heads {
  const client = createPublicClient({ transport: webSocket(wsUrl) })
  const heardAt = new Map<number, number>()
  const stop = client.watchBlockNumber({
    onBlockNumber: (number) => void heardAt.set(Number(number), machineTime()),
  })
  return { heardAt, stop }
}
