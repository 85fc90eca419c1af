import { hasCode } from '../../chain/blocks/accounts.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { View } from '../../chain/rpc/view.ts'
import { receiptsOf } from '../../chain/transactions/receipts.ts'
import type { Address } from '../../core/chain/evm.ts'
import { hasBurntGas, mayHaveLackedGas } from '../../core/channels/action.ts'
import { type ItemSigners, readActionWork, signersIn } from '../../store/channels/work.ts'
import type { Database, Transaction } from '../../store/database/database.ts'
import { itemsOf, type WorkItem } from '../../store/relayer/workItems.ts'
import { pauseWallet } from '../../store/x402/wallets.ts'
import type { Fate, Fates, RunTransaction } from '../relayer/kind.ts'

/**
 * Actions of channels share the gas of their transaction, and a payer with code by then (EIP-7702: also an
 * account that had none when the action was requested) may burn all that is left.
 */

/**
 * How the gas of a mined transaction was used, for the items that it left undone. Alone, an item that used all
 * that it had has burnt it. Of several, the first that has code by the view had its turn with gas enough, even
 * if it is done, and each other that may have lacked gas is to be tried alone. Undecided while the node has no
 * receipt.
 */
export async function assessChannelGas(
  { client, database }: { readonly client: ChainClient; readonly database: Database },
  { id, gasLimit: limit, itemCount: actions, minedHash }: RunTransaction,
  items: readonly WorkItem[],
  view: View,
): Promise<Fates | null> {
  const ids = new Set(items.map((item) => item.id))
  const [receipt] = minedHash === null ? [] : await receiptsOf(client.rpc, [minedHash])
  const used = receipt?.gasUsed ?? null
  if (used === null) return null
  const rows = await readActionWork(
    database,
    (await itemsOf(database, id)).map((item) => item.id),
  )
  const undone = rows.filter(({ itemId }) => ids.has(itemId))
  const isAlone = actions === 1
  const lacking = undone.filter((row) =>
    isAlone ? hasBurntGas({ limit, used }) : mayHaveLackedGas(row, { limit, used, actions }),
  )
  if (lacking.length === 0) return new Map()
  const signers = await signersIn(database, idsIn(isAlone ? lacking : rows))
  if (isAlone) return new Map(signers.map((one) => [one.itemId, burnt(onlyOne(one))]))
  const isCode = (address: Address) => hasCode(client.rpc, address, view)
  const first = await firstWithCode(signers, isCode)
  const isFirst = (itemId: bigint) => itemId === first?.itemId
  const done = rows.find(({ itemId, status }) => isFirst(itemId) && status === 'settled')
  // It may have burnt the gas although its own action was done.
  const waster = done && first?.address ? { ...done, payer: first.address, payerCode: null } : null
  const starved = idsIn(lacking).filter((itemId) => !isFirst(itemId))
  return new Map(
    idsIn(lacking).map((itemId) => {
      if (isFirst(itemId)) return [itemId, burnt(first?.address ?? null)]
      const also = (sql: Transaction) =>
        waster && itemId === starved[0] ? pauseWallet(sql, waster) : null
      return [itemId, { type: 'again', batchLimit: 1, countTry: true, delayMs: 0, also }]
    }),
  )
}

/** It had its turn with gas enough, and may have burnt it, as has the account where that is known. */
function burnt(burner: Address | null): Fate {
  const reason = 'it used all gas of its transaction'
  return { type: 'failed', reason, burner: burner ?? undefined }
}

function idsIn(rows: readonly { readonly itemId: bigint }[]): bigint[] {
  return rows.map(({ itemId }) => itemId)
}

/** Where several were called, nothing shows which of them it was. */
function onlyOne({ addresses }: ItemSigners): Address | null {
  return addresses.length === 1 ? (addresses[0] ?? null) : null
}

async function firstWithCode(
  signers: readonly ItemSigners[],
  isCode: (address: Address) => Promise<boolean>,
) {
  for (const { itemId, addresses } of signers) {
    const those = await Promise.all(addresses.map(isCode))
    const found = addresses.filter((_, i) => those[i])
    if (found.length > 0) return { itemId, address: found.length === 1 ? (found[0] ?? null) : null }
  }
  return null
}
