import { type ErrorDetail, MOST_DETAILS, type Refusal, refuse } from '../base/errors.ts'
import { platformFee } from '../base/fee.ts'
import type { InvoiceId, MerchantId } from '../base/ids.ts'
import { INSTANT_FORM, parseInstant } from '../base/instant.ts'
import { type BaseUnits, baseUnits, formatAmount, parseAmount } from '../base/money.ts'
import type { Address } from '../chain/evm.ts'
import { type Chain, tokenOn } from '../chain/registry.ts'
import { COIN_DECIMALS, isTokenSymbol, TOKENS, type TokenSymbol } from '../chain/tokens.ts'
import type { Config } from '../config/processes.ts'
import type { InvoiceFiat } from '../fiat/quote.ts'
import { depositAddress } from '../hub/deposit.ts'
import { parseRecipient } from './recipient.ts'
import type { Invoice } from './state.ts'
import { NO_TOLERANCE, toleranceOfInvoice } from './tolerance.ts'

/** A request to create an invoice, of which only the types are checked. */
export interface InvoiceRequest {
  readonly tokenSymbol: string
  readonly amountExpected: number | string
  /** What amountExpected was converted from; null when the merchant requested the token. */
  readonly fiat?: InvoiceFiat
  readonly chains?: readonly string[]
  readonly externalRef?: string
  readonly recipient?: string
  readonly expiresAt?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly underpaymentTolerance?: number | string
}

/** A request as the ledger stores it. */
export interface InvoiceDraft {
  readonly tokenSymbol: TokenSymbol
  /** In the order of the registry, each once. */
  readonly chains: readonly string[]
  readonly amountExpected: BaseUnits
  readonly platformFee: BaseUnits
  readonly fiat: InvoiceFiat | null
  readonly underpaymentTolerance: BaseUnits
  /** False where the merchant's usual tolerance was taken, which may be another one by now. */
  readonly hasOwnTolerance: boolean
  readonly externalRef: string | null
  readonly recipient: Address | null
  readonly expiresAt: Date | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** The same as the JSON text that is stored. */
  readonly metadataJson: string
}

export type InvoiceDecision =
  | { readonly ok: true; readonly draft: InvoiceDraft }
  | (Refusal & {
      /**
       * Set when nothing is wrong but the time, or the operator's minimum: a repeat of a
       * request that was fine when it was first made still gets the original invoice.
       */
      readonly outdated?: InvoiceDraft
    })

export type InvoiceTerms = Pick<Config, 'hub' | 'chains' | 'fees'>

export const MAX_EXTERNAL_REF_LENGTH = 255
/** More than there are chains: duplicates count. */
export const MAX_CHAINS = 100
export const MAX_METADATA_BYTES = 8192
export const MAX_METADATA_KEYS = 50
export const MAX_DAYS_AHEAD = 366
const DAY_MS = 86_400_000
const UTF8 = new TextEncoder()

/**
 * Decides whether an invoice can be created from a request, and if not, returns the error. `usual` is the
 * merchant's tolerance for requests that name none.
 */
export function draftInvoice(
  request: InvoiceRequest,
  terms: InvoiceTerms,
  now: Date,
  usual: string = NO_TOLERANCE,
): InvoiceDecision {
  const { tokenSymbol } = request
  const known = isTokenSymbol(tokenSymbol) ? tokenSymbol : null
  const withToken = terms.chains.filter((chain) => tokenOn(chain, tokenSymbol) !== undefined)
  // While its token is unknown, an amount may have as many decimals as a coin.
  const decimals = known !== null && withToken.length > 0 ? TOKENS[known].decimals : COIN_DECIMALS
  const amount = parseAmount(request.amountExpected, decimals)
  const tolerance = amount.ok
    ? toleranceOfInvoice(request.underpaymentTolerance, usual, amount.amount, decimals)
    : null
  const expiresAt = request.expiresAt === undefined ? null : parseInstant(request.expiresAt)
  const metadata = request.metadata ?? {}
  const metadataJson = JSON.stringify(metadata)
  const details = [
    ...(amount.ok ? [] : [{ path: 'amountExpected', message: amount.message }]),
    ...(tolerance?.ok === false
      ? [{ path: 'underpaymentTolerance', message: tolerance.message }]
      : []),
    ...externalRefProblems(request.externalRef),
    ...(request.expiresAt !== undefined ? expiryProblems(expiresAt, now) : []),
    ...metadataProblems(metadata, metadataJson),
  ]
  if (!amount.ok || !tolerance?.ok || details.length > 0)
    return refuse('invalid_request_body', details)
  const chains = chooseChains(request.chains ?? [], terms.chains, withToken)
  if (!chains.ok) return chains
  if (known === null || chains.chosen.length === 0) return unsupported(tokenSymbol)
  const { amount: expected } = amount
  const payable = chains.chosen.filter((chain) => expected >= chain.minInvoice[known])
  const recipient =
    request.recipient === undefined ? null : parseRecipient(request.recipient, terms.hub)
  if (recipient?.ok === false) {
    return refuse('invalid_recipient', [{ path: 'recipient', message: recipient.message }])
  }
  const draft: InvoiceDraft = {
    tokenSymbol: known,
    chains: (payable.length > 0 ? payable : chains.chosen).map(({ networkId }) => networkId),
    amountExpected: expected,
    platformFee: platformFee(expected, terms.fees[known]),
    fiat: request.fiat ?? null,
    underpaymentTolerance: tolerance.tolerated,
    hasOwnTolerance: request.underpaymentTolerance !== undefined,
    externalRef: request.externalRef ?? null,
    recipient: recipient?.address ?? null,
    expiresAt,
    metadata,
    metadataJson,
  }
  if (payable.length === 0) {
    return { ...belowMinimum(chains.chosen, draft), outdated: draft }
  }
  if (expiresAt === null || expiresAt > now) return { ok: true, draft }
  const outdated = { path: 'expiresAt', message: 'must lie in the future' }
  return { ...refuse('invalid_request_body', [outdated]), outdated: draft }
}

/** Gives a draft its names and its deposit address, which commits to recipient and highest fee. */
export function newInvoice(
  draft: InvoiceDraft,
  given: {
    readonly id: InvoiceId
    readonly reference: string
    readonly merchantId: MerchantId
    readonly hub: Address
    readonly now: Date
  },
): Invoice {
  const { id, merchantId, hub } = given
  const nothing = baseUnits(0n)
  const { recipient, platformFee: feeCap } = draft
  return {
    id,
    merchantId,
    externalRef: draft.externalRef,
    reference: given.reference,
    tokenSymbol: draft.tokenSymbol,
    chains: draft.chains,
    amountExpected: draft.amountExpected,
    fiat: draft.fiat,
    acceptedAmount: null,
    underpaymentTolerance: draft.underpaymentTolerance,
    feeCap,
    platformFee: feeCap,
    recipient,
    hub,
    depositAddress: depositAddress(hub, { merchantId, invoiceId: id, recipient, feeCap }),
    metadata: draft.metadata,
    expiresAt: draft.expiresAt,
    closedAt: null,
    payerRefundAddress: null,
    status: 'pending',
    targetNetwork: null,
    pendingAmount: nothing,
    receivedAmount: nothing,
    lateAmount: nothing,
    refundedAmount: nothing,
    returnedAmount: nothing,
    amountRemitted: nothing,
    completedAmount: null,
    settlementState: 'none',
    settlementError: null,
    version: 1,
    createdAt: given.now,
    paidAt: null,
    completedAt: null,
  }
}

/**
 * The fields in which a repeated externalRef came with other parameters than those that made the
 * invoice. The metadata are compared where they are stored, by the database.
 */
export function requestDifferences(
  draft: InvoiceDraft,
  invoice: Invoice,
  hasSameMetadata: boolean,
): ErrorDetail[] {
  const chains = new Set(invoice.chains)
  const isSame: Readonly<Record<string, boolean>> = {
    tokenSymbol: draft.tokenSymbol === invoice.tokenSymbol,
    amountExpected:
      draft.amountExpected === invoice.amountExpected &&
      draft.fiat?.amount === invoice.fiat?.amount,
    currency: draft.fiat?.currency === invoice.fiat?.currency,
    chains:
      draft.chains.length === chains.size &&
      draft.chains.every((networkId) => chains.has(networkId)),
    recipient: draft.recipient === invoice.recipient,
    expiresAt: draft.expiresAt?.getTime() === invoice.expiresAt?.getTime(),
    metadata: hasSameMetadata,
    underpaymentTolerance:
      !draft.hasOwnTolerance || draft.underpaymentTolerance === invoice.underpaymentTolerance,
  }
  const message = 'differs from that of the invoice with this externalRef'
  const different = Object.keys(isSame).filter((path) => !isSame[path])
  return different.map((path) => ({ path, message }))
}

type ChosenChains = { readonly ok: true; readonly chosen: readonly Chain[] } | Refusal

function chooseChains(
  wanted: readonly string[],
  all: readonly Chain[],
  withToken: readonly Chain[],
): ChosenChains {
  const known = all.map((chain) => chain.networkId)
  const message = `must be one of ${known.join(', ')}`
  const unknown = wanted.flatMap((networkId, index) =>
    known.includes(networkId) ? [] : [{ path: `chains.${index}`, message }],
  )
  if (unknown.length > 0) return refuse('unknown_chain', unknown.slice(0, MOST_DETAILS))
  const chosen = withToken.filter(
    ({ networkId }) => wanted.length === 0 || wanted.includes(networkId),
  )
  return { ok: true, chosen }
}

/** The amount is below the minimum of every one of the chains. */
function belowMinimum(
  chains: readonly Chain[],
  { tokenSymbol: symbol, fiat }: Pick<InvoiceDraft, 'tokenSymbol' | 'fiat'>,
): Refusal {
  const { decimals } = TOKENS[symbol]
  const unit = fiat === null ? '' : ` ${symbol}`
  const minimums = chains.map(({ networkId, minInvoice }) => ({
    networkId,
    least: minInvoice[symbol],
  }))
  minimums.sort((a, b) => (a.least < b.least ? -1 : 1))
  const each = minimums.map(
    ({ networkId, least }) => `${formatAmount(least, decimals)}${unit} on ${networkId}`,
  )
  const message = `must be at least ${each.join(', ')}: less is not worth its gas`
  return refuse('invalid_request_body', [{ path: 'amountExpected', message }])
}

function unsupported(tokenSymbol: string) {
  const message = `no chain of this request has the token ${JSON.stringify(tokenSymbol.slice(0, 20))}`
  return refuse('no_supported_chains', [{ path: 'tokenSymbol', message }])
}

function externalRefProblems(externalRef: string | undefined): ErrorDetail[] {
  if (externalRef === undefined) return []
  const isFitting =
    externalRef !== '' &&
    (externalRef.length <= MAX_EXTERNAL_REF_LENGTH ||
      [...externalRef].length <= MAX_EXTERNAL_REF_LENGTH)
  if (isFitting) return []
  return [{ path: 'externalRef', message: `must have 1 to ${MAX_EXTERNAL_REF_LENGTH} characters` }]
}

/** That the moment is past is found out last, because a repeated request may be forgiven for it. */
function expiryProblems(expiresAt: Date | null, now: Date): ErrorDetail[] {
  if (expiresAt === null) return [{ path: 'expiresAt', message: INSTANT_FORM }]
  if (expiresAt.getTime() - now.getTime() <= MAX_DAYS_AHEAD * DAY_MS) return []
  return [{ path: 'expiresAt', message: `must be at most ${MAX_DAYS_AHEAD} days ahead` }]
}

/** What is wrong with metadata; some keys and bytes may have to be left for what the service adds. */
export function metadataProblems(
  metadata: Readonly<Record<string, unknown>>,
  json: string,
  reserved: { readonly keys: number; readonly bytes: number } = { keys: 0, bytes: 0 },
): ErrorDetail[] {
  const keys = MAX_METADATA_KEYS - reserved.keys
  const bytes = MAX_METADATA_BYTES - reserved.bytes
  if (Object.keys(metadata).length > keys) {
    return [{ path: 'metadata', message: `must have at most ${keys} keys` }]
  }
  // UTF-8 takes at most three bytes for each unit of a JavaScript string.
  if (json.length * 3 <= bytes) return []
  if (UTF8.encode(json).length <= bytes) return []
  return [{ path: 'metadata', message: `must be at most ${bytes} bytes of JSON` }]
}
