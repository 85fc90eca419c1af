import { hasCode } from '../../chain/accounts.ts'
import { receiptsOf } from '../../chain/receipts.ts'
import type { View } from '../../chain/view.ts'
import type { Address } from '../../core/chain/evm.ts'
import { hasBurntGas, mayHaveLackedGas } from '../../core/x402/channels/action.ts'
import type { RelayerTx } from '../../store/relayer/transactions.ts'
import { itemsOf, type WorkItem } from '../../store/relayer/workItems.ts'
import { type Asked, askedIn, readActionWork } from '../../store/x402/channels/work.ts'
import { type GasVerdicts, idsOf, type KindContext } from '../relayer/kinds/kind.ts'

/**
 * Actions of channels share the gas of their transaction, and whoever has code by then (EIP-7702: also an account that
 * had none when it was asked) may burn all that is left when its turn comes.
 */

const NONE: GasVerdicts = { burners: new Map(), starved: new Set(), open: new Set() }

/**
 * What became of the gas of a mined transaction, for the items that it left undone. By itself an item that used all
 * that it had has burnt it. Of several, the first that has code by the view had its turn with gas enough, and each other
 * that may have lacked gas is to be tried by itself. Nothing is said while the node has no receipt.
 */
export async function judgeChannelGas(
  { client, database }: Pick<KindContext, 'client' | 'database'>,
  { id, itemCount, minedHash }: Pick<RelayerTx, 'id' | 'itemCount' | 'minedHash'>,
  items: readonly WorkItem[],
  view: View,
): Promise<GasVerdicts> {
  const ids = new Set(idsOf(items))
  const [receipt] = minedHash === null ? [] : await receiptsOf(client.rpc, [minedHash])
  const used = receipt?.gasUsed ?? null
  if (used === null) return { ...NONE, open: ids }
  const rows = await readActionWork(database, idsOf(await itemsOf(database, id)))
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
