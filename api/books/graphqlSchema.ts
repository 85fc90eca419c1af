/**
 * What can be asked: the GraphQL schema. Each field of Query is one statement of the database, and answers a
 * bounded number of rows. A merchant's key sees its own rows only; the operator's token sees all.
 */
export const SDL = `
"A day in UTC, e.g. \\"2026-08-01\\"."
scalar Day
"A moment, e.g. \\"2026-08-01T12:00:00.000Z\\"."
scalar Time
"A whole number of any size, as text."
scalar BigInt
"A whole number below 2^53."
scalar Count

"Into what days are added up."
enum Period { DAY MONTH TOTAL }
enum PaymentKind { INVOICE X402 }
enum MovementKind {
  "Out of the deposit of an invoice, to the merchant."
  SETTLEMENT
  "Out of a deposit, to whom the merchant named."
  REFUND
  "Of what x402 payments brought to the forwarder, to the merchant."
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

"What was confirmed, of one period, chain and token."
type Volume {
  "The first day of the period; null for all days together."
  day: Day
  "Null where merchants are added up."
  merchant: Merchant
  chain: String!
  token: Token!
  payments: Count!
  "What of the payments of invoices came in time, or was accepted."
  received: Amount!
  late: Amount!
  settlements: Count!
  "What settlements brought to recipients, without the fees."
  remitted: Amount!
  fees: Amount!
  refunds: Count!
  refunded: Amount!
  "Refunds that merchants sent themselves, out of their treasuries."
  externalRefunds: Count!
  externallyRefunded: Amount!
  x402Payments: Count!
  "What came to the merchant's forwarder."
  x402Received: Amount!
  "What came to addresses of the merchant's own."
  x402Direct: Amount!
  x402Refunds: Count!
  x402Refunded: Amount!
  x402Payouts: Count!
  "What payouts brought to treasuries, without the fees."
  x402Remitted: Amount!
  x402Fees: Amount!
  "For what came to own addresses, where nothing was taken."
  x402FeesOwed: Amount!
}

"What an endpoint has brought, in one period, chain and token."
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
  "How many payments were added up."
  addedUp: Count!
  "False when there were more, which are older."
  isComplete: Boolean!
}

"How long it takes from being paid to being settled, in seconds."
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
  "What left the deposit or the forwarder, the fee included."
  amount: Amount!
  fee: Amount!
  "What of the fee the token refused to pay out: it stays behind, and is owed."
  feeOwed: Amount!
  receiver: String!
  status: String!
  txHash: String
  at: Time!
  confirmedAt: Time
  "The hub's own event, as the indexer found it; null as long as it has found none."
  onChain: OnChain
}
type Movements {
  items: [Movement!]!
  "For after; null at the end."
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
  "The settlement, refund, payout or x402 payment that it belongs to."
  ledgerId: ID
}

"""
from is the first day, to the day after the last one. merchant is for the operator: a merchant sees
only itself.
"""
type Query {
  "At most 366 days; of each merchant by itself 92."
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
  "For the operator: the newest first, at most 100 of at most 31 days. booked: false finds what the ledger lacks."
  hubEvents(
    chain: String!, from: Day!, to: Day!, kind: HubEventKind, booked: Boolean, first: Int! = 20
  ): [HubEvent!]!
}
`
