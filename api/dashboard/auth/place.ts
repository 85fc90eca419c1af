import type { DashboardConfig } from '../../../core/config/dashboard.ts'
import type { PersonId } from '../../../core/ids.ts'
import type { Auth } from './auth.ts'

/** The part of the dashboard that signing in works with. */
export interface SignInPlace {
  readonly auth: Auth
  readonly config: DashboardConfig
  whoIs(headers: Headers): Promise<SignedIn | null>
  afterwards(work: Promise<unknown>): void
}

interface SignedIn {
  readonly id: PersonId
  readonly hasSecondFactor: boolean
  readonly signedInAt: Date
}
