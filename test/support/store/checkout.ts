import {
  asInvoiceId,
  asPaymentLinkId,
  asPriceId,
  type MerchantId,
  type PaymentLinkId,
  type PriceId,
} from '../../../core/base/ids.ts'
import type { PriceDraft } from '../../../core/checkout/price.ts'
import type { SessionId } from '../../../core/checkout/session.ts'
import { FIXED_QUOTES } from '../../../core/fiat/quote.ts'
import { type Choice, type ChoiceResult, choose } from '../../../store/checkout/choices.ts'
import { createLink, type LinkTerms } from '../../../store/checkout/links.ts'
import { createPrice } from '../../../store/checkout/prices.ts'
import { openPriceSession, type SessionRequest } from '../../../store/checkout/sessions.ts'
import type { Database } from '../../../store/database/database.ts'
import { anInvoice } from '../core/invoiceRows.ts'
import { newAddress } from './database.ts'
import { NETWORK, storeConfig } from './invoice.ts'

/** Prices, links and sessions, for functions of the store called directly. */

export async function storePrice(
  sql: Database,
  merchantId: MerchantId,
  change: Partial<PriceDraft> = {},
): Promise<PriceId> {
  const draft: PriceDraft = {
    amount: '10',
    currency: null,
    tokens: ['USDC', 'USDT'],
    chains: [NETWORK],
    description: null,
    expiresAfter: null,
    metadata: {},
    isReusable: true,
    underpaymentTolerance: null,
    ...change,
  }
  const id = asPriceId(Bun.randomUUIDv7())
  return (await createPrice(sql, merchantId, id, draft, new Date())).id
}

export async function storeLink(
  sql: Database,
  merchantId: MerchantId,
  terms: Partial<LinkTerms> & Pick<LinkTerms, 'priceId'>,
): Promise<PaymentLinkId> {
  const id = asPaymentLinkId(Bun.randomUUIDv7())
  const made = { usesLimit: null, endsAt: null, ...terms }
  const link = await createLink(sql, merchantId, id, made, new Date())
  if (link === null) throw new Error('the link was not made')
  return link.id
}

/** What a browser asks for that makes a session. */
export function askOf(
  merchantId: MerchantId,
  priceId: PriceId,
  change: Partial<SessionRequest> = {},
): SessionRequest {
  const plain = { linkId: null, clientReference: null, byPublishable: true, returnUrl: null }
  return { ...plain, merchantId, priceId, ...change }
}

export async function storeSession(sql: Database, request: SessionRequest): Promise<SessionId> {
  const opened = await openPriceSession(sql, request, new Date())
  if (!opened.ok) throw new Error(`the session was refused: ${opened.code}`)
  return opened.session.id
}

const config = storeConfig()

/** A payer of this session chooses. */
export function chooseIn(
  sql: Database,
  sessionId: SessionId,
  tokenSymbol = 'USDC',
  { now = new Date(), unpaidPerDay = 1_000, unpaidPerClient = 1_000, networkTags = ['here'] } = {},
): Promise<ChoiceResult> {
  const bounds = { unpaidPerDay, unpaidPerClient, networkTags }
  const choice: Choice = { sessionId, tokenSymbol, networkId: null }
  const compose: Parameters<typeof choose>[1]['compose'] = (draft, { merchantId }) => {
    const id = asInvoiceId(Bun.randomUUIDv7())
    const invoice = anInvoice({
      ...{ id, merchantId, reference: id.slice(-10), depositAddress: newAddress() },
      ...{ tokenSymbol: draft.tokenSymbol, chains: draft.chains, expiresAt: draft.expiresAt },
    })
    return { invoice, metadataJson: draft.metadataJson, eventJson: '{}' }
  }
  return choose(sql, { config, quotes: FIXED_QUOTES, bounds, compose }, choice, now)
}
