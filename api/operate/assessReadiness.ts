import type { ApiConfig } from '../../core/config/api.ts'
import type { SystemHealth } from '../../store/books/health.ts'
import { ageInSeconds, type Readiness, STALE_AFTER_MS } from './readiness.ts'
import { indexerProblems, nodeWarnings, workerProblems } from './readyChains.ts'
import { channelWarnings } from './readyChannels.ts'
import { hubWarnings } from './readyHubs.ts'
import { assessRelayers, paceWarnings, strangersTo } from './readyRelayers.ts'
import { assessAlarms, workWarnings } from './readyWork.ts'

/** A screening service responds within seconds. */
const OLD_SCREENING_MS = 60_000

/** Assesses all dependencies of invoices. */
export function assessReadiness(health: SystemHealth, config: ApiConfig, now: Date): Readiness {
  const missing = health.pendingMigrations
  if (missing.length > 0) {
    const names = missing.join(', ')
    return {
      problems: [`the database lacks migrations (${names}): run \`bun run remit migrate\``],
      warnings: [],
    }
  }
  if (health.lackingRights.length > 0) return { problems: health.lackingRights, warnings: [] }
  const problems = notifierProblems(health, now)
  const warnings: string[] = [...config.warnings]
  if (health.isOverprivileged) {
    warnings.push(
      'the API connects to the database with the rights of a worker or of the owner: give it a role of its own, see `bun run remit database roles --help`',
    )
  }
  for (const chain of config.chains) {
    problems.push(...indexerProblems(health, chain), ...workerProblems(health, chain, now))
    const keys = health.relayerKeys.filter((key) => key.networkId === chain.networkId)
    const relayers = assessRelayers(keys, chain, config.lowBalanceWei, strangersTo(health, chain))
    warnings.push(...paceWarnings(health, keys, chain))
    problems.push(...relayers.problems)
    warnings.push(...relayers.warnings, ...workWarnings(health, chain, now))
    warnings.push(...nodeWarnings(health, chain, now))
    const alarms = assessAlarms(health, chain, now)
    problems.push(...alarms.problems)
    warnings.push(...alarms.warnings)
    warnings.push(...channelWarnings(health, chain.networkId, now))
    warnings.push(...hubWarnings(health, chain, config.environment, now))
  }
  warnings.push(...screeningWarnings(health, now))
  return { problems, warnings }
}

function notifierProblems({ waitingSince }: SystemHealth, now: Date): string[] {
  if (waitingSince === null) return []
  const age = now.getTime() - waitingSince.getTime()
  if (age <= STALE_AFTER_MS) return []
  const seconds = Math.round(age / 1000)
  return [
    `webhooks: the oldest pending event is ${seconds} s old; is \`bun run worker\` (or \`bun run worker --notifier\`) running?`,
  ]
}

/** Payers without a screening result, or on hold. */
function screeningWarnings({ screening }: SystemHealth, now: Date): string[] {
  const { held, unanswered, oldestAt } = screening
  const isLate = oldestAt !== null && now.getTime() - oldestAt.getTime() > OLD_SCREENING_MS
  return [
    ...(isLate
      ? [
          `screening: ${unanswered} payers have no result yet, the first for ${ageInSeconds(oldestAt, now)} s: is SCREENING_URL set for the workers, and does it respond? See \`bun run remit screening list\``,
        ]
      : []),
    ...(held > 0
      ? [
          `screening: the money of ${held} payers is held and awaits a decision: see \`bun run remit screening list\``,
        ]
      : []),
  ]
}
