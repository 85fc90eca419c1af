import type { PaymentRequest } from '../../core/x402/terms.ts'
import type { Examined } from './examined.ts'
import type { X402Dependencies } from './facilitator.ts'

/** How a valid answer of verify holds what it is about. */

type Good = Extract<Examined, { type: 'good' }>

/**
 * Examines a payment and holds its amount. The payer has signed it by then, with a key or as a wallet that the
 * trial asked: nobody else can hold a balance. What stands in the way may have been carried out since the
 * balance was read, so that a second look decides.
 */
export async function examineAndHold(
  deps: X402Dependencies,
  request: PaymentRequest,
  examine: () => Promise<Examined>,
): Promise<Examined> {
  for (const isAgain of [false, true]) {
    const examined = await examine()
    if (examined.type !== 'good' || (await isHeld(deps, request, examined))) return examined
    if (isAgain) break
  }
  return { type: 'refused', reason: 'insufficient_funds', message: HELD }
}

async function isHeld(
  { facilitator: { holds } }: X402Dependencies,
  { authorization, chain, requirements }: PaymentRequest,
  { facts, usedNonces, isOnHold }: Good,
): Promise<boolean> {
  if (holds === null || isOnHold) return true
  return holds.hold({
    networkId: chain.networkId,
    asset: requirements.asset,
    authorization,
    balance: facts.balance,
    block: facts.blockNumber,
    usedNonces,
  })
}

const HELD =
  "other payments that were verified or are being settled need the payer's balance; try again in a minute"
