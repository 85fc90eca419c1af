/**
 * Checks that the ledger and the local chains belong together: with other chains a ledger is worthless
 * and misleading. The ledger stores the blocks that it has read, so it can detect that.
 */
import { type Database, openDatabase } from '../../store/database/database.ts'
import type { LocalChainNode, Servers } from './servers.ts'

/** A ledger may be this many blocks ahead of its chain after a crash; more means another chain. */
const SHORT_DIFFERENCE = 64n

/** Undefined if ledger and chains match, otherwise a message about the mismatch. */
export async function findMismatch(servers: Servers): Promise<string | undefined> {
  if (servers.nodes.length === 0) return undefined
  const database = openDatabase(servers.databaseUrl, { name: 'remit-dev', poolSize: 1 })
  try {
    const [table] = await database<{ exists: boolean }[]>`
      select to_regclass('chain_state') is not null as exists`
    if (!table?.exists) return undefined
    for (const local of servers.nodes) {
      const mismatch = await mismatchOf(database, local)
      if (mismatch !== undefined) return mismatch
    }
    return undefined
  } finally {
    await database.end()
  }
}

async function mismatchOf(
  database: Database,
  { chain, node }: LocalChainNode,
): Promise<string | undefined> {
  const [known] = await database<{ genesisHash: string; head: bigint }[]>`
    select genesis_hash, head from chain_state where network_id = ${chain.networkId}`
  if (known === undefined) return undefined
  if (known.genesisHash !== node.genesis) {
    return `the ledger belongs to another ${chain.networkId} chain`
  }
  const blocks = await database<{ number: bigint; hash: string }[]>`
    select number, hash from chain_block where network_id = ${chain.networkId}
    order by number desc limit ${String(SHORT_DIFFERENCE + 1n)}`
  if (blocks.length === 0) return undefined
  for (const block of blocks) {
    // Missing newest blocks are a reorganisation, which workers handle.
    if (known.head - block.number > SHORT_DIFFERENCE) break
    const found = await node.rpc('eth_getBlockByNumber', [`0x${block.number.toString(16)}`, false])
    if (hashOf(found) === block.hash) return undefined
  }
  return `the ledger has read blocks of ${chain.networkId} that the chain no longer has`
}

function hashOf(block: unknown): unknown {
  return typeof block === 'object' && block !== null && 'hash' in block ? block.hash : undefined
}
