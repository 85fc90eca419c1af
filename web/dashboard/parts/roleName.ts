import type { Role } from '../../../core/access/roles.ts'
import type { DashboardWords } from './page.ts'

const NAMES = {
  owner: 'roleOwner',
  finance: 'roleFinance',
  developer: 'roleDeveloper',
  support: 'roleSupport',
  reader: 'roleReader',
} as const satisfies Record<Role, string>

/** A role in the reader's language. */
export function roleName(words: DashboardWords, role: Role): string {
  return words.say(NAMES[role])
}
