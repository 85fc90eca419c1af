import type { Logger } from 'pino'
import { type Header, headerAt } from '../../chain/blocks/blocks.ts'
import { newHeaders } from '../../chain/blocks/canonical.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { WrongChainUrlError } from '../../chain/rpc/faults.ts'
import { max } from '../../core/base/integers.ts'
import { isFinal } from '../../core/chain/depth.ts'
import {
  blockHashAt,
  type ChainState,
  insertChainState,
  readChainRecord,
  readChainState,
  saveHead,
  touchHead,
} from '../../store/chain/state.ts'
import type { Database } from '../../store/database/database.ts'
import type { HeadReader } from './headReader.ts'

/** The chain at this URL is not the one that the ledger knows; nothing can continue until that is fixed. */
export class WrongChainError extends Error {
  override readonly name = 'WrongChainError'
}

/**
 * Checks chain id, genesis and a final block against what the ledger has, and records the first two the first
 * time.
 */
export async function checkIdentity(database: Database, client: ChainClient): Promise<void> {
  const { networkId, chainId, finalityDepth } = client.chain
  const recorded = await readChainRecord(database, networkId, finalityDepth)
  try {
    const genesis = await client.identify(recorded.genesis, recorded.anchor)
    if (recorded.genesis === null) await insertChainState(database, networkId, chainId, genesis)
  } catch (error) {
    if (!(error instanceof WrongChainUrlError)) throw error
    throw new WrongChainError(
      `${error.shortMessage}: if the chain was begun afresh, the database must be too`,
    )
  }
}

/** The same, read once for all loops of a process; after a failure, again. */
export function openIdentityCheck(database: Database, client: ChainClient): () => Promise<void> {
  let check: Promise<void> | null = null
  return () => {
    check ??= checkIdentity(database, client).catch((error: unknown) => {
      check = null
      throw error
    })
    return check
  }
}

/** Logs which URLs are not used, by their hosts alone: the rest of a URL may be a key. */
export function reportUrls(client: ChainClient, log: Logger): void {
  for (const { host, state, reason } of client.urls()) {
    if (state === 'wrong_chain') log.error({ host, reason }, 'an RPC URL is of another chain')
  }
}

/**
 * Follows the chain to its newest block. Headers are linked to the stored ones by their parents, so
 * that a reorganisation replaces exactly the blocks it displaced. Returns true when the head moved. `state` is the
 * chain's, where this turn has read it.
 */
export async function advanceHead(
  database: Database,
  client: ChainClient,
  latest: Header,
  now: Date,
  known: {
    readonly headerOf?: HeadReader['headerOf'] | undefined
    readonly state?: ChainState
  } = {},
): Promise<boolean> {
  const { chain, rpc } = client
  const { headerOf } = known
  const state = known.state ?? (await readChainState(database, chain.networkId))
  if (!state) throw new Error(`${chain.networkId} is not watched yet`)
  const hashAt = async (number: bigint) => {
    if (number > state.head) return null
    const known = number === state.head ? state.headHash : null
    return known ?? (await blockHashAt(database, chain.networkId, number))
  }
  const isHead = latest.number === state.head && latest.hash === state.headHash
  if (isHead || (await hashAt(latest.number)) === latest.hash) {
    // The same head, or a node that lags behind the previous one.
    await touchHead(database, chain.networkId, now)
    return false
  }
  // Deeper than reorganisations reach: the head of a node that was stuck for long.
  if (isFinal(latest.number, state.head, chain.finalityDepth)) return false
  const floor = max(latest.number - BigInt(chain.finalityDepth) * 2n, 0n)
  const stored = { head: state.head, hashAt, ...(headerOf && { headerOf }) }
  const headers = await newHeaders(rpc, latest, stored, floor)
  // The node's branch changed during the read. The next turn reads again.
  if (!headers) return false
  const mended = state.head + 1n < floor ? await changedBelow(database, client, state.head) : []
  await saveHead(database, chain.networkId, headers, mended, now)
  return true
}

/**
 * After a pause so long that the new headers don't reach down to the stored ones: the stored blocks
 * that the chain has replaced meanwhile, from the last one down to the first that is still canonical.
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
