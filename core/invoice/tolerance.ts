import { type Invalid, invalid } from '../base/errors.ts'
import { type FeePolicy, platformFee } from '../base/fee.ts'
import { min } from '../base/integers.ts'
import {
  type BaseUnits,
  baseUnits,
  formatAmount,
  parseZeroOrMore,
  type TokenDecimals,
} from '../base/money.ts'
import { COIN_DECIMALS, TOKENS } from '../chain/tokens.ts'
import { amountEnough, amountKept } from './amounts.ts'
import { activeSettlements } from './settlement.ts'
import type { Invoice, Settlement } from './state.ts'

/**
 * The underpayment tolerance, because exchanges deduct their fees from what a payer sends. A merchant gives it
 * as an amount in the token's major unit, `0.5`, or in basis points, `50bps`; an invoice keeps it in base units
 * from its creation on.
 */

/** A hundredth of the amount due, at most. */
const MAX_TOLERANCE_BPS = 100
export const NO_TOLERANCE = '0'
export const TOLERANCE_FORM = 'must be an amount, e.g. "0.5", or basis points, e.g. "50bps"'
const BPS = 10_000n
const BPS_FORM = /^(0|[1-9][0-9]{0,5})bps$/

/** As a merchant gives it: an amount in base units, or a share of the amount due. */
type Tolerance = { readonly amount: BaseUnits } | { readonly bps: number }

export type ReadTolerance =
  | {
      readonly ok: true
      readonly tolerance: Tolerance
      /** The shortest way to write it. */
      readonly text: string
    }
  | Invalid

export type DecidedTolerance =
  | {
      readonly ok: true
      /** In base units. */
      readonly tolerated: BaseUnits
      readonly text: string
    }
  | Invalid

/** Reads a tolerance of any token. More decimals than given are refused, never rounded. */
export function readTolerance(sent: number | string, decimals: TokenDecimals): ReadTolerance {
  const [, digits] = (typeof sent === 'string' && BPS_FORM.exec(sent)) || []
  if (digits !== undefined) {
    const bps = Number(digits)
    if (bps > MAX_TOLERANCE_BPS) return invalid(`must be at most ${MAX_TOLERANCE_BPS}bps`)
    return { ok: true, tolerance: { bps }, text: bps === 0 ? NO_TOLERANCE : `${bps}bps` }
  }
  const parsed = parseZeroOrMore(sent, decimals)
  if (!parsed.ok) return invalid(looksLikeAmount(sent) ? parsed.message : TOLERANCE_FORM)
  const { amount } = parsed
  return { ok: true, tolerance: { amount }, text: formatAmount(amount, decimals) }
}

/** Reads a merchant's default tolerance, which must be valid for every token. */
export function readUsualTolerance(sent: number | string): ReadTolerance {
  for (const { decimals } of Object.values(TOKENS)) {
    const read = readTolerance(sent, decimals)
    if (!read.ok) return read
  }
  return readTolerance(sent, COIN_DECIMALS)
}

/** The tolerance of an amount in base units. More than a hundredth of the amount, rounded down, is refused. */
export function decideTolerance(
  sent: number | string,
  expected: BaseUnits,
  decimals: TokenDecimals,
): DecidedTolerance {
  const read = readTolerance(sent, decimals)
  if (!read.ok) return read
  const tolerated = toleratedOf(read.tolerance, expected)
  const most = shareOf(expected, MAX_TOLERANCE_BPS)
  if (tolerated <= most) return { ok: true, tolerated, text: read.text }
  return invalid(`must be at most ${formatAmount(most, decimals)}, a hundredth of the amount`)
}

/** The tolerance of a new invoice: what its request names, or else the merchant's usual one. */
export function toleranceOfInvoice(
  sent: number | string | undefined,
  usual: string,
  expected: BaseUnits,
  decimals: TokenDecimals,
): DecidedTolerance {
  if (sent !== undefined) return decideTolerance(sent, expected, decimals)
  return { ok: true, tolerated: usualTolerance(usual, expected, decimals), text: usual }
}

/**
 * What a merchant's usual tolerance is of an amount, in base units: rounded down to what the token can
 * express, and lowered to a hundredth of the amount. Throws a TypeError for what is no tolerance.
 */
function usualTolerance(text: string, expected: BaseUnits, decimals: TokenDecimals): BaseUnits {
  const read = readTolerance(text, COIN_DECIMALS)
  if (!read.ok) throw new TypeError(`not a tolerance: ${text}`)
  const { tolerance } = read
  if ('bps' in tolerance) return shareOf(expected, tolerance.bps)
  const amount = baseUnits(tolerance.amount / 10n ** BigInt(COIN_DECIMALS - decimals))
  return min(amount, shareOf(expected, MAX_TOLERANCE_BPS))
}

/**
 * The fee of an invoice that tolerates less, in base units: of what was received, by the operator's present
 * policy and never more than was agreed; all of it as long as too little was received, or nothing is
 * missing. Once a sweep has begun it stays, so that what comes afterwards is charged nothing. The invoice
 * has its present figures.
 */
export function feeOfReceived(
  invoice: Invoice,
  settlements: readonly Settlement[],
  policy: FeePolicy,
): BaseUnits {
  const { amountExpected, feeCap, underpaymentTolerance } = invoice
  if (underpaymentTolerance === 0n || invoice.acceptedAmount !== null) return invoice.platformFee
  if (activeSettlements(settlements).length > 0) return invoice.platformFee
  const kept = amountKept(invoice)
  if (kept < amountEnough(invoice) || kept >= amountExpected) return feeCap
  return min(feeCap, platformFee(baseUnits(kept), policy))
}

function toleratedOf(tolerance: Tolerance, expected: BaseUnits): BaseUnits {
  return 'bps' in tolerance ? shareOf(expected, tolerance.bps) : tolerance.amount
}

function shareOf(expected: BaseUnits, bps: number): BaseUnits {
  return baseUnits((expected * BigInt(bps)) / BPS)
}

/** Whether an error can describe it as an amount. */
function looksLikeAmount(sent: number | string): boolean {
  return typeof sent === 'number' || /^[0-9.]+$/.test(sent)
}
