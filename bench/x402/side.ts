import type { Address } from '../../core/chain/evm.ts'
import type { HubChain } from '../../test/support/servers/chain.ts'

/** Ours and the reference, as the measurements see them: a facilitator with a chain of its own. */

const SIDES = ['plain', 'nonceManager', 'ours'] as const
export type SideName = (typeof SIDES)[number]

export const SIDE_TITLES: Readonly<Record<SideName, string>> = {
  plain: 'reference',
  nonceManager: 'reference, nonce manager',
  ours: 'ours',
}

/** What is measured besides `exact` by EIP-3009: `upto`, `exact` by Permit2, and deposits into channels. */
export const SCHEMES = ['upto', 'permit2', 'channels'] as const
export type Scheme = (typeof SCHEMES)[number]

/** One accepted payment option as x402's version 2 writes it. */
export interface PaymentRequirements {
  readonly scheme: string
  readonly network: string
  /** In base units. */
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: Readonly<Record<string, unknown>>
}

export interface Side {
  readonly name: SideName
  readonly chain: HubChain
  /** Of the facilitator, on loopback. */
  readonly port: number
  readonly paths: { readonly verify: string; readonly settle: string }
  /** Who asks: settling less than the maximum of `upto` takes the merchant's key. */
  readonly headers: Readonly<Record<string, string>>
  /** A payment option for each merchant, as currently required. */
  readonly merchants: readonly PaymentRequirements[]
  /** Who sends the facilitator's transactions. */
  readonly senders: readonly Address[]
  /** The first process of each part, chain included, by what a table calls it. */
  readonly processes: Readonly<Record<string, number>>
  /** Waits until the facilitator has nothing on its way, at most a few seconds. */
  rest(): Promise<void>
  stop(): Promise<void>
}

/** How blocks come: one every so many ms, or one for each transaction. */
export type Blocks = number | 'automine'

export interface SideOptions {
  readonly blocks: Blocks
  readonly merchants: number
  /** How payments are made; `exact` by EIP-3009 without one. */
  readonly scheme?: Scheme
  /** Settings for our processes beside the defaults. */
  readonly variables?: Readonly<Record<string, string>>
}
