import { foldChanges, merchantsOfChanges, type Tally } from '../../store/database/tallies.ts'
import { MOVEMENTS } from '../../store/invoice/list/movements.ts'
import { INVOICES } from '../../store/invoice/list/tallies.ts'
import type { LedgerContext } from '../turns/ledgerContext.ts'

/** Adding up what has happened to invoices and money: at once, and where that fails merchant by merchant. */

type SumsContext = Pick<LedgerContext, 'database'> & {
  readonly work: Pick<LedgerContext['work'], 'others'>
}

export function countInvoices(context: SumsContext): Promise<void> {
  return addUp(context, 'counters', INVOICES)
}

export function addMovementsUp(context: SumsContext): Promise<void> {
  return addUp(context, 'movements', MOVEMENTS)
}

async function addUp({ database, work }: SumsContext, kind: string, tally: Tally): Promise<void> {
  const ofOne = `${kind} of merchant`
  // While it is quarantined, each merchant is still added up.
  const all = await work.others.alone(kind, 'of all merchants', () => foldChanges(database, tally))
  if (all !== null) return work.others.forgetAll(ofOne)
  await work.others.each(ofOne, await merchantsOfChanges(database, tally), String, (id) =>
    foldChanges(database, tally, id),
  )
}
