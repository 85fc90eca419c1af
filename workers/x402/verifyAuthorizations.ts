import type { View } from '../../chain/rpc/view.ts'
import { logsWithTopics } from '../../chain/transactions/logs.ts'
import { readFacts } from '../../chain/x402/authorizationFacts.ts'
import { type AuthorizationUse, useIn, useTopics } from '../../chain/x402/authorizationUse.ts'
import type { TrialSender } from '../../chain/x402/trial.ts'
import { max } from '../../core/base/integers.ts'
import type { Facts } from '../../core/x402/facts.ts'
import { checkFacts } from '../../core/x402/request/checks.ts'
import type { SettlePermit, SettleRow } from '../../store/x402/work.ts'
import {
  type AuthorizationVerdict,
  BLOCKS_BEFORE_CLAIM,
  UNKNOWN,
  type VerifiedAuthorization,
} from './verdicts.ts'
import { type Chain, verifyPermits } from './verifyPermits.ts'

/** What has become of authorizations that our transactions did not carry out. */

/** Reads payments of any kind from the chain, as of the view's block; the verdicts are in the order of the rows. */
export async function verifyAuthorizations(
  chain: Chain,
  rows: readonly SettleRow[],
  view: View,
  leastBlock: (index: number) => bigint,
  sender: TrialSender | null,
): Promise<VerifiedAuthorization[]> {
  const signed: [SettleRow, number][] = []
  const permits: [SettleRow & { permit: SettlePermit }, number][] = []
  for (const [i, row] of rows.entries()) {
    const { permit } = row
    if (permit === null) signed.push([row, i])
    else permits.push([{ ...row, permit }, i])
  }
  const leastOf = (some: readonly (readonly [unknown, number])[]) => (index: number) =>
    leastBlock(some[index]?.[1] ?? 0)
  const rowsOf = <Row>(some: readonly (readonly [Row, number])[]) => some.map(([row]) => row)
  const [bySignature, byPermit] = await Promise.all([
    signed.length === 0 ? [] : verifySigned(chain, rowsOf(signed), view, leastOf(signed), sender),
    permits.length === 0
      ? []
      : verifyPermits(chain, rowsOf(permits), view, leastOf(permits), sender),
  ])
  const verdicts = new Map<number, VerifiedAuthorization>()
  for (const [i, [, place]] of signed.entries()) verdicts.set(place, bySignature[i] ?? NOTHING)
  for (const [i, [, place]] of permits.entries()) verdicts.set(place, byPermit[i] ?? NOTHING)
  return rows.map((_, i) => verdicts.get(i) ?? NOTHING)
}

const NOTHING: VerifiedAuthorization = { ...UNKNOWN, codeHash: null }

/**
 * Reads authorizations from the chain as of the view's block, in one round trip unless some of them are
 * used up. A view below an authorization's least block proves nothing about it. Transfers are tried as if
 * the sender sent them.
 */
async function verifySigned(
  source: Chain,
  rows: readonly SettleRow[],
  view: View,
  leastBlock: (index: number) => bigint,
  sender: TrialSender | null,
): Promise<VerifiedAuthorization[]> {
  const { rpc, chain } = source.client
  // Every transfer is tried, with all the gas that a wallet may use.
  const trial = { walletGas: chain.gas.walletAuthorization, isTried: true }
  const queries = rows.map(({ token, authorization, signature, deployment }) => {
    const preparation = deployment && { to: deployment.factory, data: deployment.data }
    return { token, authorization, signature, preparation, ...trial }
  })
  const facts = await readFacts(rpc, queries, { view, sender })
  return Promise.all(
    rows.map(async (row, i) => {
      const known = facts[i]
      // An older view would call an authorization unused that was used since.
      if (known === undefined || view.number < leastBlock(i)) return { ...UNKNOWN, codeHash: null }
      const verdict = known.isUsed ? await howUsed(source, row, view) : verdictOf(row, known)
      return { ...verdict, codeHash: known.payerCodeHash }
    }),
  )
}

async function howUsed(
  { client: { rpc }, searches }: Chain,
  row: SettleRow,
  view: View,
): Promise<AuthorizationVerdict> {
  const { from: payer, nonce } = row.authorization
  const first = max(row.claimedBlock - BLOCKS_BEFORE_CLAIM, 0n)
  const key = `authorization ${row.itemId}`
  const search = await searches.find(key, first, view.number, async (from, to) => {
    const [log] = await logsWithTopics(rpc, row.token, useTopics(payer, nonce), from, to)
    return log ?? null
  })
  if (search.type === 'open') return UNKNOWN
  searches.forget(key)
  if (search.type === 'nothing') return UNKNOWN
  const use = await useIn(rpc, row.token, { payer, nonce }, search.value)
  return use === null ? UNKNOWN : verdictOfUse(row, use)
}

function verdictOfUse({ authorization }: SettleRow, use: AuthorizationUse): AuthorizationVerdict {
  switch (use.type) {
    case 'cancelled':
      return { type: 'impossible', reason: 'authorization_cancelled' }
    case 'used':
      return { type: 'unclear', txHash: use.txHash }
    case 'paid': {
      const isOurs = use.to === authorization.to && use.value === authorization.value
      return isOurs
        ? { type: 'paid', at: use }
        : { type: 'impossible', reason: 'authorization_used' }
    }
  }
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
