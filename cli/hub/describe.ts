import type { OpenMatters } from '../../chain/hub/openMatters.ts'
import { durationText } from '../../core/base/duration.ts'
import { formatAmount } from '../../core/base/money.ts'
import { checksumAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { type Chain, tokensOf } from '../../core/chain/registry.ts'
import {
  type HubToken,
  type MerchantChange,
  PROPOSAL_LIFETIME_S,
  type Proposal,
} from '../../core/hub/state.ts'
import { stoppedParts } from '../../core/hub/stops.ts'

/** A hub's state for owner and guardian, as lines of a name and a text. `now` is the chain's. */
export function governanceLines(
  { answer, proposals }: OpenMatters,
  chain: Chain,
  now: Date,
): [string, string][] {
  const { state, tokens, changes } = answer
  const stopped = stoppedParts(state.stops)
  const { pendingOwner } = state
  return [
    ...(pendingOwner === ZERO_ADDRESS
      ? []
      : [['offered to', checksumAddress(pendingOwner)] satisfies [string, string]]),
    [
      'delays',
      `${durationText(state.ownerDelay)} owner, ${durationText(state.configDelay)} treasuries`,
    ],
    ['stopped', stopped.length === 0 ? 'nothing' : stopped.join(', ')],
    ...tokens.flatMap((token) => tokenLine(token, chain)),
    ...proposals.map((one): [string, string] => ['proposal', proposalText(one, now)]),
    ...changes.map((one): [string, string] => ['treasury', changeText(one, now)]),
  ]
}

/** Tokens unknown to the hub are omitted. */
function tokenLine(
  { token, isListed, refundLimit, refundRoom }: HubToken,
  chain: Chain,
): [string, string][] {
  const known = tokensOf(chain).find(({ address }) => address === token)
  if (known === undefined || (!isListed && refundLimit === 0n)) return []
  const isConfigured = chain.tokens.some((one) => one.address === token && !one.isOptional)
  const listed = isListed ? 'listed' : isConfigured ? 'NOT listed' : 'never swept'
  if (refundLimit === null || refundRoom === null) {
    return [[known.symbol, `${listed}, refunds without a limit`]]
  }
  const [room, limit] = [refundRoom, refundLimit].map((one) => formatAmount(one, known.decimals))
  return [[known.symbol, `${listed}, ${room} of ${limit} may be refunded now`]]
}

function proposalText({ id, summary, readyAt }: Proposal, now: Date): string {
  const endsAt = new Date(readyAt.getTime() + Number(PROPOSAL_LIFETIME_S) * 1_000)
  if (now > endsAt) return `${summary}: expired at ${endsAt.toISOString()} (${id})`
  if (now < readyAt) return `${summary}: can be executed from ${readyAt.toISOString()} (${id})`
  return `${summary}: can be executed until ${endsAt.toISOString()} (${id})`
}

function changeText({ merchantId, treasury, version, readyAt }: MerchantChange, now: Date): string {
  const what = `merchant ${merchantId} to ${checksumAddress(treasury)}, version ${version}`
  if (readyAt === null) return `${what}: vetoed`
  return now < readyAt
    ? `${what}: can be activated from ${readyAt.toISOString()}`
    : `${what}: can be activated now`
}
