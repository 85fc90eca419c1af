/**
 * The cost of a request's work beyond its count in the rate limit, in units. A plain verify or
 * settle costs nothing here: one read of the node, which it shares with others, is what the rate limit
 * counts. A client address has a budget of units per minute, and so have its wider networks.
 */
export const PRICES = {
  /** One search of the node's logs, and the receipt of what it finds. */
  searchUse: 100,
  /** A read of the node for one payer alone, whose balance is promised to payments under way. */
  readFunds: 1,
  /** The state of a channel, the outcome of a call, and its signer: up to three reads that are not shared. */
  readChannel: 5,
  /** A call into the code of a contract wallet, on the node. */
  tryWallet: 1,
  /** A transaction that a contract wallet may let fail: about 450,000 gas at risk. */
  settleWallet: 100,
  /** The same with the creation of the wallet before it: about 2,000,000 gas at risk. */
  deployWallet: 500,
  /** The trial of an authorization for an invoice, by anyone who knows its page. */
  trySignature: 20,
  /** A question to a node about a payer's transaction, and on the chain that has it what it brought. */
  lookUpHash: 100,
  /** Parsing so much of a body beyond the first so much. */
  bodyPart: 1,
} as const

/** The gas that one `settleWallet` pays for. */
export const SETTLE_WALLET_GAS = 450_000

const BODY_PART_BYTES = 16_384

/** Units for a body of this length. */
export function priceOfBody(bytes: number): number {
  return Math.floor(bytes / BODY_PART_BYTES) * PRICES.bodyPart
}
