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
  PayerAuthorization,
  PayerTransfer,
  SignatureTerms,
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

/** Prices and sessions in the OpenAPI document. */

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

/** A malformed id is treated as an unknown session. */
export const SESSION_ID_PARAMETER: PathId<SessionId> = {
  description: 'The identifier of the session.',
  example: SESSION_ID,
  code: 'session_not_found',
  form: 'must be the id of a session',
  parse: (sent) => (isSessionId(sent) ? sent : null),
}

export const priceSchema = named('Price', 'Prices, payment links and sessions.', {
  id: uuid('Identifies the price. Not a secret.', PRICE_ID),
  amount: amount('The amount due, in any of the tokens or in the currency.', '12.5'),
  currency: optionalText('The currency of the amount (ISO 4217); null if it is in tokens.', null),
  tokens: list('The tokens that the payer may choose from.', text('The ticker.', 'USDC')),
  chains: {
    ...list('The offered chains; empty for all.', text('The networkId.', 'base-sepolia')),
    example: [],
  },
  description: optionalText('What is bought, as the payer reads it.', 'Three months of tea'),
  expiresAfter: nullable(
    integer("The payment window of a session, in seconds; null for the merchant's default.", 3600),
  ),
  metadata: record('Copied to the metadata of every invoice of the price.', {
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

export const linkSchema = named('PaymentLink', 'A permanent URL to pay a price at.', {
  id: uuid('Identifies the link.', '0198c1f4-6a90-7000-8000-7d31c8b5e2f4'),
  url: text('The URL to send or print.', 'https://pay.example.com/pay/Qm4Zr3Vt0yN1m9bQ4sXk7A', {
    format: 'uri',
  }),
  price: uuid('The price.', PRICE_ID),
  usesLimit: nullable(integer('The maximum number of payments; null for unlimited.', 100)),
  uses: integer('The number of payments.', 12),
  endsAt: optionalTime('When it stops accepting payers.', null),
  active: flag('False when deactivated.', true),
  open: flag('Whether it accepts payers now.', true),
  createdAt: time('When it was created.', '2026-08-01T12:00:00.000Z'),
  updatedAt: time('When it was changed last.', '2026-08-01T12:00:00.000Z'),
} satisfies Record<keyof ReturnType<typeof presentLink>, DocumentedSchema>)

export const settingsSchema = named(
  'CheckoutSettings',
  "The settings of a merchant's checkout pages.",
  {
    name: optionalText('The displayed name; null for the name of the merchant.', 'Tea & Sons'),
    logoUrl: optionalText('The path of the logo on this server.', null),
    accent: optionalText("The merchant's colour.", '#0b6e4f'),
    supportEmail: optionalText('Contact for payers.', 'help@shop.example'),
    supportUrl: optionalText('Contact for payers.', null),
    returnUrl: optionalText('The URL that payers return to.', 'https://shop.example/thanks'),
    allowedOrigins: list(
      'The origins that may create sessions.',
      text('An origin.', 'https://shop.example'),
    ),
    defaultExpiry: nullable(integer('The default payment window, in seconds.', 3600)),
    languages: {
      ...list('The languages of the pages; empty for all.', text('A language.', 'en')),
      example: [],
    },
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

const merchant = named('CheckoutMerchant', 'The payee.', {
  name: text("The merchant's name.", 'Tea & Sons'),
  logoUrl: optionalText('The path of the logo on this server.', null),
  accent: optionalText("The merchant's colour.", '#0b6e4f'),
  supportEmail: optionalText('Contact for payers.', 'help@shop.example'),
  supportUrl: optionalText('Contact for payers.', null),
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
  usualSeconds: integer('The usual seconds until confirmation.', 6),
  usualFeeUsd: optionalText('The usual network fee in dollars; null on test networks.', '0.006'),
} satisfies Record<keyof NetworkChoice, DocumentedSchema>)

const token = named('TokenChoice', 'A token to pay with.', {
  tokenSymbol: text('Its ticker.', 'USDC'),
  tokenName: text('Its name.', 'USD Coin'),
  amount: nullable(amount('The amount due in it; null until it is converted.', '12.5')),
  networks: list('The networks on which it is accepted.', network),
} satisfies Record<keyof TokenChoice, DocumentedSchema>)

const signature = named('SignatureTerms', 'What to sign (EIP-3009); null where none is accepted.', {
  name: text('Of the domain.', 'USDC'),
  version: text('Of the domain.', '2'),
  value: text('All that is due, in base units.', '12500000'),
  maxSeconds: integer('The longest validity.', 300),
} satisfies Record<keyof SignatureTerms, DocumentedSchema>)

const payable = named('PayableAddress', 'Where to send on one network.', {
  networkId: text('The chain.', 'base-sepolia'),
  name: text('Its name.', 'Base Sepolia'),
  chainId: integer('The EVM chain id.', 84_532),
  coinSymbol: text("The symbol of the chain's coin.", 'ETH'),
  publicRpc: text('A public RPC URL for wallets.', 'https://sepolia.base.org'),
  address: address('The address to send to.', DEPOSIT),
  tokenAddress: address('The contract of the token.', USDC),
  explorer: text("The base of the chain's explorer.", EXPLORER),
  signature: nullable(signature),
} satisfies Record<keyof PayableAddress, DocumentedSchema>)

const transfer = named('PayerTransfer', 'A received transfer.', {
  networkId: text('The chain.', 'base-sepolia'),
  networkName: text('Its name.', 'Base Sepolia'),
  tokenSymbol: text('The ticker of the token.', 'USDC'),
  amount: text('The amount.', '12.5'),
  returning: text('The part in pending refunds.', '0'),
  returned: text('The refunded part.', '0'),
  hash: transactionHash('The transaction.'),
  sender: nullable(address('The sender.', PAYER)),
  explorerUrl: text('Its page on the explorer.', `${EXPLORER}/tx/${HASH}`),
  status: text('The confirmation status.', 'pending', {
    enum: ['pending', 'confirmed', 'reverted'],
  }),
  kind: text(
    '`late`: after the expiry; `other`: another token or network, which is not counted.',
    'counted',
    {
      enum: ['counted', 'late', 'other'],
    },
  ),
  confirmations: integer('The number of confirmations, its own block included.', 1),
  confirmationsNeeded: integer('The required number of confirmations.', 3),
  at: time('The time of its block.', '2026-08-01T12:00:03.000Z'),
} satisfies Record<keyof PayerTransfer, DocumentedSchema>)

const payment = named('CheckoutPayment', 'The amount due, and the progress of the payment.', {
  reference: text('The reference for support.', 'K7QX2M9PTA'),
  tokenSymbol: text('The token to send.', 'USDC'),
  decimals: integer('The decimals of the token.', 6),
  expected: amount('The amount due.', '12.5'),
  received: amount('Confirmed, and received in time.', '0'),
  pending: amount('Mined but not confirmed.', '12.5'),
  due: amount('The remaining amount.', '0'),
  overpaid: amount('Received above the amount due.', '0'),
  late: amount('Received after the expiry.', '0'),
  addresses: list('The addresses to send to, one per network.', payable),
  transfers: list('The received transfers, in the order detected.', transfer),
  paidAt: optionalTime('When the payment was confirmed in full.', null),
  completedAt: optionalTime('When it was settled to the merchant.', null),
} satisfies Record<keyof CheckoutPayment, DocumentedSchema>)

export const lookupSchema = named('HashLookup', 'The result of looking up a transaction hash.', {
  hash: transactionHash('The transaction.'),
  verdict: text(
    '`payment`: for this session; `other_network`, `other_token`: the wrong money at the right address; ' +
      '`elsewhere`: not for this session; `looking`: not yet searched everywhere.',
    'payment',
    { enum: [...VERDICTS] },
  ),
  networkName: optionalText('Where it was found.', 'Base Sepolia'),
  at: time('The time of the lookup.', '2026-08-01T12:00:05.000Z'),
} satisfies Record<keyof HashLookup, DocumentedSchema>)

const AUTHORIZATION_STATES: readonly PayerAuthorization['status'][] = [
  'received',
  'sent',
  'settled',
  'failed',
  'expired',
  'replaced',
  'refused',
]

export const authorizationSchema = named('PayerAuthorization', "The payer's newest signature.", {
  status: text('`refused`, `expired`: nothing was sent.', 'sent', {
    enum: [...AUTHORIZATION_STATES],
  }),
  method: text('How it was sent.', 'signature', { enum: ['signature', 'x402'] }),
  networkId: text('The chain.', 'base-sepolia'),
  payer: address('The payer.', PAYER),
  amount: text('The amount.', '12.5'),
  transaction: nullable(transactionHash('Null until it is sent.')),
  reason: optionalText('Why it was refused or failed.', null),
  at: time('When it was received.', '2026-08-01T12:00:03.000Z'),
} satisfies Record<keyof PayerAuthorization, DocumentedSchema>)

export const viewSchema = named('CheckoutView', "The payer's view of a session.", {
  id: text('The session.', SESSION_ID),
  version: integer('Grows with every change.', 4),
  state: text('Its state.', 'seen', { enum: [...STATES] }),
  merchant,
  description: optionalText('What is bought.', 'Three months of tea'),
  fiat: { ...nullable(fiat), example: null },
  tokens: list('What the payer may choose from.', token),
  payment: nullable(payment),
  earlier: {
    ...list('Transfers to an address that was shown before another token was chosen.', transfer),
    example: [],
  },
  lookups: {
    ...list('The submitted transaction hashes, the newest first.', lookupSchema),
    example: [],
  },
  authorization: { ...nullable(authorizationSchema), example: null },
  refundAddress: optionalText("The payer's refund address.", PAYER),
  returnUrl: optionalText('The URL that the payer returns to.', 'https://shop.example/thanks'),
  chosenNetwork: optionalText('The network that the payer chose last.', 'base-sepolia'),
  x402Url: optionalText('Where x402 clients pay; null if nothing is payable.', null),
  canStartAgain: flag('Whether the page offers to start again after the end.', false),
  createdAt: time('When it was created.', '2026-08-01T12:00:00.000Z'),
  expiresAt: optionalTime('When its payment window ends.', '2026-08-02T12:00:00.000Z'),
  now: time("The server's clock.", '2026-08-01T12:00:04.000Z'),
} satisfies Record<keyof CheckoutView, DocumentedSchema>)

export const sessionSchema = named('CheckoutSession', 'A session with its page.', {
  id: text('Identifies the session. It is sufficient to pay.', SESSION_ID),
  url: text(
    'The checkout page to send the payer to.',
    `https://pay.example.com/checkout/${SESSION_ID}`,
    {
      format: 'uri',
    },
  ),
  expiresAt: optionalTime('When its payment window ends.', '2026-08-02T12:00:00.000Z'),
  formerSession: optionalText('The session that it replaces.', FORMER_SESSION_ID),
  view: viewSchema,
})
