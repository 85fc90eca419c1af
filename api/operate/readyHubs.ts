import { durationText } from '../../core/base/duration.ts'
import { formatAmount } from '../../core/base/money.ts'
import { checksumAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { type Chain, tokensOf } from '../../core/chain/registry.ts'
import type { Environment } from '../../core/chain/table.ts'
import { isNearLimit } from '../../core/hub/limits.ts'
import { type HubStop, PROPOSAL_LIFETIME_S, type Proposal } from '../../core/hub/state.ts'
import type { HubPart } from '../../core/hub/stops.ts'
import type { SystemHealth } from '../../store/books/health.ts'
import type { HubReport } from '../../store/hub/hubGovernance.ts'
import type { EntryAlarm } from '../../store/hub/registryEntries.ts'

/**
 * Warnings about a chain's hubs. Never problems: payments are still accepted, pending work continues
 * automatically, and most of it is a decision of the owner. Failing the readiness check would make the API
 * unavailable for nothing.
 */

/** Workers read hubs every minute. */
const LOOK_STALE_MS = 10 * 60_000

const KIND_OF: Readonly<Record<HubPart, string>> = {
  sweeps: 'sweep',
  distributions: 'distribute',
  refunds: 'refund',
  registry: 'configure',
}
const WORDS: Readonly<Record<HubPart, string>> = {
  sweeps: 'sweeps are',
  distributions: 'distributions are',
  refunds: 'refunds are',
  registry: 'registry entries are',
}

/** Assesses the hubs of a chain by the workers' last reads. */
export function hubWarnings(
  health: Pick<SystemHealth, 'hubs' | 'hubWaiting' | 'entryAlarms'>,
  chain: Chain,
  environment: Environment,
  now: Date,
): string[] {
  const ofHubs = health.hubs
    .filter(({ networkId }) => networkId === chain.networkId)
    .flatMap((hub) => [
      ...readWarnings(hub, now),
      ...hub.stopped.map((stop) => stopWarning(hub, stop, health.hubWaiting, now)),
      ...limitWarnings(hub, chain),
      ...hub.proposals.flatMap((proposal) => proposalWarning(proposal, now)),
      ...offerWarnings(hub),
      ...changeWarnings(hub, now),
      ...hub.differences.map((difference) => `${difference}: see \`bun run remit hub status\``),
      ...(environment === 'live' ? guardWarnings(hub) : []),
    ])
  const ofEntries = health.entryAlarms
    .filter(({ networkId }) => networkId === chain.networkId)
    .flatMap(entryWarnings)
  return [...ofHubs, ...ofEntries].map((warning) => `${chain.networkId}: ${warning}`)
}

/** A registry entry that this ledger did not request is a mistake, or was made with a stolen key. */
function entryWarnings({ type, merchantId, version, treasury }: EntryAlarm): string[] {
  const what = `version ${version} of merchant ${merchantId}'s registry entry, ${checksumAddress(treasury)},`
  switch (type) {
    case 'foreign_entry':
      return [
        `${what} is active but was not requested here: nothing is paid by it; unless another deployment uses the key of registry entries, it is stolen (docs/security.md)`,
      ]
    case 'foreign_change':
      return [
        `${what} is pending but was not requested here: run \`bun run remit hub veto ${merchantId}\`; unless another deployment uses the key of registry entries, it is stolen (docs/security.md)`,
      ]
    case 'vetoed':
      // A worker's read of the hub shows it at once; these rows wait for confirmations.
      return []
    default:
      return type satisfies never
  }
}

function readWarnings({ hub, seenAt }: HubReport, now: Date): string[] {
  const ageMs = now.getTime() - seenAt.getTime()
  if (ageMs <= LOOK_STALE_MS) return []
  return [`the hub ${hub} was last read ${seconds(ageMs)} s ago (see the worker's log)`]
}

function stopWarning(
  hub: HubReport,
  { part, since, stoppedBy }: HubStop,
  waiting: SystemHealth['hubWaiting'],
  now: Date,
): string {
  const count = waiting
    .filter(({ networkId, wait }) => networkId === hub.networkId && wait === 'stopped')
    .filter(({ kind }) => kind === KIND_OF[part])
    .reduce((total, one) => total + one.count, 0)
  const by = stoppedBy === null ? '' : ` by ${whoIs(hub, stoppedBy)}`
  const age = seconds(now.getTime() - since.getTime())
  const left = count === 0 ? '' : `, ${count} work items are pending`
  return `${WORDS[part]} stopped on the hub${by} for ${age} s${left}: the owner can resume it with \`bun run remit hub resume ${part}\``
}

function whoIs({ guardian, owner }: HubReport, account: HubReport['owner']): string {
  const address = checksumAddress(account)
  if (account === guardian) return `the guardian ${address}`
  return account === owner ? `the owner ${address}` : address
}

function limitWarnings(hub: HubReport, chain: Chain): string[] {
  return hub.tokens.flatMap((one) => {
    const token = tokensOf(chain).find(({ address }) => address === one.token)
    if (token === undefined) return []
    const { refundLimit, refundRoom, isListed } = one
    // Tokens that were added to the registry later are offered once they are listed.
    const isRequired = chain.tokens.some((t) => t.address === one.token && !t.isOptional)
    const unlisted = `the hub does not list ${token.symbol}: it refuses to sweep and distribute it`
    const warnings = isRequired && !isListed ? [unlisted] : []
    if (refundLimit === null || refundRoom === null || !isNearLimit(one)) return warnings
    const [room, limit] = [refundRoom, refundLimit].map((a) => formatAmount(a, token.decimals))
    return [
      ...warnings,
      `${room} of ${limit} ${token.symbol} are left of the hub's refund limit for 24 hours: refunds above it wait, or need the owner's approval`,
    ]
  })
}

/** An expired proposal is not reported. */
function proposalWarning({ id, summary, readyAt }: Proposal, now: Date): string[] {
  const left = readyAt.getTime() - now.getTime()
  if (left < -Number(PROPOSAL_LIFETIME_S) * 1_000) return []
  const when = left > 0 ? `can be executed in ${seconds(left)} s` : 'can be executed now'
  return [
    `the owner of the hub has proposed "${summary}", which ${when}: if this is unexpected, run \`bun run remit hub veto ${id}\``,
  ]
}

function offerWarnings({ pendingOwner }: HubReport): string[] {
  if (pendingOwner === ZERO_ADDRESS) return []
  return [`the hub's ownership is offered to ${checksumAddress(pendingOwner)}, who can accept it`]
}

function changeWarnings({ changes }: HubReport, now: Date): string[] {
  return changes.map(({ merchantId, treasury, readyAt }) => {
    const what = `another treasury of merchant ${merchantId}, ${checksumAddress(treasury)},`
    if (readyAt === null) {
      return `${what} was vetoed: if the merchant wanted it, set the recipient again`
    }
    const left = readyAt.getTime() - now.getTime()
    const when = left > 0 ? `can become active in ${seconds(left)} s` : 'can become active now'
    return `${what} ${when}, and until then nothing is paid to it: if this is unexpected, run \`bun run remit hub veto ${merchantId}\``
  })
}

/** Missing limits for the thief of a key. */
function guardWarnings(hub: HubReport): string[] {
  const warnings: string[] = []
  if (hub.ownerDelay === 0n || hub.configDelay === 0n) {
    const [owner, config] = [hub.ownerDelay, hub.configDelay].map(durationText)
    warnings.push(
      `the hub's delays are ${owner} for the owner and ${config} for treasuries: one stolen key can take everything at once`,
    )
  }
  if (hub.guardian === ZERO_ADDRESS) warnings.push('the hub has no guardian that could pause it')
  const unlimited = hub.tokens.filter(({ refundLimit }) => refundLimit === null)
  if (unlimited.length > 0) {
    warnings.push(
      'the hub refunds without a limit: a stolen refund key can take everything at once',
    )
  }
  return warnings
}

function seconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1_000))
}
