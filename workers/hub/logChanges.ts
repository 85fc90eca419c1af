import type { Logger } from 'pino'
import { formatAmount } from '../../core/base/money.ts'
import { type Chain, tokensOf } from '../../core/chain/registry.ts'
import { isNearLimit } from '../../core/hub/limits.ts'
import type { HubToken } from '../../core/hub/state.ts'
import type { HubGovernance } from '../../store/hub/hubGovernance.ts'

/** What has changed between two reads of a hub, for the log. */

export interface Looks {
  /** Null at the first read, when every difference is new. */
  readonly before: HubGovernance | null
  readonly now: HubGovernance
  readonly tokensBefore: readonly HubToken[]
  readonly tokens: readonly HubToken[]
}

export function logChanges(log: Logger, chain: Chain, looks: Looks): void {
  logStops(log, looks)
  logProposals(log, looks)
  logMerchantChanges(log, looks)
  logLimits(log, chain, looks)
  for (const difference of looks.now.differences) {
    if (looks.before?.differences.includes(difference)) continue
    log.error({ reason: difference }, 'a role on the hub is not as configured')
  }
}

function logStops(log: Logger, { before, now }: Looks): void {
  const stopped = new Set(before?.stopped.map(({ part }) => part))
  for (const { part, since, stoppedBy } of now.stopped) {
    if (!stopped.delete(part)) log.warn({ part, since, stoppedBy }, 'the hub is stopped')
  }
  for (const part of stopped) log.info({ part }, 'the hub has resumed')
}

function logProposals(log: Logger, { before, now }: Looks): void {
  const known = new Map(before?.proposals.map((one) => [one.id, one]))
  for (const { id, summary, readyAt } of now.proposals) {
    const isKnown = known.get(id)?.readyAt.getTime() === readyAt.getTime()
    if (!isKnown) log.warn({ id, note: summary, readyAt }, 'the owner of the hub has proposed')
    known.delete(id)
  }
  for (const { id, summary } of known.values()) {
    log.warn({ id, note: summary }, 'a proposal for the hub was carried out or vetoed')
  }
}

function logMerchantChanges(log: Logger, { before, now }: Looks): void {
  const known = new Map(before?.changes.map((one) => [one.merchantId, one]))
  for (const { merchantId, treasury, version, readyAt } of now.changes) {
    const earlier = known.get(merchantId)
    const isSame = earlier?.version === version && (earlier.readyAt === null) === (readyAt === null)
    if (isSame) continue
    const text =
      readyAt === null
        ? 'the change of a merchant was vetoed'
        : 'another treasury of a merchant waits for its delay'
    log.warn({ merchantId, treasury, version, readyAt }, text)
  }
}

function logLimits(log: Logger, chain: Chain, { tokensBefore, tokens }: Looks): void {
  const near = new Set(tokensBefore.filter(isNearLimit).map(({ token }) => token))
  for (const one of tokens.filter(isNearLimit)) {
    if (near.has(one.token)) continue
    const known = tokensOf(chain).find(({ address }) => address === one.token)
    if (known === undefined || one.refundLimit === null || one.refundRoom === null) continue
    const [limit, room] = [one.refundLimit, one.refundRoom].map((amount) =>
      formatAmount(amount, known.decimals),
    )
    log.warn({ token: known.symbol, limit, room }, 'the limit of refunds is nearly used')
  }
}
