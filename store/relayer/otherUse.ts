import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Database, Queryable } from '../database/database.ts'
import { type KeyStatus, quarantineKey, recordTakenNonces } from './keys.ts'

/** Another sender's use of a key of ours, as the chain shows it. */

export interface OtherUse {
  readonly networkId: string
  readonly address: Address
  /** The account nonces from `first` up to but not including `next`. */
  readonly first: bigint
  readonly next: bigint
  /** The transaction that used the first one. */
  readonly hash: Hex
}

/**
 * Takes the key out of service and writes down the nonces that are gone, unless it has been changed since.
 * Returns the note about it; null when nothing was done.
 */
export async function recordOtherUse(database: Database, use: OtherUse): Promise<string | null> {
  const { networkId, address, first, next, hash } = use
  return database.begin(async (sql) => {
    const [key] = await sql<{ nextNonce: bigint; status: KeyStatus }[]>`
      select next_nonce, status from relayer_key
      where network_id = ${networkId} and address = ${address} for update`
    if (key?.nextNonce !== first || key.status === 'quarantined') return null
    const note = `account nonces ${first} to ${next - 1n} were used by another sender, first in ${hash}`
    await recordTakenNonces(sql, use, first, next)
    await quarantineKey(sql, use, first, note)
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
