import type { DashboardWords } from './page.ts'

/** An amount with its token; a dash for one that nobody knows, because its token is not listed. */
export function moneyOrDash(
  words: DashboardWords,
  amount: string | null,
  asset: string | null,
): string {
  return amount === null ? '–' : words.money(amount, asset ?? '')
}
