import { formatEther } from 'viem'
import type { SystemHealth } from '../../store/books/health.ts'
import type { Books } from '../../store/books/money.ts'
import type { Workload } from '../../store/books/workload.ts'
import { ageText, orDash, printable, table } from '../terminal/output.ts'

/** The screen of `remit top`, as text for a terminal. */

export interface Seen {
  readonly health: SystemHealth
  readonly load: Workload
  readonly books: Books
  readonly now: Date
}

/** Maximum alarms, so that everything fits on the screen. */
const REPORTS_SHOWN = 12

export function screenOf(seen: Seen): string {
  const { health, load, now } = seen
  if (health.pendingMigrations.length > 0) {
    return 'The schema is not up to date: run `bun run remit migrate`.'
  }
  const waits =
    health.waitingSince === null ? 'none pending' : `oldest ${since(health.waitingSince, now)}`
  const due = load.deliveryDueAt === null ? '' : `, first due ${dueIn(load.deliveryDueAt, now)}`
  return [
    `remit top  ${now.toISOString()}`,
    `events     ${load.events} pending (${waits})`,
    `webhooks   ${load.deliveries} pending${due}`,
    '',
    chains(seen),
    '',
    relayers(seen),
    '',
    work(seen),
    '',
    reports(seen),
  ].join('\n')
}

function chains({ health, now }: Seen): string {
  const pendingOn = (networkId: string) =>
    health.pendingPayments.find((one) => one.networkId === networkId)
  return table(
    health.chains,
    [
      { title: 'CHAIN', cell: ({ networkId }) => networkId },
      { title: 'HEAD', cell: ({ head }) => head.toString(), isFigure: true },
      {
        title: 'BLOCK',
        cell: ({ movedAt }) => (movedAt ? since(movedAt, now) : '-'),
        isFigure: true,
      },
      {
        title: 'WORKER',
        cell: ({ headSeenAt }) => (headSeenAt ? since(headSeenAt, now) : 'never'),
        isFigure: true,
      },
      {
        title: 'NOT READ',
        cell: ({ head, projectedBlock }) =>
          (head > projectedBlock ? head - projectedBlock : 0n).toString(),
        isFigure: true,
      },
      {
        title: 'X402 OPEN',
        cell: ({ networkId }) => String(pendingOn(networkId)?.count ?? 0),
        isFigure: true,
      },
      { title: 'NODE', cell: ({ hasRpcError }) => (hasRpcError ? 'fails' : 'responds') },
    ],
    'No worker has followed a chain yet.',
  )
}

function relayers({ health, books }: Seen): string {
  const openOf = (networkId: string, address: string) =>
    books.nonces.find((one) => one.networkId === networkId && one.address === address)
  return table(
    health.relayerKeys,
    [
      { title: 'RELAYER', cell: ({ address }) => address },
      { title: 'CHAIN', cell: ({ networkId }) => networkId },
      {
        title: 'STATUS',
        cell: ({ status, isLeased }) => (isLeased ? status : `${status}, unused`),
      },
      {
        title: 'BALANCE',
        cell: ({ balance }) => (balance === null ? '-' : Number(formatEther(balance)).toFixed(4)),
        isFigure: true,
      },
      { title: 'NONCE', cell: ({ nextNonce }) => nextNonce.toString(), isFigure: true },
      {
        title: 'OPEN',
        cell: ({ networkId, address }) => String(openOf(networkId, address)?.open ?? 0),
        isFigure: true,
      },
      {
        title: 'GAP',
        cell: ({ networkId, address }) => String(openOf(networkId, address)?.gap ?? 0),
        isFigure: true,
      },
    ],
    'No relayer has been used yet.',
  )
}

function work({ health, load, now }: Seen): string {
  const waiting = health.hubWaiting.map(({ networkId, kind, wait, count }) => ({
    networkId,
    kind,
    state: `waiting: ${wait}`,
    count,
    oldestAt: null,
  }))
  return table(
    [...load.work, ...waiting],
    [
      { title: 'WORK', cell: ({ kind }) => kind },
      { title: 'CHAIN', cell: ({ networkId }) => networkId },
      { title: 'STATE', cell: ({ state }) => state },
      { title: 'COUNT', cell: ({ count }) => String(count), isFigure: true },
      {
        title: 'OLDEST',
        cell: ({ oldestAt }) => orDash(oldestAt && since(oldestAt, now)),
        isFigure: true,
      },
    ],
    'No work is open.',
  )
}

function reports({ health, now }: Seen): string {
  if (health.alarms.length === 0) return 'No alarms.'
  const shown = health.alarms.slice(0, REPORTS_SHOWN)
  const more = health.alarms.length - shown.length
  const lines = shown.map(({ networkId, kind, subject, detail, since: at }) =>
    printable(`${networkId}  ${kind} for ${since(at, now)}: ${subject}: ${detail}`),
  )
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function since(at: Date, now: Date): string {
  return ageText(now.getTime() - at.getTime())
}

function dueIn(at: Date, now: Date): string {
  return at > now ? `in ${ageText(at.getTime() - now.getTime())}` : `${since(at, now)} ago`
}
