import { Problem } from '../session/request.ts'
import type { DashboardWords } from './page.ts'
import { problemText } from './States.tsx'

/** What to do about a problem of somebody who changes keys, endpoints or the work of relayers. */
export function developerProblem(words: DashboardWords, error: unknown): string {
  if (error instanceof Problem && error.code === 'fresh_sign_in_required') {
    return words.say('signInAgain')
  }
  return problemText(words, error)
}
