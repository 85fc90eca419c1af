import { iso } from '../base/instant.ts'
import { atLeastZero, type BaseUnits, formatAmount, parseAmount } from '../base/money.ts'
import { checksumAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import { type Chain, chainNamed, tokenAt, tokenNamed, tokenOn } from '../chain/registry.ts'
import { TOKENS } from '../chain/tokens.ts'
import { amountDue, amountKept, amountMissing, overpaidAmount } from '../invoice/amounts.ts'
import { payerDescription } from '../invoice/customer.ts'
import { type Invoice, type Payment, returned } from '../invoice/state.ts'
import { logoPath } from './logo.ts'
import { lookupNow } from './lookup.ts'
import { presentNetwork } from './networks.ts'
import { x402UrlOf } from './requirements.ts'
import { returnUrlOf } from './returning.ts'
import {
  type ChainPace,
  type CheckoutRows,
  currentInvoice,
  type MerchantPage,
  mayStartAgain,
  type Offer,
  type StoredLookup,
  sessionEnd,
  sessionState,
} from './session.ts'
import { presentAuthorization, signatureTerms } from './signature.ts'
import type {
  CheckoutFiat,
  CheckoutMerchant,
  CheckoutPayment,
  CheckoutView,
  HashLookup,
  NetworkChoice,
  PayableAddress,
  PayerTransfer,
  TokenChoice,
} from './view.ts'

/** Makes what a payer is shown of what is stored. */

export interface CheckoutTerms {
  /** The chains that are switched on, with the tokens that are offered. */
  readonly chains: readonly Chain[]
  /** Every chain of the environment. */
  readonly registry: readonly Chain[]
  /** Where payers reach the API. */
  readonly publicUrl: string
}

/** What a payer is shown of a session at this moment. */
export function presentCheckout(rows: CheckoutRows, terms: CheckoutTerms, now: Date): CheckoutView {
  const { session, page, offer, payments, lookups } = rows
  const invoice = currentInvoice(rows)
  const shown = (payment: Payment) => presentTransfer(payment, rows, terms)
  const signed = rows.authorizations.find(({ invoiceId }) => invoiceId === invoice?.id)
  return {
    id: session.id,
    version: versionOf(rows),
    state: sessionState(rows, now),
    merchant: presentMerchant(page),
    description: offer?.description ?? (invoice && payerDescription(invoice.metadata)),
    fiat: presentFiat(invoice, offer),
    tokens: tokenChoices(rows, terms, now),
    payment:
      invoice &&
      presentPayment(
        invoice,
        payments.filter((payment) => payment.invoiceId === invoice.id),
        shown,
        (networkId) => presentAddress(invoice, networkId, rows, terms, now),
      ),
    earlier: payments.filter((payment) => payment.invoiceId !== invoice?.id).map(shown),
    lookups: lookups.map((lookup) => presentLookup(lookupNow(lookup, rows), terms.registry)),
    authorization: invoice && signed ? presentAuthorization(invoice, signed) : null,
    refundAddress: session.refundAddress && checksumAddress(session.refundAddress),
    returnUrl: returnUrlOf([session.returnUrl, page.returnUrl], page.allowedOrigins),
    chosenNetwork: session.networkId,
    x402Url: invoice && x402UrlOf(invoice, terms.chains, { ...terms, id: session.id, now }),
    canStartAgain: mayStartAgain(rows, now),
    createdAt: session.createdAt.toISOString(),
    expiresAt: iso(sessionEnd(rows)),
    now: now.toISOString(),
  }
}

/** What of a session's view is known before there is a session. */
export type OfferView = Pick<CheckoutView, 'merchant' | 'description' | 'fiat' | 'tokens'> & {
  readonly payment: null
}

/** What a payer is shown of a price before a session begins. */
export function presentOffer(
  page: MerchantPage,
  offer: Offer,
  terms: Pick<CheckoutTerms, 'chains'>,
  now: Date,
): OfferView {
  return {
    merchant: presentMerchant(page),
    description: offer.description,
    fiat: presentFiat(null, offer),
    tokens: offeredTokens(offer, terms, (chain) => presentNetwork(chain, [], now)),
    payment: null,
  }
}

/**
 * Grows with each change that is stored: an invoice counts those of its own money; those of other tokens are
 * not counted.
 */
function versionOf(rows: CheckoutRows): number {
  const { session, page, offer, invoices, payments, authorizations } = rows
  const others = payments.filter(({ kind }) => kind === 'foreign')
  const changes = others.length + others.filter(({ status }) => status === 'confirmed').length
  const ofInvoices = invoices.reduce((total, { version }) => total + version, 0)
  const signed = authorizations.reduce(
    (total, { version, transaction }) => total + version + (transaction === null ? 0 : 1),
    0,
  )
  return session.version + page.version + (offer?.version ?? 0) + ofInvoices + changes + signed
}

/** The amount in fiat currency. */
function presentFiat(invoice: Invoice | null, offer: Offer | null): CheckoutFiat | null {
  const requested = invoice === null ? offer : invoice.fiat
  if (requested === null || requested.currency === null) return null
  return { currency: requested.currency, amount: requested.amount }
}

function presentMerchant(page: MerchantPage): CheckoutMerchant {
  const { name, logoId, accent, supportEmail, supportUrl } = page
  return { name, logoUrl: logoPath(logoId), accent, supportEmail, supportUrl }
}

/** What may be chosen; of a session whose invoice the merchant made, that invoice's token alone. */
function tokenChoices(rows: CheckoutRows, terms: CheckoutTerms, now: Date): readonly TokenChoice[] {
  const { offer, paces } = rows
  const network = (chain: Chain) => presentNetwork(chain, paces, now)
  if (offer !== null) return offeredTokens(offer, terms, network)
  const invoice = currentInvoice(rows)
  if (invoice === null) return []
  const { tokenSymbol } = invoice
  const { name: tokenName, decimals } = TOKENS[tokenSymbol]
  const networks = invoice.chains.map((networkId) => network(chainOf(networkId, terms)))
  const amount = formatAmount(amountDue(invoice), decimals)
  return [{ tokenSymbol, tokenName, amount, networks }]
}

function offeredTokens(
  offer: Offer,
  terms: Pick<CheckoutTerms, 'chains'>,
  network: (chain: Chain) => NetworkChoice,
): readonly TokenChoice[] {
  return offer.tokens.flatMap((tokenSymbol): TokenChoice[] => {
    const networks = chainsOffered(tokenSymbol, offer, terms.chains).map(network)
    if (networks.length === 0) return []
    const { name: tokenName } = TOKENS[tokenSymbol]
    const amount = isInToken(tokenSymbol, offer) ? offer.amount : null
    return [{ tokenSymbol, tokenName, amount, networks }]
  })
}

type RequestedPrice = Pick<Offer, 'amount' | 'currency' | 'chains'>

/** Whether the amount of an offer is one of the token without being converted: one to one in its currency. */
function isInToken(tokenSymbol: TokenChoice['tokenSymbol'], { currency }: RequestedPrice): boolean {
  return currency === null || currency === TOKENS[tokenSymbol].currency
}

/**
 * The chains on which this token of an offer can be paid: those that take so little. What an amount in
 * another currency will be is not known before the payer has chosen.
 */
export function chainsOffered(
  tokenSymbol: TokenChoice['tokenSymbol'],
  offer: RequestedPrice,
  chains: readonly Chain[],
): readonly Chain[] {
  const parsed = parseAmount(offer.amount, TOKENS[tokenSymbol].decimals)
  if (!parsed.ok) return []
  return chains.filter(
    (chain) =>
      tokenOn(chain, tokenSymbol) !== undefined &&
      (offer.chains.length === 0 || offer.chains.includes(chain.networkId)) &&
      (!isInToken(tokenSymbol, offer) || parsed.amount >= chain.minInvoice[tokenSymbol]),
  )
}

function presentPayment(
  invoice: Invoice,
  payments: readonly Payment[],
  shown: (payment: Payment) => PayerTransfer,
  address: (networkId: string) => PayableAddress,
): CheckoutPayment {
  const { tokenSymbol } = invoice
  const { decimals } = TOKENS[tokenSymbol]
  const amount = (value: bigint) => formatAmount(value, decimals)
  const kept = atLeastZero(amountKept(invoice))
  const late = payments.filter(({ kind }) => kind === 'late')
  return {
    reference: invoice.reference,
    tokenSymbol,
    decimals,
    expected: amount(amountDue(invoice)),
    received: amount(kept),
    pending: amount(invoice.pendingAmount),
    due: amount(amountMissing(invoice)),
    overpaid: amount(overpaidAmount(invoice)),
    late: amount(atLeastZero(invoice.lateAmount - returned(late))),
    addresses: invoice.chains.map(address),
    transfers: payments.map(shown),
    paidAt: iso(invoice.paidAt),
    completedAt: iso(invoice.completedAt),
  }
}

function presentAddress(
  invoice: Invoice,
  networkId: string,
  { authorizations }: CheckoutRows,
  terms: CheckoutTerms,
  now: Date,
): PayableAddress {
  const chain = chainOf(networkId, terms)
  // It is shown even if it is no longer offered.
  const known = chainNamed(networkId, terms.registry)
  return {
    networkId,
    name: chain.name,
    chainId: chain.chainId,
    coinSymbol: chain.symbol,
    publicRpc: chain.publicRpc,
    address: checksumAddress(invoice.depositAddress),
    tokenAddress: checksumAddress(tokenNamed(known, invoice.tokenSymbol).address),
    explorer: chain.explorer,
    signature: terms.chains.includes(chain)
      ? signatureTerms(invoice, authorizations, chain, now)
      : null,
  }
}

function presentTransfer(
  payment: Payment,
  { paces }: CheckoutRows,
  terms: CheckoutTerms,
): PayerTransfer {
  const { networkId, txHash, status, kind, sender } = payment
  const chain = chainOf(networkId, terms)
  const token = tokenAt(payment, terms.registry)
  const figure = (value: BaseUnits) =>
    token ? formatAmount(value, token.decimals) : value.toString()
  return {
    networkId,
    networkName: chain.name,
    tokenSymbol: token?.symbol ?? '?',
    amount: figure(payment.amount),
    returning: figure(payment.refunding),
    returned: figure(payment.refunded),
    hash: txHash,
    sender: sender === ZERO_ADDRESS ? null : checksumAddress(sender),
    explorerUrl: `${chain.explorer}/tx/${txHash}`,
    status,
    kind: kind === 'foreign' ? 'other' : kind,
    confirmations: confirmationsOf(payment, chain, paces),
    confirmationsNeeded: chain.confirmations,
    at: payment.blockTime.toISOString(),
  }
}

/** Blocks on top of a payment, its own included, by the newest head that is stored. */
function confirmationsOf(
  { status, networkId, blockNumber }: Payment,
  { confirmations: needed }: Chain,
  paces: readonly ChainPace[],
): number {
  if (status === 'reverted') return 0
  if (status === 'confirmed') return needed
  const head = paces.find((pace) => pace.networkId === networkId)?.head ?? blockNumber
  const blocks = Number(head - blockNumber) + 1
  return Math.min(needed, Math.max(1, blocks))
}

export function presentLookup(lookup: StoredLookup, registry: readonly Chain[]): HashLookup {
  const { hash, verdict, networkId, at } = lookup
  const networkName = networkId === null ? null : chainNamed(networkId, registry).name
  return { hash, verdict, networkName, at: at.toISOString() }
}

/** A chain with this deployment's settings where it is switched on, else as the registry has it. */
function chainOf(networkId: string, { chains, registry }: CheckoutTerms): Chain {
  return chains.find((chain) => chain.networkId === networkId) ?? chainNamed(networkId, registry)
}
