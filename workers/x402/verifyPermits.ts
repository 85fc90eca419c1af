import { viewAt } from '../../chain/blocks/blocks.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { View } from '../../chain/rpc/view.ts'
import { readPermitFacts } from '../../chain/x402/permitFacts.ts'
import { findPermitUse, isNonceUsed } from '../../chain/x402/permitUse.ts'
import { recoverSigner } from '../../chain/x402/signer.ts'
import type { TrialSender } from '../../chain/x402/trial.ts'
import { max } from '../../core/base/integers.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import { approvalDigest, tokenDomain } from '../../core/x402/digest.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../core/x402/permitContracts.ts'
import { approvalOf, permitDigest } from '../../core/x402/permitSigning.ts'
import { checkFacts } from '../../core/x402/request/checks.ts'
import type { PermitFacts } from '../../core/x402/request/permitChecks.ts'
import type { SettlePermit, SettleRow } from '../../store/x402/work.ts'
import type { Searches } from '../turns/searches.ts'
import type { AuthorizationVerdict, VerifiedAuthorization } from './verdicts.ts'
import { BLOCKS_BEFORE_CLAIM, UNKNOWN } from './verdicts.ts'

/** What has become of payments by Permit2 that our transactions did not carry out. */

type PermitRow = SettleRow & { readonly permit: SettlePermit }

/** What is verified, how much of it in a turn, and the chain's height. */
export interface Chain {
  readonly client: ChainClient
  readonly searches: Searches
  readonly head: { readonly number: bigint }
}

/** As verifyAuthorizations does for those of EIP-3009. */
export async function verifyPermits(
  chain: Chain,
  rows: readonly PermitRow[],
  view: View,
  leastBlock: (index: number) => bigint,
  sender: TrialSender | null,
): Promise<VerifiedAuthorization[]> {
  const { client } = chain
  const { rpc } = client
  const { gas, chainId } = client.chain
  const queries = rows.map((row) => ({
    token: row.token,
    payer: row.authorization.from,
    payee: row.authorization.to,
    spender: PERMIT_PROXIES[row.scheme],
    nonce: row.permit.nonce,
    digest:
      `0x${permitDigest(chainId, row.scheme, row.authorization, signedBy(row)).toHex()}` as const,
    signature: row.signature,
    walletGas: gas.walletAuthorization,
  }))
  const facts = await readPermitFacts(rpc, queries, { view, sender })
  return Promise.all(
    rows.map(async (row, i) => {
      const known = facts[i]
      // An older view would call a nonce unused that was used since.
      if (known === undefined || view.number < leastBlock(i)) return { ...UNKNOWN, codeHash: null }
      const verdict = known.isUsed ? await howUsed(chain, row, view) : verdictOf(client, row, known)
      return { ...verdict, codeHash: known.payerCodeHash }
    }),
  )
}

function signedBy({ permit, scheme, token }: PermitRow) {
  return {
    token,
    nonce: permit.nonce,
    spender: PERMIT_PROXIES[scheme],
    facilitator: scheme === 'upto' ? permit.hub : null,
    sponsored: null,
  }
}

/**
 * Only what the search has shown is believed. That it shows nothing means that the payer has used the nonce for
 * something else, once the use has the chain's confirmations: until then a node may not have its logs.
 */
async function howUsed(
  { client, searches, head }: Chain,
  row: PermitRow,
  view: View,
): Promise<AuthorizationVerdict> {
  const { rpc, chain } = client
  const { from: payer, to } = row.authorization
  const { hub, nonce } = row.permit
  const { token, amount, scheme } = row
  const sought = { hub, token, payer, to, amount, nonce, isExact: scheme === 'exact' }
  const first = max(row.claimedBlock - BLOCKS_BEFORE_CLAIM, 0n)
  const key = `permit ${row.itemId}`
  const search = await searches.find(key, first, view.number, (start, end) =>
    findPermitUse(rpc, sought, start, end),
  )
  // What the node can't show yet is searched for again from the same blocks on.
  if (search.type === 'open' || (search.type === 'found' && search.value.type === 'unknown')) {
    return UNKNOWN
  }
  searches.forget(key)
  if (search.type === 'found') {
    const use = search.value
    return use.type === 'paid' ? { type: 'paid', at: use } : use
  }
  const deep = newestConfirmed(head.number, chain.confirmations)
  if (deep < 0n) return UNKNOWN
  // Nodes keep states of some 128 blocks, so that none is queried deeper than needed.
  if (view.number <= deep) return { type: 'impossible', reason: 'authorization_used' }
  const isDeep = await isNonceUsed(rpc, payer, nonce, await viewAt(rpc, deep))
  return isDeep ? { type: 'impossible', reason: 'authorization_used' } : UNKNOWN
}

function verdictOf(client: ChainClient, row: PermitRow, facts: PermitFacts): AuthorizationVerdict {
  if (facts.blockTime >= row.authorization.validBefore) {
    return { type: 'impossible', reason: 'payment_expired' }
  }
  const reason = checkFacts(row, facts, 0n, row.amount)
  if (reason !== null) return { type: 'impossible', reason }
  if (!facts.isDeployed) return { type: 'impossible', reason: 'permit2_proxy_not_deployed' }
  const isApproved = facts.allowance >= row.amount || isApprovable(client, row, facts)
  return isApproved
    ? { type: 'possible' }
    : { type: 'impossible', reason: 'permit2_allowance_required' }
}

/** Whether the token would take the payer's EIP-2612 permit that goes along. */
function isApprovable({ chain }: ChainClient, row: PermitRow, facts: PermitFacts): boolean {
  const { from: owner, value } = row.authorization
  const domain = tokenDomain(chain, row.token)
  if (row.permit.approval === null || domain === null) return false
  const { deadline, signature } = approvalOf(row.permit.approval)
  if (facts.blockTime > deadline) return false
  const nonce = facts.approvalNonce
  const digest = approvalDigest(domain, { owner, spender: PERMIT2, value, nonce, deadline })
  return recoverSigner(digest, signature) === owner
}
