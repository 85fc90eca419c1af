import type { Hex } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import { type HubChain, startHubChain } from '../servers/chain.ts'
import { freshDatabase } from '../servers/database.ts'
import { type FakeRpc, startFakeRpc } from '../servers/fakeRpc.ts'

/** A chain with the hub, a node in front of it that can fail, and what each test has for itself. */
export interface RelayerRig {
  readonly chain: HubChain
  readonly node: FakeRpc
  /** Every test has a relayer key of its own, so that none inherits another's account nonces. */
  ownKey(): Hex
  ownDatabase(): Promise<Database>
  close(): Promise<void>
}

export async function openRelayerRig(
  options: Parameters<typeof startHubChain>[0],
): Promise<RelayerRig> {
  const chain = await startHubChain(options)
  const node = startFakeRpc(chain.node.url)
  const databases: Database[] = []
  let taken = 0
  return {
    chain,
    node,
    ownKey() {
      const key = chain.relayerKeys[taken++]
      if (key === undefined) throw new Error('the chain has too few relayer keys')
      return key
    },
    async ownDatabase() {
      const database = await freshDatabase()
      databases.push(database)
      return database
    },
    async close() {
      for (const database of databases) await database.end()
      await node.stop()
      await chain.node.stop()
    },
  }
}
