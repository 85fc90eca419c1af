import type { Logger } from 'pino'
import { isListed } from '../../chain/hub/contract.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { isRpcFault } from '../../chain/rpc/faults.ts'
import { type Address, parseAddress } from '../../core/chain/evm.ts'
import { following, optionalTokens } from '../../core/chain/offered.ts'
import type { IndexerConfig } from '../../core/config/processes.ts'
import { indexedTokens, type TokenPlace } from '../../store/chain/indexedTokens.ts'
import type { Database } from '../../store/database/database.ts'

/**
 * Which optional tokens a deployment follows. They count towards its identity, so one more of them starts a
 * full resync: those that the hub doesn't list are left out, and earlier deployments stay unchanged.
 */

/** The variable in which they are passed to Ponder's process, which must not search for them itself. */
export const FOLLOWED = 'INDEXER_FOLLOWED_TOKENS'

/** What was followed before, and what the hub lists now. A hub that can't be read adds nothing. */
export async function tokensToFollow(
  database: Database,
  clients: readonly ChainClient[],
  hub: Address,
  log: Logger,
): Promise<readonly TokenPlace[]> {
  const before = await indexedTokens(database)
  const found = await Promise.all(
    clients.map(async ({ chain, rpc }): Promise<TokenPlace[]> => {
      const { networkId } = chain
      const tokens = optionalTokens([chain]).map(({ token }) => token.address)
      const wanted = tokens.filter(
        (token) => !before.some((one) => one.networkId === networkId && one.token === token),
      )
      try {
        const listed = await Promise.all(wanted.map((token) => isListed(rpc, hub, token)))
        return wanted.filter((_, i) => listed[i]).map((token) => ({ networkId, token }))
      } catch (error) {
        if (!isRpcFault(error)) throw error
        log.warn({ err: error, networkId }, 'which tokens the hub lists could not be read')
        return []
      }
    }),
  )
  return [...before, ...found.flat()]
}

/** The configuration with those optional tokens alone. */
export function withFollowed<C extends Pick<IndexerConfig, 'chains'>>(
  config: C,
  named: readonly TokenPlace[],
): C {
  return { ...config, chains: following(config.chains, named) }
}

/** The optional tokens of a configuration. */
export function followedOf({ chains }: Pick<IndexerConfig, 'chains'>): readonly TokenPlace[] {
  return optionalTokens(chains).map(({ chain: { networkId }, token: { address: token } }) => ({
    networkId,
    token,
  }))
}

export function followedText(places: readonly TokenPlace[]): string {
  return places.map(({ networkId, token }) => `${networkId}:${token}`).join(',')
}

/** Throws an Error for anything that this file has not written. */
export function parseFollowed(text: string | undefined): readonly TokenPlace[] {
  if (text === undefined || text === '') return []
  return text.split(',').map((entry) => {
    const [networkId = '', address = ''] = entry.split(':')
    const token = parseAddress(address)
    if (token === null) throw new Error(`${FOLLOWED} holds ${entry}`)
    return { networkId, token }
  })
}
