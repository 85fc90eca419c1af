import type { Role } from '../../../core/access/roles.ts'
import type { DashboardWords } from './page.ts'

const NAMES = {
  owner: 'roleOwner',
  finance: 'roleFinance',
  developer: 'roleDeveloper',
  support: 'roleSupport',
  reader: 'roleReader',
} as const satisfies Record<Role, string>

/** A role in the reader's language, within a sentence. */
export function roleName(words: DashboardWords, role: Role): string {
  return words.say(NAMES[role])
}

/** The same on its own. */
export function roleLabel(words: DashboardWords, role: Role): string {
  const name = roleName(words, role)
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
