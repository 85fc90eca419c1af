import { max, min } from '../base/integers.ts'

/**
 * What calls to the hub may cost, in gas. The hub knows none of these figures: each call states what its items
 * get. They are above anything measured, also under the prices of state that EIP-8037 drafts: gas that
 * is not used is not paid for, while an item with too little of it fails. Chains may have figures of
 * their own, and so may operators; a token that costs more raises those of its batch.
 */

/** No transaction ever offers more per gas than this, in wei, unless the operator sets less. */
export const MAX_FEE_PER_GAS = 5_000n * 10n ** 9n

/** What a batch of payouts gives each of its items: the hub's struct Gas. */
export interface PayoutGas {
  /** One item, with its fee leg and what records a debt. */
  readonly item: bigint
  /** The leg that pays the fee. */
  readonly fee: bigint
  /** What must remain after a fee leg that burnt all it got, so that the fee is recorded as owed. */
  readonly reserve: bigint
}

export interface ChainGas {
  readonly sweep: PayoutGas
  readonly distribution: PayoutGas
  readonly refund: bigint
  /** One EIP-3009 authorization of a payer without code, */
  readonly authorization: bigint
  /** what it uses at most when its receiver has a balance already, */
  readonly authorizationUse: bigint
  /** and what it uses besides when it is the first money of its receiver. */
  readonly newBalance: bigint
  /** One of a payer with code, whose ERC-1271 check is part of it. */
  readonly walletAuthorization: bigint
  /** One payment by Permit2. */
  readonly permit: bigint
  /** One entry of the registry. */
  readonly configuration: bigint
  /** Creating one forwarder. */
  readonly deployment: bigint
  /** The transfer of a token for which the figures above are made; they are raised for one that costs more. */
  readonly transfer: bigint
  /** The most that a transaction may have. */
  readonly largest: bigint
}

/**
 * By the draft of EIP-8037, creating a clone costs 250,920 and each new storage slot 97,920, on top of some
 * 60,000 for the rest of an item. A sweep creates the deposit and the balances of recipient and collector,
 * or records a debt; a refund the deposit, its receiver's balance, and what it books in the hub. An
 * authorization marks its nonce as used, and creates its receiver's balance once.
 */
export const USUAL_GAS: ChainGas = {
  sweep: { item: 800_000n, fee: 200_000n, reserve: 120_000n },
  distribution: { item: 800_000n, fee: 200_000n, reserve: 120_000n },
  refund: 800_000n,
  authorization: 280_000n,
  authorizationUse: 150_000n,
  newBalance: 98_000n,
  walletAuthorization: 400_000n,
  permit: 550_000n,
  configuration: 450_000n,
  deployment: 450_000n,
  transfer: 180_000n,
  // EIP-7825.
  largest: 16_777_216n,
}

/** What a transaction needs besides its items: its own 21,000, and entering and leaving the hub's loop. */
const TRANSACTION_GAS = 60_000n
/** What an item needs besides what it is given: its part of the calldata, and the event of its failure. */
const ITEM_OVERHEAD = 15_000n
/** Creating the wallet of a payer: no more than its trial has, PREPARATION_GAS of AuthorizationProbe. */
const WALLET_DEPLOYMENT = 1_500_000n
/** A contract wallet's signature may be long. */
const LONG_SIGNATURE = 150_000n

/** The gas limit of a batch: so much, and so much for each item. */
export interface BatchGas {
  readonly base: bigint
  readonly perItem: bigint
}

/** That of a batch of payments: so much more for each merchant whose forwarder is paid. */
export interface PaymentsGas extends BatchGas {
  readonly perMerchant: bigint
}

/** A batch none of whose items can lack gas because of the others, each given `item` gas at most. */
export function batchGas(item: bigint): BatchGas {
  return { base: TRANSACTION_GAS, perItem: roomFor(item) }
}

/**
 * Authorizations of payers without code. Only the token runs, so what they use is known, and the limit counts
 * that: what an item is given above it must be there when its turn comes, and serves all of them. A batch
 * that uses more nonetheless reverts as a whole, and is sent again in smaller ones.
 */
export function paymentsGas(gas: ChainGas): PaymentsGas {
  const { authorization, authorizationUse, newBalance } = gas
  return {
    base: TRANSACTION_GAS + roomFor(authorization),
    perItem: authorizationUse + ITEM_OVERHEAD,
    perMerchant: newBalance,
  }
}

/** Those of payers with code, each of whom may use all that it is given. */
export function walletPaymentsGas({ walletAuthorization }: ChainGas): PaymentsGas {
  const { base, perItem } = batchGas(walletAuthorization)
  return { base, perItem: perItem + LONG_SIGNATURE, perMerchant: 0n }
}

/**
 * What creating a payer's wallet adds to its payment, which Multicall3 makes after it: a factory that uses
 * all that it can leaves too little for the payment, and the transaction reverts as a whole.
 */
export const WALLET_DEPLOYMENT_GAS = roomFor(WALLET_DEPLOYMENT) + ITEM_OVERHEAD + LONG_SIGNATURE

/** Payments by Permit2: the payer's code may run, so that each may use all that it is given. */
export function permitPaymentsGas({ permit }: ChainGas): PaymentsGas {
  const { base, perItem } = batchGas(permit)
  return { base, perItem: perItem + LONG_SIGNATURE, perMerchant: 0n }
}

/** What so many distributions add to a batch's gas limit. */
export function distributionsGas({ distribution }: ChainGas, count: number): bigint {
  return roomFor(distribution.item) * BigInt(count)
}

/** How many distributions fit into so much gas beside what is used of it already. */
export function distributionsBeside(gas: ChainGas, used: bigint, room: bigint): number {
  return used > room ? 0 : Number((room - used) / distributionsGas(gas, 1))
}

/** What must be there for an item to be given so much: EIP-150 keeps a 64th back. */
function roomFor(item: bigint): bigint {
  return item + ceilDiv(item, 63n) + ITEM_OVERHEAD
}

/**
 * The figures for tokens one transfer of which was seen to cost so much: what is above the usual is added
 * once for each transfer of an item. No item gets more than fits into the largest transaction.
 */
export function raisedGas(gas: ChainGas, transfer: bigint): ChainGas {
  const extra = max(transfer + transfer / 8n - gas.transfer, 0n)
  if (extra === 0n) return gas
  const most = ((gas.largest - TRANSACTION_GAS - ITEM_OVERHEAD) * 63n) / 64n
  const payout = ({ item, fee, reserve }: PayoutGas): PayoutGas => ({
    item: min(item + 2n * extra, most),
    fee: min(fee + extra, most),
    reserve,
  })
  return {
    ...gas,
    sweep: payout(gas.sweep),
    distribution: payout(gas.distribution),
    refund: min(gas.refund + extra, most),
  }
}

/** Why these figures can't work, in words; null when they can. */
export function gasProblem(gas: ChainGas): string | null {
  for (const [name, { item, fee, reserve }] of [
    ['a sweep', gas.sweep],
    ['a distribution', gas.distribution],
  ] as const) {
    if (fee + reserve >= item) return `${name} needs more gas than its fee leg and reserve`
  }
  if (gas.authorizationUse + gas.newBalance > gas.authorization) {
    return 'an authorization is given less gas than it uses'
  }
  const { sweep, distribution, refund, permit, configuration, deployment } = gas
  const items = [sweep.item, distribution.item, refund, permit, configuration, deployment]
  const alone = items.map(batchGas).map(({ base, perItem }) => base + perItem)
  const paid = [paymentsGas(gas), walletPaymentsGas(gas)].map(
    ({ base, perItem, perMerchant }) => base + perItem + perMerchant + distributionsGas(gas, 1),
  )
  if ([...alone, ...paid].every((needed) => needed <= gas.largest)) return null
  return 'a transaction with one item needs more gas than a transaction may have'
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}
