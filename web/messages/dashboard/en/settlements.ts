/** Settlements and payouts. */
export const settlements = {
  settlementsNoneTitle: 'No settlements yet',
  settlementsNoneNext: 'Settlements appear here once an invoice is paid.',
  payouts: 'Payouts',
  settlementKinds: 'Settlement type',
  settlementsNoMatch: 'No settlements match these filters',
  networkAll: 'All networks',
  columnNet: 'Net',
  settlementsShown: '{n|one:# settlement|other:# settlements} shown',
  payoutsNoneTitle: 'No payouts yet',
  payoutsNoneNext: 'x402 payments are paid out in batches. Payouts appear here.',
  payoutsShown: '{n|one:# payout|other:# payouts} shown',
}
