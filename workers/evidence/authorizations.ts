import type { PublicClient } from 'viem'
import { readFacts } from '../../chain/authorization/facts.ts'
import { type AuthorizationUse, findAuthorizationUse } from '../../chain/authorization/use.ts'
import { max } from '../../core/integers.ts'
import { checkFacts } from '../../core/x402/checks.ts'
import type { Facts } from '../../core/x402/facts.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import { WALLET_GAS } from '../../core/x402/terms.ts'
import type { PaidAt } from '../../store/x402/settles.ts'
import type { SettleRow } from '../../store/x402/work.ts'

/** What has become of authorizations that our transactions did not carry out. */

/** Evidence may lie a little before the claim: nodes differ, and blocks are replaced. */
const BLOCKS_BEFORE_CLAIM = 64n

/** Every transfer is tried, with all the gas that a wallet may use. */
const TRIAL = { walletGas: WALLET_GAS, preparation: null, isTried: true }

export type AuthorizationVerdict =
  | { readonly type: 'paid'; readonly at: PaidAt }
  | { readonly type: 'impossible'; readonly reason: Reason }
  | { readonly type: 'possible' }
  /** The node doesn't know enough yet. */
  | { readonly type: 'unknown' }

/** Asks the chain about authorizations, in one round trip unless some of them are used up. */
export async function judgeAuthorizations(
  rpc: PublicClient,
  rows: readonly SettleRow[],
  leastBlock: (index: number) => bigint,
): Promise<AuthorizationVerdict[]> {
  const facts = await readFacts(
    rpc,
    rows.map(({ token, authorization, signature }) => ({
      token,
      authorization,
      signature,
      ...TRIAL,
    })),
  )
  return Promise.all(
    rows.map((row, i) => {
      const known = facts[i]
      // A node that lags behind would call an authorization unused that it has yet to see used.
      if (known === undefined || known.blockNumber < leastBlock(i)) return UNKNOWN
      return known.isUsed ? howUsed(rpc, row, known) : verdictOf(row, known)
    }),
  )
}

const UNKNOWN: AuthorizationVerdict = { type: 'unknown' }

async function howUsed(
  rpc: PublicClient,
  row: SettleRow,
  { blockNumber }: Facts,
): Promise<AuthorizationVerdict> {
  const { from: payer, nonce } = row.authorization
  const first = max(row.claimedBlock - BLOCKS_BEFORE_CLAIM, 0n)
  const use = await findAuthorizationUse(rpc, row.token, { payer, nonce }, first, blockNumber)
  return use === null ? UNKNOWN : verdictOfUse(row, use)
}

function verdictOfUse({ authorization }: SettleRow, use: AuthorizationUse): AuthorizationVerdict {
  if (use.type === 'cancelled') return { type: 'impossible', reason: 'authorization_cancelled' }
  const isOurs =
    use.type === 'paid' && use.to === authorization.to && use.value === authorization.value
  return isOurs ? { type: 'paid', at: use } : { type: 'impossible', reason: 'authorization_used' }
}

function verdictOf(row: SettleRow, facts: Facts): AuthorizationVerdict {
  if (facts.blockTime >= row.authorization.validBefore) {
    return { type: 'impossible', reason: 'payment_expired' }
  }
  if (facts.trial.ok) return { type: 'possible' }
  const reason = checkFacts(row, facts, 0n)
  // The trial's block may be older than the one in which the transfer will be tried.
  const isEarly = reason === 'invalid_exact_evm_payload_authorization_valid_after'
  return reason === null || isEarly ? { type: 'possible' } : { type: 'impossible', reason }
}
