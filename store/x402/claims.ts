import type { EndpointId, MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Authorization, Scheme } from '../../core/x402/terms.ts'
import type { Deployment } from '../../core/x402/walletDeployment.ts'
import { WALLET_CLAIMS_MAX } from '../../core/x402/wallets.ts'
import { type Database, isRowError, type Transaction } from '../database/database.ts'
import { gather } from '../database/gather.ts'
import { storeDeployments } from './deployments.ts'
import { endHolds } from './holds.ts'
import {
  authorizationKey,
  lockPayers,
  NOTHING,
  type Promised,
  payerKey,
  promisedTo,
} from './promises.ts'

/**
 * Claims of x402 authorizations. A claim is a payment row: the database lets an authorization be claimed
 * once, and no more of a payer's balance than there is, before anything is signed for it.
 */

export interface NewClaim {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId | null
  readonly networkId: string
  readonly asset: Address
  readonly authorization: Authorization
  /** EIP-3009 by default. */
  readonly permit?: PermitClaim | undefined
  readonly signature: Hex
  /** The call that creates the payer's code first; none by default. */
  readonly deployment?: Deployment | null
  /** The payer has code, so it travels in the lane of contract wallets. */
  readonly isWallet: boolean
  /** The first 8 bytes of that code's hash. */
  readonly payerCode: Hex | null
  /** The payer's balance on-chain, in base units, and the block at which it was read. */
  readonly balance: bigint
  readonly block: bigint
  /** Nonces of the payer's pending authorizations that were used up by that block. */
  readonly usedNonces: readonly Hex[]
  /** The service's fee when the merchant is paid at its own address, in base units; nothing by default. */
  readonly feeOwed?: bigint
  /** Whether this payment must have a transaction of its own. */
  readonly isAlone: boolean
}

/** A payment by Permit2. */
export interface PermitClaim {
  readonly scheme: Scheme
  /** What is to be paid of the authorization's value, in base units. */
  readonly amount: bigint
  readonly nonce: bigint
  /** The hub that settles it. */
  readonly hub: Address
  /** The payer's approval of Permit2, in the five words that the hub takes; null when it isn't needed. */
  readonly approval: Hex | null
}

export type ClaimResult =
  | { readonly type: 'claimed'; readonly paymentId: X402PaymentId }
  /** A concurrent call claimed the same authorization, or an invoice was paid by it. */
  | { readonly type: 'taken' }
  /** What is already promised of the payer's balance doesn't leave enough. */
  | { readonly type: 'insufficient_funds' }
  /** As many payments of this payer are under way as may be. */
  | { readonly type: 'too_many' }

export interface Claims {
  /** Claims an authorization and queues its settlement, in one database transaction. */
  claim(claim: NewClaim): Promise<ClaimResult>
}

export interface ClaimEvents {
  /** Work waits on these chains. */
  onClaimed(networkIds: readonly string[]): void
}

/** Callers wait for a settlement much longer than for anything else. */
const TIMEOUT_MS = 15_000
const CLAIMS_PER_COMMIT = 200

/** Claims received while others are being stored share one commit. */
export function openClaims(database: Database, mostPerPayer: number, events: ClaimEvents): Claims {
  const claim = gather<NewClaim, ClaimResult>({
    work: async (claims) => {
      const results = await database.begin((sql) => storeClaims(sql, claims, mostPerPayer))
      const networks = claims.filter((_, i) => results[i]?.type === 'claimed')
      if (networks.length > 0) {
        events.onClaimed([...new Set(networks.map(({ networkId }) => networkId))])
      }
      return results
    },
    isItemError: isRowError,
    timeoutMs: TIMEOUT_MS,
    atMost: CLAIMS_PER_COMMIT,
  })
  return { claim }
}

/** Stores claims in their order; each sees what those before it have promised. */
export async function storeClaims(
  sql: Transaction,
  claims: readonly NewClaim[],
  mostPerPayer: number,
): Promise<ClaimResult[]> {
  const [, promised] = await Promise.all([lockPayers(sql, claims), promisedTo(sql, claims)])
  const within = new Map<string, Promised>()
  const seen = new Set<string>()
  const wanted: (NewClaim & { readonly place: number })[] = []
  const results = claims.map((claim, i): ClaimResult => {
    const value = amountOf(claim)
    if (seen.has(authorizationKey(claim))) return { type: 'taken' }
    seen.add(authorizationKey(claim))
    const payer = payerKey(claim)
    const before = promised[i] ?? NOTHING
    if (before.isOfInvoice) return { type: 'taken' }
    const own = within.get(payer) ?? NOTHING
    if (before.amount + own.amount + value > claim.balance) return { type: 'insufficient_funds' }
    const isWallet = claim.isWallet || before.hasHadCode
    const most = isWallet ? Math.min(mostPerPayer, WALLET_CLAIMS_MAX) : mostPerPayer
    if (before.payments + own.payments >= most) return { type: 'too_many' }
    within.set(payer, { ...own, amount: own.amount + value, payments: own.payments + 1 })
    wanted.push({ ...claim, isWallet, place: i })
    return { type: 'taken' }
  })
  const [stored] = await Promise.all([insertClaims(sql, wanted), endHolds(sql, wanted)])
  await storeDeployments(
    sql,
    wanted.flatMap((claim) => {
      const paymentId = stored.get(authorizationKey(claim))
      return paymentId === undefined ? [] : [{ paymentId, deployment: claim.deployment ?? null }]
    }),
  )
  const asked = new Set(wanted.map(({ place }) => place))
  return claims.map((claim, i) => {
    const paymentId = asked.has(i) ? stored.get(authorizationKey(claim)) : undefined
    return paymentId === undefined
      ? (results[i] ?? { type: 'taken' })
      : { type: 'claimed', paymentId }
  })
}

/**
 * Writes payments and the work to settle them. A payment that failed is claimed again by the same
 * authorization. The answer has the ids of the payments that were claimed.
 */
async function insertClaims(
  sql: Transaction,
  claims: readonly NewClaim[],
): Promise<Map<string, X402PaymentId>> {
  if (claims.length === 0) return new Map()
  const rows = await sql<
    {
      id: X402PaymentId
      networkId: string
      asset: string
      payer: string
      authorizationNonce: string
    }[]
  >`
    select * from claim_authorizations(${JSON.stringify(claims.map(rowOf))}::text::json)`
  return new Map(
    rows.map((r) => [`${r.networkId} ${r.asset} ${r.payer} ${r.authorizationNonce}`, r.id]),
  )
}

/** What a claim takes of its payer's balance. */
function amountOf({ authorization, permit }: Pick<NewClaim, 'authorization' | 'permit'>): bigint {
  return permit?.amount ?? authorization.value
}

/** A payment as its functions in the database take it. */
export function rowOf(
  claim: Omit<NewClaim, 'balance' | 'usedNonces' | 'isAlone'> & { readonly isAlone?: boolean },
) {
  const { from, to, value, validAfter, validBefore, nonce } = claim.authorization
  const { permit } = claim
  return {
    id: Bun.randomUUIDv7(),
    merchant_id: claim.merchantId,
    endpoint_id: claim.endpointId,
    network_id: claim.networkId,
    asset: claim.asset,
    payer: from,
    authorization_nonce: nonce,
    pay_to: to,
    amount: amountOf(claim).toString(),
    valid_after: validAfter.toString(),
    valid_before: validBefore.toString(),
    signature: claim.signature,
    is_wallet: claim.isWallet,
    payer_code: claim.payerCode,
    claimed_block: claim.block.toString(),
    is_alone: claim.isAlone ?? false,
    fee_owed: (claim.feeOwed ?? 0n).toString(),
    scheme: permit?.scheme ?? 'exact',
    permit_hub: permit?.hub ?? null,
    permit_nonce: permit?.nonce.toString() ?? null,
    permitted: permit === undefined ? null : value.toString(),
    permit2612: permit?.approval ?? null,
  }
}
