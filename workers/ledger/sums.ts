import type { MerchantId } from '../../core/ids.ts'
import type { Database } from '../../store/database.ts'
import { foldMovements } from '../../store/invoice/list/movements.ts'
import { foldTallies, unfoldedMerchants } from '../../store/invoice/list/tallies.ts'
import type { LedgerContext } from './context.ts'

/** Adding up what has happened to invoices and money: at once, and where that fails merchant by merchant. */

type SumsContext = Pick<LedgerContext, 'database'> & {
  readonly work: Pick<LedgerContext['work'], 'others'>
}

export function countInvoices(context: SumsContext): Promise<void> {
  return addUp(context, 'counters', foldTallies, 'invoice_tally_change')
}

export function addMovementsUp(context: SumsContext): Promise<void> {
  return addUp(context, 'movements', foldMovements, 'movement_tally_change')
}

async function addUp(
  { database, work }: SumsContext,
  kind: string,
  fold: (database: Database, merchantId?: MerchantId) => Promise<number>,
  changes: Parameters<typeof unfoldedMerchants>[1],
): Promise<void> {
  const ofOne = `${kind} of merchant`
  // While it is quarantined, each merchant is still added up.
  const all = await work.others.alone(kind, 'of all merchants', () => fold(database))
  if (all !== null) return work.others.forgetAll(ofOne)
  await work.others.each(ofOne, await unfoldedMerchants(database, changes), String, (id) =>
    fold(database, id),
  )
}
