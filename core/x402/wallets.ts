import type { Address, Hex } from '../chain/evm.ts'
import type { Reason } from './reasons.ts'

/**
 * What payers with code (contract wallets, accounts that delegated by EIP-7702) may cost. Their code can
 * agree in every trial and burn all gas in the transaction, so a trial bounds nothing. Rules do: one try
 * at a time for each payer, a pause after one that paid nothing, few at a time for each code, and a
 * share of the transactions for all of them.
 */

/** The pause after a payer's first failed try, doubled by each further one, and the longest, in s. */
export const FIRST_PAUSE_S = 3_600
export const LONGEST_PAUSE_S = 86_400

/** How many payments of payers with the same code may be in flight on a chain, however many they are. */
export const CODE_ITEMS_MAX = 8
/** The transactions with wallets that may be in flight on a chain. */
export const WALLET_TRANSACTIONS_MAX = 2

/** How many payments of a payer with code may be under way: they go one after the other. */
export const WALLET_CLAIMS_MAX = 32

/** How many of a key's transaction slots wallets may use; the others are for all other work. */
export function walletSlots(inFlightMax: number): number {
  return Math.max(1, Math.floor(inFlightMax / 2))
}

/** A wallet's payment, waiting or in flight. */
export interface WalletItem {
  readonly itemId: bigint
  readonly payer: Address
  /** Null where it was not read: all those share one allowance. */
  readonly payerCode: Hex | null
}

/**
 * The payments that may go out beside those in flight, at most `limit` of them, in the order in which
 * they wait: one of each payer, and of each code as many as may be. The others wait their turn.
 */
export function chooseWallets(
  waiting: readonly WalletItem[],
  inFlight: readonly WalletItem[],
  limit: number,
): bigint[] {
  const payers = new Set(inFlight.map(({ payer }) => payer))
  const ofCode = new Map<Hex | null, number>()
  const add = (code: Hex | null) => ofCode.set(code, (ofCode.get(code) ?? 0) + 1)
  for (const { payerCode } of inFlight) add(payerCode)
  const chosen: bigint[] = []
  for (const { itemId, payer, payerCode } of waiting) {
    if (chosen.length >= limit) break
    const isFull = (ofCode.get(payerCode) ?? 0) >= CODE_ITEMS_MAX
    if (payers.has(payer) || isFull) continue
    payers.add(payer)
    add(payerCode)
    chosen.push(itemId)
  }
  return chosen
}

/** Reasons that lie with the token, the payee or our own lateness, and never with the payer. */
export const NOT_THE_PAYERS: readonly Reason[] = [
  'token_paused',
  'payee_blacklisted',
  'asset_not_deployed',
  'payment_expired',
  'unexpected_settle_error',
]

/** Whether a try that ended in this reason, or in none that the chain knows, pauses its payer. */
export function isPayersFault(reason: Reason | null): boolean {
  return reason === null || !NOT_THE_PAYERS.includes(reason)
}

/** Why a payer is not taken now, in spite of a good trial. */
export interface WalletRefusal {
  readonly reason: Reason
  readonly message: string
}

/** What decides whether a payer is taken that has code, or had some when its last try failed. */
export interface WalletTerms {
  readonly hasCode: boolean
  /** Whether payers with code are taken at all: by the deployment, and by the endpoint. */
  readonly deploymentTakesThem: boolean
  readonly endpointTakesThem: boolean
  /** When the payer's pause ends; null when it does not pause. */
  readonly pausedUntil: Date | null
}

/** Why a payer is refused for its code, or for what its code has cost; null when it is not. */
export function findWalletProblem(terms: WalletTerms): WalletRefusal | null {
  const { hasCode, deploymentTakesThem, endpointTakesThem, pausedUntil } = terms
  if (hasCode && !(deploymentTakesThem && endpointTakesThem)) {
    const where = deploymentTakesThem ? 'by this endpoint' : 'here'
    // The token would have the payer's code verify the signature, and only keys are accepted.
    const reason = 'invalid_exact_evm_payload_signature'
    return { reason, message: `payers with code (contract wallets) are not accepted ${where}` }
  }
  if (pausedUntil === null) return null
  // Without code by now as well: a delegation (EIP-7702) comes and goes within a block.
  const message = `the last payment of this wallet failed on-chain; not before ${pausedUntil.toISOString()}`
  return { reason: 'invalid_transaction_state', message }
}
