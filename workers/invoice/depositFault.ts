import type { Address } from '../../core/chain/evm.ts'
import type { Config } from '../../core/config/processes.ts'
import { type DepositTerms, depositAddress } from '../../core/hub/deposit.ts'
import type { Queryable } from '../../store/database/database.ts'
import { isHubNamed } from '../../store/hub/forwarders.ts'

/** An invoice's deposit as stored in its row. */
export interface DepositRow extends DepositTerms {
  readonly hub: Address
  readonly deposit: Address
}

/**
 * Why nothing may count, or be signed, for a deposit; null when it is what it should be. Rows of invoices
 * are written by the API, and only one that names a hub of ours, and the very address that this hub
 * derives from its terms, is an invoice of ours.
 */
export async function depositFault(
  sql: Queryable,
  config: Pick<Config, 'hub'>,
  row: DepositRow,
): Promise<string | null> {
  if (row.hub !== config.hub && !(await isHubNamed(sql, row.hub))) {
    return `its hub ${row.hub} is none of this deployment's`
  }
  if (depositAddress(row.hub, row) === row.deposit) return null
  return `its deposit ${row.deposit} is not the one that its hub derives from its terms`
}
