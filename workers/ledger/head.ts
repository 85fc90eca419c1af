import { genesisHash, type Header, headerAt, readHead } from '../../chain/blocks.ts'
import { newHeaders } from '../../chain/canonical.ts'
import type { ChainClient } from '../../chain/client.ts'
import { max } from '../../core/integers.ts'
import {
  blockHashAt,
  insertChainState,
  readChainState,
  saveHead,
  touchHead,
} from '../../store/chain/state.ts'
import type { Database } from '../../store/database.ts'

/** The chain at this URL is not the one that the ledger knows; nothing can go on until that is mended. */
export class WrongChainError extends Error {
  override readonly name = 'WrongChainError'
}

/** Checks chain id and genesis against what the ledger recorded, and records them the first time. */
export async function checkIdentity(database: Database, client: ChainClient): Promise<void> {
  const { chain, rpc } = client
  const [chainId, genesis] = await Promise.all([rpc.getChainId(), genesisHash(rpc)])
  if (chainId !== chain.chainId) {
    throw new WrongChainError(
      `the RPC URL of ${chain.networkId} answers for chain ${chainId}, not for ${chain.chainId}`,
    )
  }
  await insertChainState(database, chain.networkId, chain.chainId, genesis)
  const state = await readChainState(database, chain.networkId)
  if (state && state.genesisHash !== genesis) {
    throw new WrongChainError(
      `${chain.networkId} has another genesis block than the ledger recorded: the chain was begun afresh, so the database must be too`,
    )
  }
}

/**
 * Follows the chain to its newest block. Headers are linked to the stored ones by their parents, so
 * that a reorganisation replaces exactly the blocks it displaced. Returns true when the head moved.
 */
export async function advanceHead(
  database: Database,
  client: ChainClient,
  now: Date,
): Promise<boolean> {
  const { chain, rpc } = client
  const state = await readChainState(database, chain.networkId)
  if (!state) throw new Error(`${chain.networkId} is not watched yet`)
  const latest = await readHead(rpc)
  const hashAt = (number: bigint) => blockHashAt(database, chain.networkId, number)
  if ((await hashAt(latest.number)) === latest.hash) {
    // The same head, or a node that lags behind the one we asked before.
    await touchHead(database, chain.networkId, now)
    return false
  }
  const floor = max(latest.number - BigInt(chain.finalityDepth) * 2n, 0n)
  const headers = await newHeaders(rpc, latest, { head: state.head, hashAt }, floor)
  // The node changed its mind while we asked. The next turn asks again.
  if (!headers) return false
  const mended = state.head + 1n < floor ? await changedBelow(database, client, state.head) : []
  await saveHead(database, chain.networkId, headers, mended, now)
  return true
}

/**
 * After a pause so long that the new headers don't reach down to the stored ones: the stored blocks
 * that the chain has replaced meanwhile, from the last one down to the first that still stands.
 */
async function changedBelow(
  database: Database,
  { chain, rpc }: ChainClient,
  knownHead: bigint,
): Promise<Header[]> {
  const changed: Header[] = []
  for (let number = knownHead; number >= 0n; number -= 1n) {
    const stored = await blockHashAt(database, chain.networkId, number)
    if (stored === null) return changed
    const canonical = await headerAt(rpc, number)
    if (canonical === null || canonical.hash === stored) return changed
    changed.push(canonical)
  }
  return changed
}
