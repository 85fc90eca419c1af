import { type Invalid, invalid } from '../base/errors.ts'
import { type BaseUnits, baseUnits } from '../base/money.ts'
import type { Address } from '../chain/evm.ts'
import { type Chain, tokenOn } from '../chain/registry.ts'
import type { TokenOnChain } from '../chain/tokens.ts'
import type { Invoice, PaymentMethod } from './state.ts'

/** What can be simulated for an invoice on development chains, so that integrators see every event. */

export const SCENARIOS = {
  exact: 'Pays exactly the amount due.',
  partial: 'Pays half of it.',
  over: 'Pays a tenth more.',
  signature: 'Pays by a signature, without gas.',
  x402: 'Pays as an x402 client.',
  late: 'Voids the invoice, and pays.',
  'wrong-token': 'Pays in another token.',
  'wrong-chain': 'Pays on a chain that is not offered.',
  'two-chains': 'Pays one half on each of two chains.',
  reorganisation: 'Pays, takes the block away, and pays again.',
  'failed-settlement': 'Blocks the recipient, and pays.',
  'unblock-recipient': 'Unblocks the recipient.',
} as const

export type Scenario = keyof typeof SCENARIOS

export function isScenario(text: string): text is Scenario {
  return Object.hasOwn(SCENARIOS, text)
}

export interface ScenarioPayment {
  readonly networkId: string
  readonly token: TokenOnChain
  readonly amount: BaseUnits
}

export interface ScenarioPlan {
  readonly payments: readonly ScenarioPayment[]
  /** How they are sent. */
  readonly method: PaymentMethod
  /** The invoice is ended first. */
  readonly closes: boolean
  /** The first payment is taken away once by a reorganisation. */
  readonly reorganises: boolean
  /** Whether the token blocks or unblocks the recipient first; null when neither. */
  readonly recipient: { readonly address: Address; readonly isBlocked: boolean } | null
}

export type ScenarioDecision = { readonly ok: true; readonly plan: ScenarioPlan } | Invalid

/**
 * Decides what is done on which chain. `chains` are the development chains of this deployment, and
 * `recipient` is who would receive the settled money.
 */
export function planScenario(
  scenario: Scenario,
  invoice: Invoice,
  recipient: Address | null,
  chains: readonly Chain[],
): ScenarioDecision {
  const listed = chains.filter((chain) => invoice.chains.includes(chain.networkId))
  const expected = invoice.amountExpected
  const own = (chain: Chain | undefined, amount: bigint) => pay(chain, invoice.tokenSymbol, amount)
  const [first, second] = listed
  switch (scenario) {
    case 'exact':
      return plan([own(first, expected)])
    case 'partial':
      return plan([own(first, expected / 2n)])
    case 'over':
      return plan([own(first, expected + (expected / 10n || 1n))])
    case 'signature':
    case 'x402':
      return plan([own(first, expected)], { method: scenario })
    case 'late':
      return plan([own(first, expected)], { closes: true })
    case 'wrong-token': {
      const other = invoice.tokenSymbol === 'USDC' ? 'USDT' : 'USDC'
      return plan([pay(first, other, expected)])
    }
    case 'wrong-chain': {
      const unlisted = chains.find((chain) => !invoice.chains.includes(chain.networkId))
      return plan([own(unlisted, expected)])
    }
    case 'two-chains':
      return plan([own(first, expected / 2n), own(second, expected - expected / 2n)])
    case 'reorganisation':
      return plan([own(first, expected)], { reorganises: true })
    case 'failed-settlement':
      if (recipient === null) return invalid('the invoice has no recipient that could be blocked')
      return plan([own(first, expected)], { recipient: { address: recipient, isBlocked: true } })
    case 'unblock-recipient':
      if (recipient === null) return invalid('the invoice has no recipient that could be blocked')
      return plan([], { recipient: { address: recipient, isBlocked: false } })
    default:
      return scenario satisfies never
  }
}

function pay(chain: Chain | undefined, symbol: string, amount: bigint): ScenarioPayment | null {
  const token = chain && tokenOn(chain, symbol)
  if (!chain || !token || amount === 0n) return null
  return { networkId: chain.networkId, token, amount: baseUnits(amount) }
}

function plan(
  payments: readonly (ScenarioPayment | null)[],
  change: Partial<ScenarioPlan> = {},
): ScenarioDecision {
  const possible = payments.filter((payment) => payment !== null)
  if (possible.length < payments.length) {
    return invalid('it needs a development chain, or an amount, that is not there')
  }
  const nothing = {
    method: 'transfer',
    closes: false,
    reorganises: false,
    recipient: null,
  } as const
  return { ok: true, plan: { ...nothing, ...change, payments: possible } }
}
