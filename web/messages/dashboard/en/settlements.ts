/** Settlements and payouts. */
export const settlements = {
  settlementsNoneTitle: 'No payouts yet',
  settlementsNoneNext: 'Payouts appear here once an invoice is paid.',
  settlementKinds: 'Payout type',
  settlementsNoMatch: 'No payouts match these filters',
  networkAll: 'All networks',
  columnNet: 'Net',
  settlementsShown: '{n|one:# payout|other:# payouts} shown',
  payoutsNoneNext: 'x402 payments are paid out in batches. Payouts appear here.',
}
