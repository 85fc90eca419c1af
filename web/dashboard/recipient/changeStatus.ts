import type { ChangeState } from '../../../core/merchant/recipientChange.ts'
import type { DashboardWords } from '../parts/page.ts'

/** What has become of a change, in a word or two. */
export function changeStatus(words: DashboardWords, state: ChangeState): string {
  return words.say(`change_${state}`)
}
