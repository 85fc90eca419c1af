import type { ActiveChain } from '../../core/config/chains.ts'
import type { SystemHealth } from '../../store/books/health.ts'
import type { AlarmKind } from '../../store/turns/alarms.ts'
import { ageInSeconds, type Readiness } from './readiness.ts'

/** Overdue work of a chain, and alarms of its workers. */

/** The number of refunds on hold that are listed. */
const REFUNDS_SHOWN = 10
/** Work is sent within seconds, unless there is no key, gas or node. */
const OLD_WORK_MS = 10 * 60_000
/** A settle takes seconds: a payment this old is stuck. */
const OLD_PAYMENT_MS = 120_000

export function workWarnings(
  health: SystemHealth,
  { networkId }: ActiveChain,
  now: Date,
): string[] {
  const old = health.pendingPayments
    .filter((pending) => pending.networkId === networkId)
    .filter(({ oldestAt }) => now.getTime() - oldestAt.getTime() > OLD_PAYMENT_MS)
    .map(({ count, oldestAt }) => {
      const age = ageInSeconds(oldestAt, now)
      return `${networkId}: ${count} x402 payments are pending, the oldest for ${age} s: see \`bun run remit payments list --status pending\``
    })
  const reviews = health.reviews
    .filter((review) => review.networkId === networkId)
    .map(
      ({ kind, count }) =>
        `${networkId}: ${count} ${kind} work items need review: see \`bun run remit work list\``,
    )
  const queued = health.oldestWork
    .filter((work) => work.networkId === networkId)
    .filter(({ dueAt }) => now.getTime() - dueAt.getTime() > OLD_WORK_MS)
    .map(({ kind, dueAt }) => {
      const age = ageInSeconds(dueAt, now)
      return `${networkId}: ${kind} work has been due for ${age} s and is not sent`
    })
  return [...old, ...queued, ...reviews]
}

/** Alarms of workers. The errors are in their logs and in `remit work list`, not here. */
export function assessAlarms(
  health: SystemHealth,
  { networkId }: ActiveChain,
  now: Date,
): Readiness {
  const ours = health.alarms.filter((alarm) => alarm.networkId === networkId)
  const of = (kind: AlarmKind) => ours.filter((alarm) => alarm.kind === kind)
  const subjects = (kind: AlarmKind) => [...new Set(of(kind).map(({ subject }) => subject))]
  const quarantined = of('aside')
  const oldest = quarantined.map(({ since }) => since.getTime()).sort((a, b) => a - b)[0]
  const quarantinedForS = oldest === undefined ? 0 : ageInSeconds(new Date(oldest), now)
  return {
    problems: [
      ...subjects('turn').map(
        (loop) => `${networkId}: the turns of the ${loop} fail (see the worker's log)`,
      ),
      ...subjects('signer').map(
        (address) =>
          `${networkId}: the key store of ${address} does not sign, so its work is pending (see the worker's log)`,
      ),
    ],
    warnings: [
      ...(quarantined.length === 0
        ? []
        : [
            `${networkId}: ${quarantined.length} transactions, work items or invoices are quarantined, the oldest for ${quarantinedForS} s: see \`bun run remit work list\``,
          ]),
      ...subjects('operator').map(
        (address) =>
          `${networkId}: relayer ${address} is no operator of the hub: see \`bun run remit relayer add --help\``,
      ),
      ...subjects('fee_ceiling').map(
        (subject) =>
          `${networkId}: the network's fee is above the nodes' limit for a transaction (${subject}): pending transactions are sent when fees fall`,
      ),
      ...subjects('nonce').map(
        (subject) =>
          `${networkId}: an account nonce was used, but no node returns the transaction (${subject})`,
      ),
      ...subjects('refused').map(
        (subject) =>
          `${networkId}: nodes repeatedly refuse ${subject}: see \`bun run remit work list\``,
      ),
      ...of('refund_waits')
        .slice(0, REFUNDS_SHOWN)
        .map(({ detail }) => `${networkId}: ${detail}`),
    ],
  }
}
