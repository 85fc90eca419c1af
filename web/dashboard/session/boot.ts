import type { DashboardMessages } from '../../messages/dashboard/en.ts'
import type { Locale } from '../../messages/locale.ts'

/** Which language the reader has chosen; without it the browser's. */
export const LANGUAGE_COOKIE = 'remit_language'

/** What the page brings along: its language, and what is known of the networks. */
export interface Boot {
  readonly locale: Locale
  readonly messages: DashboardMessages
  readonly networks: readonly Network[]
  /** What may be paid with now, on any of the networks. */
  readonly tokens: readonly Token[]
  /** What amounts can be converted from: the tokens' own currencies, and those with rates. */
  readonly currencies: readonly string[]
  /** Whether this deployment is for trying: its money is a test network's. */
  readonly isSandbox: boolean
  /** Whether anybody may sign up, without an invitation. */
  readonly isOpen: boolean
}

export interface Network {
  readonly id: string
  readonly name: string
  /** Its block explorer; null without one. */
  readonly explorer: string | null
  /** It is not switched on: it is named where there is something of it, and never offered. */
  readonly isOff?: boolean
  /** What a wallet is told that doesn't know the network yet. */
  readonly chainId: number
  readonly coinSymbol: string
  readonly publicRpc: string
}

export interface Token {
  readonly symbol: string
  readonly decimals: number
  /** The currency it represents (ISO 4217). */
  readonly currency: string
  /** Whether x402 endpoints can be priced in it. */
  readonly takesAuthorizations: boolean
}
