import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Database, Queryable } from '../database/database.ts'
import { type KeyName, type KeyStatus, quarantineKey, recordTakenNonces } from './keys.ts'

/** Another sender's use of a key of ours, as the chain shows it. */

/**
 * Takes the key out of service and writes down the account nonces that are gone, from `first` up to but not including
 * `next`, unless it has been changed since. `hash` used the first one. Returns the note about it; null when nothing was
 * done.
 */
export async function recordOtherUse(
  database: Database,
  key: KeyName,
  { first, next, hash }: { readonly first: bigint; readonly next: bigint; readonly hash: Hex },
): Promise<string | null> {
  const { networkId, address } = key
  return database.begin(async (sql) => {
    const [row] = await sql<{ nextNonce: bigint; status: KeyStatus }[]>`
      select next_nonce, status from relayer_key
      where network_id = ${networkId} and address = ${address} for update`
    if (row?.nextNonce !== first || row.status === 'quarantined') return null
    const note = `account nonces ${first} to ${next - 1n} were used by another sender, first in ${hash}`
    await recordTakenNonces(sql, key, first, next)
    await quarantineKey(sql, key, first, note)
    return note
  })
}

/** The contracts that our transactions on a chain have ever called. */
export async function calledContracts(sql: Queryable, networkId: string): Promise<Address[]> {
  const rows = await sql<{ target: Address }[]>`
    select distinct target from relayer_tx
    where network_id = ${networkId} and kind <> 'nonce_taken'`
  return rows.map(({ target }) => target)
}
