import type { DayJson } from '../../../core/invoice/report.ts'
import type { PayoutDayJson } from '../../../core/x402/payout.ts'
import { isZero, sumOf } from '../parts/decimal.ts'

/** The daily volume of one token over a range, empty days included. */
export interface Volume {
  readonly asset: string
  readonly days: readonly { readonly day: string; readonly amount: string }[]
  readonly total: string
}

const DAY_MS = 86_400_000

/** By token, the largest first; tokens in which nothing came are left out. */
export function volumesOf(
  found: readonly { readonly day: string; readonly asset: string; readonly amount: string }[],
  from: string,
  to: string,
): readonly Volume[] {
  const days: string[] = []
  for (let at = Date.parse(from); at < Date.parse(to); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10))
  }
  const byAsset = Map.groupBy(found, ({ asset }) => asset)
  return [...byAsset]
    .map(([asset, all]): Volume => {
      const byDay = Map.groupBy(all, ({ day }) => day)
      const amounts = days.map((day) => ({
        day,
        amount: sumOf((byDay.get(day) ?? []).map(({ amount }) => amount)),
      }))
      return { asset, days: amounts, total: sumOf(amounts.map(({ amount }) => amount)) }
    })
    .filter(({ total }) => !isZero(total))
    .toSorted((a, b) => Number(b.total) - Number(a.total))
}

/** What of invoices was confirmed and counts: in time, or late and accepted. */
export function ofInvoices(days: readonly DayJson[]) {
  return days.flatMap(({ day, asset, receivedAmount }) =>
    asset === null ? [] : [{ day, asset, amount: sumOf([receivedAmount]) }],
  )
}

/** What x402 payments brought, fees included. */
export function ofPayouts(days: readonly PayoutDayJson[]) {
  return days.flatMap(({ day, asset, amountRemitted, fees }) =>
    asset === null ? [] : [{ day, asset, amount: sumOf([amountRemitted, fees]) }],
  )
}
