import type { DashboardWords } from './page.ts'

/** An amount with its token; a dash when the token is unlisted and the amount therefore unknown. */
export function moneyOrDash(
  words: DashboardWords,
  amount: string | null,
  asset: string | null,
): string {
  return amount === null ? '–' : words.money(amount, asset ?? '')
}
