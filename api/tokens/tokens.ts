import type { Logger } from 'pino'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { isRpcFault } from '../../chain/rpc/faults.ts'
import { readDomain } from '../../chain/tokens/domain.ts'
import type { Address } from '../../core/chain/evm.ts'
import { offering, optionalTokens } from '../../core/chain/offered.ts'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { listedTokens } from '../../store/chain/indexedTokens.ts'
import type { Availability } from '../../store/database/availability.ts'
import type { Database } from '../../store/database/database.ts'

/**
 * The tokens that this process offers. Default tokens of the registry are always offered; an optional token only
 * while the hub lists it, according to the workers, and once the index follows it. Both are polled. The EIP-712
 * domain of an optional token is read from its contract, once; until it is known, and while it is implausible,
 * the token is accepted for invoices but not by EIP-3009.
 */
export interface Tokens {
  /** The enabled chains with their offered tokens and domains. */
  chains(): readonly ActiveChain[]
  /** Problems with optional tokens, for the operator. */
  warnings(): readonly string[]
  /** Reads everything now. Never rejects. */
  refresh(): Promise<void>
  close(): Promise<void>
}

export interface TokenDependencies {
  readonly config: { readonly hub: Address; readonly chains: readonly ActiveChain[] }
  readonly database: Database
  readonly availability: Availability
  readonly clients: ReadonlyMap<string, ChainClient>
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** The pause between reads, in ms; null to read only on request. */
  readonly refreshMs?: number | null
}

const REFRESH_MS = 5_000
/** After a failed or implausible read, the pause before the next one grows. */
const LONGEST_PAUSE_MS = 300_000

/** The state of an optional token. */
interface Known {
  readonly chain: ActiveChain
  readonly token: TokenOnChain
  isListed: boolean
  isIndexed: boolean
  eip712: NonNullable<TokenOnChain['eip712']> | null
  /** Why there is no domain; null before the first read. */
  problem: string | null
  /** When its contract is read again, by performance.now(), and the next pause. */
  dueAt: number
  pauseMs: number
}

/** Starts reading; must be closed. */
export function openTokens(deps: TokenDependencies): Tokens {
  const { config, database, availability, clients, log, refreshMs = REFRESH_MS } = deps
  const known = optionalTokens(config.chains).map(
    ({ chain, token }): Known => ({
      ...{ chain, token, isListed: false, isIndexed: false, eip712: null, problem: null },
      ...{ dueAt: 0, pauseMs: REFRESH_MS },
    }),
  )
  let chains = offering(config.chains, [])
  let timer: Timer | null = null
  let isClosed = false
  let underWay: Promise<void> | null = null

  async function readListed(): Promise<void> {
    const listed = await availability.guard(() => listedTokens(database, config.hub))
    for (const one of known) {
      const row = listed.find(
        ({ networkId, token }) => networkId === one.chain.networkId && token === one.token.address,
      )
      one.isListed = row !== undefined
      one.isIndexed = row?.isIndexed ?? false
    }
  }

  async function update(one: Known): Promise<void> {
    const client = clients.get(one.chain.networkId)
    if (client === undefined || one.eip712 !== null || performance.now() < one.dueAt) return
    const found = await readDomain(client.rpc, one.token, one.chain.chainId).catch((error) => {
      if (!isRpcFault(error)) throw error
      return { ok: false, problem: 'its contract could not be read' } as const
    })
    const about = { networkId: one.chain.networkId, token: one.token.symbol }
    if (found.ok) {
      one.eip712 = found.eip712
      log.info({ ...about, ...found.eip712 }, 'the EIP-712 domain of a token was read')
      return
    }
    if (one.problem !== found.problem) {
      log.warn({ ...about, reason: found.problem }, 'a token accepts no x402 payments by EIP-3009')
    }
    one.problem = found.problem
    one.dueAt = performance.now() + one.pauseMs
    one.pauseMs = Math.min(2 * one.pauseMs, LONGEST_PAUSE_MS)
  }

  const isOffered = ({ isListed, isIndexed }: Known) => isListed && isIndexed

  function publish(): void {
    const offered = known
      .filter(isOffered)
      .map(({ chain: { networkId }, token: { address: token }, eip712 }) => ({
        ...{ networkId, token, eip712 },
      }))
    chains = offering(config.chains, offered)
  }

  async function read(): Promise<void> {
    if (known.length === 0) return
    await readListed()
    publish()
    const readings = await Promise.allSettled(known.filter(isOffered).map(update))
    publish()
    const failed = readings.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }

  function begin(): Promise<void> {
    underWay ??= read()
      .catch((error: unknown) => log.warn({ err: error }, 'the tokens could not be read'))
      .finally(() => {
        underWay = null
      })
    return underWay
  }

  async function turn(): Promise<void> {
    await begin()
    if (!isClosed && refreshMs !== null) timer = setTimeout(turn, refreshMs)
  }
  if (refreshMs !== null) turn()

  return {
    chains: () => chains,
    warnings: () => known.flatMap(warningOf),
    refresh() {
      for (const one of known) one.dueAt = 0
      return begin()
    },
    async close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      await underWay
    },
  }
}

function warningOf({ chain, token, isListed, isIndexed, eip712, problem }: Known): string[] {
  const { networkId } = chain
  if (!isListed) return []
  if (!isIndexed) {
    return [
      `${networkId}: the hub lists ${token.symbol}, but it is offered only once the indexer follows it: restart the indexer, or start a second one, which takes over once it has caught up`,
    ]
  }
  if (eip712 !== null || problem === null) return []
  return [`${networkId}: ${token.symbol} accepts no x402 payments by EIP-3009: ${problem}`]
}
