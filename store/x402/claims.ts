import type { Address, Hex } from '../../core/chain/evm.ts'
import type { EndpointId, MerchantId, X402PaymentId } from '../../core/ids.ts'
import type { Authorization } from '../../core/x402/terms.ts'
import { type Database, isContention, type Transaction } from '../database.ts'
import { gather } from '../gather.ts'
import { workKey } from './work.ts'

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
  readonly signature: Hex
  /** The payer has code, so it travels in the lane of contract wallets. */
  readonly isWallet: boolean
  /** The payer's balance on-chain, in base units, and the block at which it was read. */
  readonly balance: bigint
  readonly block: bigint
  /** Nonces of the payer's pending authorizations that were used up by that block. */
  readonly usedNonces: readonly Hex[]
  /** Whether this payment must have a transaction of its own. */
  readonly isAlone: boolean
}

export type ClaimResult =
  | { readonly type: 'claimed'; readonly paymentId: X402PaymentId }
  /** Somebody else claimed the same authorization in the meantime. */
  | { readonly type: 'taken' }
  /** What is already promised of the payer's balance doesn't leave enough. */
  | { readonly type: 'insufficient_funds' }

export interface Claims {
  /** Claims an authorization and queues its settlement, in one database transaction. */
  claim(claim: NewClaim): Promise<ClaimResult>
}

export interface ClaimEvents {
  /** Work waits on these chains. */
  onClaimed(networkIds: readonly string[]): void
}

/** Callers wait for a settlement much longer than for anything else. */
const PATIENCE_MS = 15_000
const CLAIMS_PER_COMMIT = 200

/** Claims that arrive while others are being stored go together in one commit. */
export function openClaims(database: Database, events: ClaimEvents): Claims {
  const claim = gather<NewClaim, ClaimResult>({
    work: async (claims) => {
      const results = await database.begin((sql) => storeClaims(sql, claims))
      const networks = claims.filter((_, i) => results[i]?.type === 'claimed')
      if (networks.length > 0) {
        events.onClaimed([...new Set(networks.map(({ networkId }) => networkId))])
      }
      return results
    },
    isItemError: isContention,
    patienceMs: PATIENCE_MS,
    atMost: CLAIMS_PER_COMMIT,
  })
  return { claim }
}

/** Stores claims in their order; each sees what those before it have promised. */
export async function storeClaims(
  sql: Transaction,
  claims: readonly NewClaim[],
): Promise<ClaimResult[]> {
  const [, promised] = await Promise.all([lockPayers(sql, claims), promisedTo(sql, claims)])
  const within = new Map<string, bigint>()
  const seen = new Set<string>()
  const wanted: NewClaim[] = []
  const results = claims.map((claim, i): ClaimResult => {
    const { from, value } = claim.authorization
    if (seen.has(keyOf(claim))) return { type: 'taken' }
    seen.add(keyOf(claim))
    const payer = `${claim.networkId} ${claim.asset} ${from}`
    const own = within.get(payer) ?? 0n
    if ((promised[i] ?? 0n) + own + value > claim.balance) return { type: 'insufficient_funds' }
    within.set(payer, own + value)
    wanted.push(claim)
    return { type: 'taken' }
  })
  const stored = await insertClaims(sql, wanted)
  return claims.map((claim, i) => {
    const paymentId = wanted.includes(claim) ? stored.get(keyOf(claim)) : undefined
    return paymentId === undefined
      ? (results[i] ?? { type: 'taken' })
      : { type: 'claimed', paymentId }
  })
}

/** Serialises the claims on one balance; in one order everywhere, so that no two deadlock. */
async function lockPayers(sql: Transaction, claims: readonly NewClaim[]): Promise<void> {
  const payers = claims.map((c) => `${c.networkId} ${c.asset} ${c.authorization.from}`)
  await sql`
    select pg_advisory_xact_lock(hashtextextended(payer, 402)) from (
      select distinct payer from unnest(${payers}::text[]) as given (payer) order by payer) sorted`
}

/**
 * What of each claim's balance is promised to other payments: those that are pending and were not
 * carried out yet, and those that were settled in blocks that the balance does not know yet.
 */
async function promisedTo(sql: Transaction, claims: readonly NewClaim[]): Promise<bigint[]> {
  const rows = await sql<{ promised: bigint }[]>`
    select (
      select coalesce(sum(p.amount), 0) from x402_payment p
      where p.network_id = g.network_id and p.asset = g.asset and p.payer = g.payer
        and p.status <> 'failed' and p.confirmed_at is null
        and (p.status = 'pending' or p.block_number > g.block)
        and p.authorization_nonce <> g.authorization_nonce
        and not (p.status = 'pending'
          and p.authorization_nonce = any(string_to_array(g.used_nonces, ' ')))
    ) as promised
    from unnest(
      ${claims.map((c) => c.networkId)}::text[], ${claims.map((c) => c.asset)}::text[],
      ${claims.map((c) => c.authorization.from)}::text[],
      ${claims.map((c) => c.authorization.nonce)}::text[],
      ${claims.map((c) => c.block.toString())}::bigint[],
      ${claims.map((c) => c.usedNonces.join(' '))}::text[]
    ) with ordinality
      as g (network_id, asset, payer, authorization_nonce, block, used_nonces, place)
    order by g.place`
  return rows.map((row) => row.promised)
}

/**
 * Writes payments and the work to settle them. A payment that failed is claimed anew by the same
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
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(claims.map(rowOf))}::text::json) as given (
        id uuid, merchant_id uuid, endpoint_id uuid, network_id text, asset text, payer text,
        authorization_nonce text, pay_to text, amount numeric, valid_after numeric,
        valid_before numeric, signature text, is_wallet boolean, claimed_block bigint,
        is_alone boolean)
    ), claimed as (
      insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
        authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet,
        claimed_block)
      select id, merchant_id, endpoint_id, network_id, asset, payer, authorization_nonce, pay_to,
        amount, valid_after, valid_before, signature, is_wallet, claimed_block
      from given
      order by authorization_nonce, payer
      on conflict on constraint x402_payment_claim do update set
        status = 'pending', reason = null, version = x402_payment.version + 1,
        signature = excluded.signature, is_wallet = excluded.is_wallet
      where x402_payment.status = 'failed'
        and x402_payment.pay_to = excluded.pay_to and x402_payment.amount = excluded.amount
        and x402_payment.valid_after = excluded.valid_after
        and x402_payment.valid_before = excluded.valid_before
        and x402_payment.endpoint_id is not distinct from excluded.endpoint_id
      returning id, network_id, asset, payer, authorization_nonce
    ), work as (
      insert into work_item (network_id, kind, dedupe_key, payload, batch_limit)
      select network_id, case when is_wallet then 'x402_wallet' else 'x402' end,
        ${workKey(sql, 'c')},
        jsonb_build_object('paymentId', c.id), case when is_alone then 1 else 100 end
      from given join claimed c using (network_id, asset, payer, authorization_nonce)
      on conflict (dedupe_key) do update set
        state = 'queued', kind = excluded.kind, tx_id = null, log_index = null, result = null,
        tries = 0, batch_limit = excluded.batch_limit, not_before = now(), updated_at = now()
      where work_item.state in ('failed', 'review')
    )
    select id, network_id, asset, payer, authorization_nonce from claimed`
  return new Map(
    rows.map((r) => [`${r.networkId} ${r.asset} ${r.payer} ${r.authorizationNonce}`, r.id]),
  )
}

function rowOf(claim: NewClaim) {
  const { from, to, value, validAfter, validBefore, nonce } = claim.authorization
  return {
    id: Bun.randomUUIDv7(),
    merchant_id: claim.merchantId,
    endpoint_id: claim.endpointId,
    network_id: claim.networkId,
    asset: claim.asset,
    payer: from,
    authorization_nonce: nonce,
    pay_to: to,
    amount: value.toString(),
    valid_after: validAfter.toString(),
    valid_before: validBefore.toString(),
    signature: claim.signature,
    is_wallet: claim.isWallet,
    claimed_block: claim.block.toString(),
    is_alone: claim.isAlone,
  }
}

function keyOf({ networkId, asset, authorization }: NewClaim): string {
  return `${networkId} ${asset} ${authorization.from} ${authorization.nonce}`
}
