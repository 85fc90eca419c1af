import type { MerchantId } from '../../core/ids.ts'
import type { Database } from '../../store/database.ts'
import { foldMovements, unfoldedMovers } from '../../store/invoice/list/movements.ts'
import { foldTallies, unfoldedMerchants } from '../../store/invoice/list/tallies.ts'
import type { LedgerContext } from './context.ts'

/** Adding up what has happened to invoices and money: at once, and where that fails merchant by merchant. */

type SumsContext = Pick<LedgerContext, 'database'> & {
  readonly work: Pick<LedgerContext['work'], 'others'>
}

export function countInvoices(context: SumsContext): Promise<void> {
  return addUp(context, 'counters', foldTallies, unfoldedMerchants)
}

export function addMovementsUp(context: SumsContext): Promise<void> {
  return addUp(context, 'movements', foldMovements, unfoldedMovers)
}

async function addUp(
  { database, work }: SumsContext,
  kind: string,
  fold: (database: Database, merchantId?: MerchantId) => Promise<number>,
  unfolded: (database: Database) => Promise<MerchantId[]>,
): Promise<void> {
  const ofOne = `${kind} of merchant`
  // While it is quarantined, each merchant is still added up.
  const all = await work.others.alone(kind, 'of all merchants', () => fold(database))
  if (all !== null) return work.others.forgetAll(ofOne)
  await work.others.each(ofOne, await unfolded(database), String, (id) => fold(database, id))
}
