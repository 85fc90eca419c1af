/**
 * The GraphQL schema. Each field of Query is one SQL statement and returns a
 * bounded number of rows. A merchant's key reads its own rows only; the operator's token reads all.
 */

/** The most that a query may cost, in units of a caller's budget. */
export const MOST_COST = 200
/** The budget of a caller per minute. */
export const BUDGET_PER_MINUTE = 2_000

export const SDL = `
"A day in UTC, e.g. \\"2026-08-01\\"."
scalar Day
"A moment, e.g. \\"2026-08-01T12:00:00.000Z\\"."
scalar Time
"A whole number of any size, as text."
scalar BigInt
"A whole number below 2^53."
scalar Count

"The period of each sum."
enum Period { DAY MONTH TOTAL }
enum PaymentKind { INVOICE X402 }
enum MovementKind {
  "From a payer to the deposit of an invoice."
  PAYMENT
  "From the deposit of an invoice to the merchant."
  SETTLEMENT
  "From a deposit to the recipient of a refund."
  REFUND
  "From the forwarder of x402 payments to the merchant."
  PAYOUT
}
enum HubEventKind { SWEPT DISTRIBUTED REFUNDED FEE_OWED MERCHANT_CONFIGURED AUTHORIZATION_USED }

"An amount of one token."
type Amount {
  "In the token's smallest unit."
  units: BigInt!
  "In the token itself, e.g. \\"12.5\\"; null for a token that is not in the registry."
  decimal: String
}
type Token {
  address: String!
  "Null for a token that is not in the registry."
  symbol: String
}
type Merchant { id: ID! name: String! }

"Confirmed amounts of one period, chain and token."
type Volume {
  "The first day of the period; null for all days together."
  day: Day
  "Null where merchants are summed up."
  merchant: Merchant
  chain: String!
  token: Token!
  payments: Count!
  "Invoice payments received in time, or accepted."
  received: Amount!
  late: Amount!
  settlements: Count!
  "Settled to recipients, without the fees."
  remitted: Amount!
  fees: Amount!
  refunds: Count!
  refunded: Amount!
  "Refunds that merchants sent from their treasuries."
  externalRefunds: Count!
  externallyRefunded: Amount!
  x402Payments: Count!
  "Received by the merchant's forwarder."
  x402Received: Amount!
  "Received by the merchant's own addresses."
  x402Direct: Amount!
  x402Refunds: Count!
  x402Refunded: Amount!
  x402Payouts: Count!
  "Paid out to treasuries, without the fees."
  x402Remitted: Amount!
  x402Fees: Amount!
  "Fees owed for payments to own addresses."
  x402FeesOwed: Amount!
}

"Revenue of an endpoint in one period, chain and token."
type EndpointRevenue {
  "The first day of the period; null for all days together."
  day: Day
  merchantId: ID!
  "Null for payments that belong to no endpoint."
  endpointId: ID
  url: String
  chain: String!
  token: Token!
  payments: Count!
  revenue: Amount!
}

type Payer {
  address: String!
  chain: String!
  token: Token!
  payments: Count!
  paid: Amount!
}
type TopPayers {
  payers: [Payer!]!
  "The number of payments counted."
  addedUp: Count!
  "False when older payments were left out."
  isComplete: Boolean!
}

"The time from payment to settlement, in seconds."
type SettleTime {
  kind: PaymentKind!
  chain: String
  settled: Count!
  median: Float!
  p95: Float!
  slowest: Float!
}

type OnChain { block: BigInt! amount: Amount! }
type Movement {
  id: ID!
  merchantId: ID!
  "Null for a payout."
  invoiceId: ID
  chain: String!
  token: Token!
  "Sent from the deposit or the forwarder, the fee included."
  amount: Amount!
  fee: Amount!
  "The part of the fee whose transfer the token refused; it is still owed."
  feeOwed: Amount!
  receiver: String!
  status: String!
  txHash: String
  "How a payment was sent: transfer, signature or x402; null for other movements."
  method: String
  at: Time!
  confirmedAt: Time
  "The hub's event; null until the indexer has found it."
  onChain: OnChain
}
type Movements {
  items: [Movement!]!
  "The cursor of the next page; null at the end."
  next: String
}

type HubEvent {
  kind: HubEventKind!
  chain: String!
  block: BigInt!
  at: Time!
  txHash: String!
  logIndex: Count!
  merchantId: ID
  "The deposit, the forwarder or the payer."
  account: String
  token: Token
  receiver: String
  amount: Amount
  fee: Amount
  "Its settlement, refund, payout or x402 payment."
  ledgerId: ID
}

"""
from is the first day, to the day after the last one. merchant is for the operator: a merchant sees
only itself.
"""
type Query {
  "At most 366 days, or 92 by merchant."
  volume(
    from: Day!, to: Day!, per: Period! = DAY, byMerchant: Boolean! = false, chain: String, merchant: ID
  ): [Volume!]!
  "x402 revenue, at most 366 days."
  endpointRevenue(
    from: Day!, to: Day!, per: Period! = DAY, endpoint: ID, chain: String, merchant: ID
  ): [EndpointRevenue!]!
  "At most 92 days."
  topPayers(
    from: Day!, to: Day!, kind: PaymentKind! = INVOICE, first: Int! = 10, chain: String, merchant: ID
  ): TopPayers!
  "At most 92 days."
  settleTimes(from: Day!, to: Day!, chain: String, merchant: ID): [SettleTime!]!
  "The newest first, at most 100 of at most 366 days."
  movements(
    kind: MovementKind!, from: Day!, to: Day!, first: Int! = 20, after: String, chain: String,
    merchant: ID
  ): Movements!
  "For the operator: the newest first, at most 100 of at most 31 days. booked: false returns events missing in the ledger."
  hubEvents(
    chain: String!, from: Day!, to: Day!, kind: HubEventKind, booked: Boolean, first: Int! = 20
  ): [HubEvent!]!
}
`
