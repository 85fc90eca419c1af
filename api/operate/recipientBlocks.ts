import { hasHistory, setBlocked } from '../../chain/rpc/localNode.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import type { TokenSymbol } from '../../core/chain/tokens.ts'
import { isOthersRecipient } from '../../store/access/merchants.ts'
import { guardDatabase, withNode } from '../http/backends.ts'
import type { ApiDependencies } from '../http/exchange.ts'
import type { PlayableChain } from './sandboxNodes.ts'

/**
 * Blocking recipients. A token blocks an account for all users, and merchants share the development
 * chains and may set any recipient: so only the merchant that an account belongs to can block it.
 */

/** A request to block or release an account. */
export interface BlockRequest {
  readonly merchantId: MerchantId
  /** The merchant's recipient, set by the operator. */
  readonly merchantRecipient: Address | null
  readonly address: Address
  readonly tokenSymbol: TokenSymbol
  readonly playable: readonly PlayableChain[]
}

/**
 * Why the account must not be blocked or unblocked; null if it may be. Another merchant's recipient
 * never may; an account with tokens or a history only if it is the merchant's own recipient.
 */
export async function objection(
  deps: ApiDependencies,
  isBlocked: boolean,
  { merchantId, merchantRecipient, address, tokenSymbol, playable }: BlockRequest,
): Promise<string | null> {
  const isOthers = await guardDatabase(deps, (sql) => isOthersRecipient(sql, merchantId, address))
  if (isOthers || address === deps.config.feeCollector) return 'the recipient is shared with others'
  if (!isBlocked || address === merchantRecipient) return null
  const used = await withNode(() =>
    Promise.all(
      playable.map(async ({ chain, node }) => {
        const token = tokenOn(chain, tokenSymbol)
        return token !== undefined && (await hasHistory(node, token.address, address))
      }),
    ),
  )
  if (!used.includes(true)) return null
  return 'the recipient was used before: set one that never received or sent anything'
}

/** Blocks or unblocks the account at the token on every development chain. */
export async function setRecipientBlocked(
  isBlocked: boolean,
  request: BlockRequest,
): Promise<void> {
  const { address, tokenSymbol, playable } = request
  for (const { chain, node } of playable) {
    const token = tokenOn(chain, tokenSymbol)
    if (token) await setBlocked(node, token, address, isBlocked)
  }
}
