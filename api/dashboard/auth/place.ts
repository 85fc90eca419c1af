import type { PersonId } from '../../../core/base/ids.ts'
import type { DashboardConfig } from '../../../core/config/dashboard.ts'
import type { Auth } from './auth.ts'
import type { Hashing } from './hashing.ts'

/** The configuration of the dashboard that sign-in uses. */
export interface SignInPlace {
  readonly auth: () => Promise<Auth>
  guardAuth<T>(work: (auth: Auth) => Promise<T>): Promise<T>
  readonly config: DashboardConfig
  readonly hashing: Hashing
  readonly mailer: { wake(): void }
  whoIs(headers: Headers): Promise<SignedIn | null>
  afterwards(work: Promise<unknown>): void
}

interface SignedIn {
  readonly id: PersonId
  readonly email: string
  readonly sessionId: string
  readonly hasSecondFactor: boolean
  readonly signedInAt: Date
}
