import { csvLine } from '../base/csv.ts'
import { checksumAddress } from '../chain/evm.ts'
import { accountName, dayOf, signed } from './beancount.ts'
import type { Entry } from './entry.ts'

/** Entries as comma-separated values, one posting to a line: those of one entry add up to zero. */

export const ENTRY_HEADER = csvLine([
  'date',
  'entry',
  'type',
  'account',
  'amount',
  'commodity',
  'reference',
  'externalRef',
  'chain',
  'tokenAddress',
  'txHash',
])

export function entryLines(entry: Entry): string {
  return entry.postings
    .map(({ account, amount }) =>
      csvLine([
        dayOf(entry.at),
        entry.id,
        entry.type,
        accountName(account, entry.networkId),
        signed(amount, entry.decimals),
        entry.commodity,
        entry.reference,
        entry.externalRef,
        entry.networkId,
        checksumAddress(entry.token),
        entry.txHash,
      ]),
    )
    .join('')
}
