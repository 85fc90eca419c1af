import { asPaymentLinkId, asPriceId } from '../../core/base/ids.ts'
import type { presentLink } from '../../core/checkout/link.ts'
import type { presentPrice } from '../../core/checkout/price.ts'
import { isSessionId, type SessionId } from '../../core/checkout/session.ts'
import type { presentSettings } from '../../core/checkout/settings.ts'
import type {
  CheckoutFiat,
  CheckoutMerchant,
  CheckoutPayment,
  CheckoutState,
  CheckoutView,
  HashLookup,
  HashVerdict,
  NetworkChoice,
  PayableAddress,
  PayerTransfer,
  TokenChoice,
} from '../../core/checkout/view.ts'
import { HASH, PAYER, USDC } from '../request/examples.ts'
import { type PathId, pathId } from '../request/id.ts'
import {
  address,
  amount,
  type DocumentedSchema,
  flag,
  integer,
  list,
  named,
  nullable,
  optionalText,
  optionalTime,
  record,
  text,
  time,
  tolerance,
  transactionHash,
  uuid,
} from '../request/schema.ts'

/** Prices and sessions as the document describes them. */

export const SESSION_ID = 'cs_Zr3Vt0yN1m9bQ4sXk7LJhA'
const FORMER_SESSION_ID = 'cs_Yq2Us9xM0l8aP3rWj6KIgQ'
export const PRICE_ID = '0198c1f0-1c52-7000-8000-2e9d4b7a6f13'
const DEPOSIT = '0x1dF62f291b2E969fB0849d99D9Ce41e2F137006e'
const EXPLORER = 'https://sepolia.basescan.org'

export const PRICE_ID_PARAMETER = pathId('price', PRICE_ID, 'invalid_price_id', asPriceId)

export const PAYMENT_LINK_ID_PARAMETER = pathId(
  'payment link',
  '0198c1f4-6a90-7000-8000-7d31c8b5e2f4',
  'invalid_payment_link_id',
  asPaymentLinkId,
)

/** What doesn't have the form of a session's id is no session. */
export const SESSION_ID_PARAMETER: PathId<SessionId> = {
  description: 'The identifier of the session.',
  example: SESSION_ID,
  code: 'session_not_found',
  form: 'must be the id of a session',
  parse: (sent) => (isSessionId(sent) ? sent : null),
}

export const priceSchema = named('Price', 'Prices, payment links and sessions.', {
  id: uuid('Identifies the price. It is no secret.', PRICE_ID),
  amount: amount('The amount due, in any of the tokens or in the currency.', '12.5'),
  currency: optionalText('What the amount is in; null for the tokens. ISO 4217.', null),
  tokens: list('The tokens that the payer may choose from.', text('The ticker.', 'USDC')),
  chains: {
    ...list('The chains that are offered; empty for all.', text('The networkId.', 'base-sepolia')),
    example: [],
  },
  description: optionalText('What is bought, as the payer reads it.', 'Three months of tea'),
  expiresAfter: nullable(
    integer(
      "For how many seconds a session can be paid; null for the merchant's usual time.",
      3600,
    ),
  ),
  metadata: record('Becomes the metadata of every invoice that is made of the price.', {
    plan: 'tea-3',
  }),
  reusable: flag('False for a price that can be paid once.', true),
  underpaymentTolerance: nullable(
    tolerance("The underpayment tolerance; null for the merchant's default."),
  ),
  active: flag('False when deactivated: it creates no new invoices.', true),
  createdAt: time('When it was created.', '2026-08-01T12:00:00.000Z'),
  updatedAt: time('When it was changed last.', '2026-08-01T12:00:00.000Z'),
} satisfies Record<keyof ReturnType<typeof presentPrice>, DocumentedSchema>)

export const linkSchema = named('PaymentLink', 'A lasting address to pay a price at.', {
  id: uuid('Identifies the link.', '0198c1f4-6a90-7000-8000-7d31c8b5e2f4'),
  url: text('What to send or print.', 'https://pay.example.com/pay/Qm4Zr3Vt0yN1m9bQ4sXk7A', {
    format: 'uri',
  }),
  price: uuid('The price.', PRICE_ID),
  usesLimit: nullable(integer('How many payments it takes; null for any number.', 100)),
  uses: integer('How often it was paid.', 12),
  endsAt: optionalTime('Until when it takes payers.', null),
  active: flag('False once it is switched off.', true),
  open: flag('Whether it takes payers now.', true),
  createdAt: time('When it was created.', '2026-08-01T12:00:00.000Z'),
  updatedAt: time('When it was changed last.', '2026-08-01T12:00:00.000Z'),
} satisfies Record<keyof ReturnType<typeof presentLink>, DocumentedSchema>)

export const settingsSchema = named(
  'CheckoutSettings',
  'What a merchant decides about its pages.',
  {
    name: optionalText('As payers read it; null for the name of the merchant.', 'Tea & Sons'),
    logoUrl: optionalText('The path of the logo on this server.', null),
    accent: optionalText("The merchant's colour.", '#0b6e4f'),
    supportEmail: optionalText('Where payers find help.', 'help@shop.example'),
    supportUrl: optionalText('Where payers find help.', null),
    returnUrl: optionalText('The URL that payers return to.', 'https://shop.example/thanks'),
    allowedOrigins: list(
      'Pages that may begin sessions.',
      text('An origin.', 'https://shop.example'),
    ),
    defaultExpiry: nullable(integer('For how many seconds sessions can be paid.', 3600)),
    languages: { ...list('Of the pages; empty for all.', text('A language.', 'en')), example: [] },
    underpaymentTolerance: tolerance('The default underpayment tolerance.'),
    updatedAt: optionalTime('When they were changed last.', '2026-08-01T12:00:00.000Z'),
  } satisfies Record<keyof ReturnType<typeof presentSettings>, DocumentedSchema>,
)

const STATES: readonly CheckoutState[] = [
  'choosing',
  'waiting',
  'seen',
  'partial',
  'paid',
  'completed',
  'expired',
]

const VERDICTS: readonly HashVerdict[] = [
  'payment',
  'late',
  'other_network',
  'other_token',
  'elsewhere',
  'failed',
  'not_mined',
  'unknown',
  'looking',
]

const merchant = named('CheckoutMerchant', 'Who is paid.', {
  name: text("The merchant's name.", 'Tea & Sons'),
  logoUrl: optionalText('The path of the logo on this server.', null),
  accent: optionalText("The merchant's colour.", '#0b6e4f'),
  supportEmail: optionalText('Where payers find help.', 'help@shop.example'),
  supportUrl: optionalText('Where payers find help.', null),
} satisfies Record<keyof CheckoutMerchant, DocumentedSchema>)

const fiat = named('CheckoutFiat', 'The amount due in a fiat currency.', {
  currency: text('ISO 4217.', 'EUR'),
  amount: text('In its major unit.', '11.5'),
} satisfies Record<keyof CheckoutFiat, DocumentedSchema>)

const network = named('NetworkChoice', 'A network to pay on.', {
  networkId: text('The chain.', 'base-sepolia'),
  name: text('Its name.', 'Base Sepolia'),
  health: text('`slow` when blocks, or our reads of them, are late.', 'ok', {
    enum: ['ok', 'slow'],
  }),
  usualSeconds: integer("From a payment's block to its confirmation.", 6),
  usualFeeUsd: optionalText('The usual network fee in dollars; null on test networks.', '0.006'),
} satisfies Record<keyof NetworkChoice, DocumentedSchema>)

const token = named('TokenChoice', 'A token to pay with.', {
  tokenSymbol: text('Its ticker.', 'USDC'),
  tokenName: text('Its name.', 'USD Coin'),
  amount: nullable(amount('What is to be paid of it; null until it is converted.', '12.5')),
  networks: list('Where it is taken.', network),
} satisfies Record<keyof TokenChoice, DocumentedSchema>)

const payable = named('PayableAddress', 'Where to send on one network.', {
  networkId: text('The chain.', 'base-sepolia'),
  name: text('Its name.', 'Base Sepolia'),
  chainId: integer('The number of the chain, as wallets know it.', 84_532),
  coinSymbol: text("The symbol of the chain's coin.", 'ETH'),
  publicRpc: text('A public RPC URL for wallets.', 'https://sepolia.base.org'),
  address: address('Where to send.', DEPOSIT),
  tokenAddress: address('The contract of the token.', USDC),
  explorer: text("The base of the chain's explorer.", EXPLORER),
} satisfies Record<keyof PayableAddress, DocumentedSchema>)

const transfer = named('PayerTransfer', 'Money that arrived.', {
  networkId: text('The chain.', 'base-sepolia'),
  networkName: text('Its name.', 'Base Sepolia'),
  tokenSymbol: text('The ticker of what was sent.', 'USDC'),
  amount: text('How much of it.', '12.5'),
  returning: text('The part in pending refunds.', '0'),
  returned: text('The refunded part.', '0'),
  hash: transactionHash('The transaction.'),
  sender: nullable(address('Who sent it.', PAYER)),
  explorerUrl: text('Its page on the explorer.', `${EXPLORER}/tx/${HASH}`),
  status: text('How certain it is.', 'pending', { enum: ['pending', 'confirmed', 'reverted'] }),
  kind: text(
    '`late`: after the end; `other`: another token or network, and counts for nothing.',
    'counted',
    {
      enum: ['counted', 'late', 'other'],
    },
  ),
  confirmations: integer('Blocks so far, its own included.', 1),
  confirmationsNeeded: integer('Blocks that confirm it.', 3),
  at: time('The time of its block.', '2026-08-01T12:00:03.000Z'),
} satisfies Record<keyof PayerTransfer, DocumentedSchema>)

const payment = named('CheckoutPayment', 'What is to be paid, and how far it is.', {
  reference: text('For the payer to quote.', 'K7QX2M9PTA'),
  tokenSymbol: text('The token to send.', 'USDC'),
  decimals: integer('The decimals of the token.', 6),
  expected: amount('The amount due.', '12.5'),
  received: amount('What is confirmed and came in time.', '0'),
  pending: amount('What is mined and not confirmed.', '12.5'),
  due: amount('What is still to be sent.', '0'),
  overpaid: amount('What came above it.', '0'),
  late: amount('What came after the end.', '0'),
  addresses: list('Where to send, on any of these networks.', payable),
  transfers: list('What arrived, in the order seen.', transfer),
  paidAt: optionalTime('When the payment was confirmed in full.', null),
  completedAt: optionalTime('When it was settled to the merchant.', null),
} satisfies Record<keyof CheckoutPayment, DocumentedSchema>)

export const lookupSchema = named('HashLookup', 'What came of a transaction hash.', {
  hash: transactionHash('The transaction.'),
  verdict: text(
    '`payment`: for this session; `other_network`, `other_token`: the wrong money at the right address; ' +
      '`elsewhere`: nothing here; `looking`: not looked up everywhere yet.',
    'payment',
    { enum: [...VERDICTS] },
  ),
  networkName: optionalText('Where it was found.', 'Base Sepolia'),
  at: time('When it was looked up.', '2026-08-01T12:00:05.000Z'),
} satisfies Record<keyof HashLookup, DocumentedSchema>)

export const viewSchema = named('CheckoutView', 'What a payer is shown of a session.', {
  id: text('The session.', SESSION_ID),
  version: integer('Grows with every change.', 4),
  state: text('Its state.', 'seen', { enum: [...STATES] }),
  merchant,
  description: optionalText('What is bought.', 'Three months of tea'),
  fiat: { ...nullable(fiat), example: null },
  tokens: list('What the payer may choose from.', token),
  payment: nullable(payment),
  earlier: {
    ...list('Money that went to an address shown before another token was chosen.', transfer),
    example: [],
  },
  lookups: {
    ...list('The last hashes that were pasted, newest first.', lookupSchema),
    example: [],
  },
  refundAddress: optionalText("The payer's refund address.", PAYER),
  returnUrl: optionalText('Where the payer continues.', 'https://shop.example/thanks'),
  chosenNetwork: optionalText('The network that the payer chose last.', 'base-sepolia'),
  canStartAgain: flag('Whether the page offers to start again after the end.', false),
  createdAt: time('When it began.', '2026-08-01T12:00:00.000Z'),
  expiresAt: optionalTime('Until when it can be paid in time.', '2026-08-02T12:00:00.000Z'),
  now: time("The server's clock.", '2026-08-01T12:00:04.000Z'),
} satisfies Record<keyof CheckoutView, DocumentedSchema>)

export const sessionSchema = named('CheckoutSession', 'A session, and its page.', {
  id: text('The session. Its id is enough to pay.', SESSION_ID),
  url: text('The page to send the payer to.', `https://pay.example.com/checkout/${SESSION_ID}`, {
    format: 'uri',
  }),
  expiresAt: optionalTime('Until when it can be paid in time.', '2026-08-02T12:00:00.000Z'),
  formerSession: optionalText('The session that it replaces.', FORMER_SESSION_ID),
  view: viewSchema,
})
