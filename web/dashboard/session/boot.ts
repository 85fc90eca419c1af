import type { Locale } from '../../language/locale.ts'
import type { DashboardMessages } from '../../messages/dashboard/en.ts'

/** What the page brings along: its language, and what is known of the networks. */
export interface Boot {
  readonly locale: Locale
  readonly messages: DashboardMessages
  readonly networks: readonly Network[]
  /** Whether this deployment is for trying: its money is a test network's. */
  readonly isSandbox: boolean
  /** Whether anybody may sign up, without an invitation. */
  readonly isOpen: boolean
}

export interface Network {
  readonly id: string
  readonly name: string
  /** Where its transactions can be looked at; null for chains without such a place. */
  readonly explorer: string | null
}
