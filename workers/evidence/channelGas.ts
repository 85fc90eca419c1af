import { hasCode } from '../../chain/accounts.ts'
import type { ChainClient } from '../../chain/client.ts'
import { receiptsOf } from '../../chain/receipts.ts'
import type { View } from '../../chain/view.ts'
import type { Address } from '../../core/chain/evm.ts'
import { hasBurntGas, mayHaveLackedGas } from '../../core/x402/channels/action.ts'
import type { Database } from '../../store/database.ts'
import type { RelayerTx } from '../../store/relayer/transactions.ts'
import { itemsOf, type WorkItem } from '../../store/relayer/workItems.ts'
import { type Asked, askedIn, readActionWork } from '../../store/x402/channels/work.ts'

/**
 * Actions of channels share the gas of their transaction, and whoever has code by then (EIP-7702: also an account that
 * had none when it was asked) may burn all that is left when its turn comes.
 */

/** By the ids of items. Of those that are nowhere it is certain that they had the gas that they needed. */
export interface GasVerdicts {
  /** They had their turn with gas enough, and may have burnt it, with the account that did where that is known. */
  readonly burners: ReadonlyMap<bigint, Address | null>
  /** They may have lacked gas because of another one. */
  readonly starved: ReadonlySet<bigint>
  /** Nothing can be said yet. */
  readonly open: ReadonlySet<bigint>
}

const NONE: GasVerdicts = { burners: new Map(), starved: new Set(), open: new Set() }

/**
 * What became of the gas of a mined transaction, for the items that it left undone. By itself an item that used all
 * that it had has burnt it. Of several, the first that has code by the view had its turn with gas enough, and each other
 * that may have lacked gas is to be tried by itself. Nothing is said while the node has no receipt.
 */
export async function judgeChannelGas(
  { client, database }: { readonly client: ChainClient; readonly database: Database },
  { id, itemCount, minedHash }: Pick<RelayerTx, 'id' | 'itemCount' | 'minedHash'>,
  items: readonly WorkItem[],
  view: View,
): Promise<GasVerdicts> {
  const ids = new Set(items.map((item) => item.id))
  const [receipt] = minedHash === null ? [] : await receiptsOf(client.rpc, [minedHash])
  const used = receipt?.gasUsed ?? null
  if (used === null) return { ...NONE, open: ids }
  const rows = await readActionWork(
    database,
    (await itemsOf(database, id)).map((item) => item.id),
  )
  const undone = rows.filter(({ itemId }) => ids.has(itemId))
  const lacking =
    itemCount === 1
      ? undone.filter((row) => hasBurntGas(row, used))
      : undone.filter((row) => mayHaveLackedGas(row, rows, used))
  if (lacking.length === 0) return NONE
  const asked = await askedIn(database, itemCount === 1 ? idsIn(lacking) : idsIn(rows))
  if (itemCount === 1) {
    return { ...NONE, burners: new Map(asked.map((one) => [one.itemId, onlyOne(one)])) }
  }
  const isCode = (address: Address) => hasCode(client.rpc, address, view)
  const first = await firstWithCode(asked, isCode)
  const isFirst = (itemId: bigint) => itemId === first?.itemId
  return {
    burners: new Map(
      lacking.flatMap(({ itemId }) => (isFirst(itemId) ? [[itemId, first?.address ?? null]] : [])),
    ),
    starved: new Set(idsIn(lacking).filter((itemId) => !isFirst(itemId))),
    open: new Set(),
  }
}

function idsIn(rows: readonly { readonly itemId: bigint }[]): bigint[] {
  return rows.map(({ itemId }) => itemId)
}

/** Where several were asked, nothing says which of them it was. */
function onlyOne({ addresses }: Asked): Address | null {
  return addresses.length === 1 ? (addresses[0] ?? null) : null
}

async function firstWithCode(
  asked: readonly Asked[],
  isCode: (address: Address) => Promise<boolean>,
) {
  for (const { itemId, addresses } of asked) {
    const those = await Promise.all(addresses.map(isCode))
    const found = addresses.filter((_, i) => those[i])
    if (found.length > 0) return { itemId, address: found.length === 1 ? (found[0] ?? null) : null }
  }
  return null
}
