import type { SystemHealth } from '../../store/books/health.ts'
import type { Workload } from '../../store/books/workload.ts'
import { secondsOf } from '../process/figures.ts'
import type { Gauges } from '../process/gauges.ts'

/** What waits, and for how long. Ages are times, so that they grow between two scrapes as well. */
export function workFigures(gauges: Gauges): (load: Workload) => void {
  const items = gauges.add('remit_work_items', 'Open work of relayers.', ['chain', 'kind', 'state'])
  const oldest = gauges.add(
    'remit_work_oldest_timestamp_seconds',
    'Since when the oldest of them could be sent, was sent, or needs review.',
    ['chain', 'kind', 'state'],
  )
  const deliveries = gauges.add(
    'remit_webhook_deliveries_pending',
    'Deliveries of webhooks that are still to be made, or to be tried again.',
  )
  const due = gauges.add(
    'remit_webhook_delivery_due_timestamp_seconds',
    'When the first of them is or was due; absent while there is none.',
  )
  const events = gauges.add('remit_outbox_events', 'Events that no notifier has taken yet.')
  return (load) => {
    for (const { networkId, kind, state, count, oldestAt } of load.work) {
      const labels = { chain: networkId, kind, state }
      items(count, labels)
      oldest(secondsOf(oldestAt), labels)
    }
    deliveries(load.deliveries)
    if (load.deliveryDueAt) due(secondsOf(load.deliveryDueAt))
    events(load.events)
  }
}

/** Alarms of workers and hubs, and payments that are not decided. */
export function trouble(gauges: Gauges): (health: SystemHealth) => void {
  const alarms = gauges.add('remit_worker_alarms', 'Alarms that workers report, by kind.', [
    'chain',
    'kind',
  ])
  const waiting = gauges.add(
    'remit_outbox_oldest_timestamp_seconds',
    'When the oldest event was written that no notifier has taken; absent while none waits.',
  )
  const payments = gauges.add(
    'remit_x402_payments_pending',
    'x402 payments that are not decided yet.',
    ['chain'],
  )
  const oldest = gauges.add(
    'remit_x402_payment_oldest_timestamp_seconds',
    'When the oldest of them was claimed.',
    ['chain'],
  )
  const stops = gauges.add(
    'remit_hub_stopped',
    'Parts of a hub that its guardian has stopped: 1.',
    ['chain', 'part'],
  )
  const waits = gauges.add(
    'remit_hub_work_waiting',
    'Work that its hub would refuse now, by why.',
    ['chain', 'kind', 'reason'],
  )
  const proposals = gauges.add('remit_hub_proposals', "Proposals of a hub's owner that wait.", [
    'chain',
  ])
  const payers = gauges.add(
    'remit_screening_payers',
    'Payers whose money waits: held by the service, refused by an operator, or without an answer.',
    ['state'],
  )
  const unanswered = gauges.add(
    'remit_screening_oldest_timestamp_seconds',
    'Since when the first of those without an answer waits; absent while there is none.',
  )
  const withdrawals = gauges.add(
    'remit_x402_channel_withdrawals',
    'Channels whose payers withdraw before what is charged of them is claimed, by who can claim it.',
    ['chain', 'claimed_by'],
  )
  const soonest = gauges.add(
    'remit_x402_channel_withdrawal_timestamp_seconds',
    'When the first of these withdrawals can be ended.',
    ['chain', 'claimed_by'],
  )
  return (health) => {
    const { screening } = health
    for (const { networkId, claimedBy, count, soonestAt } of health.channelWithdrawals) {
      const labels = { chain: networkId, claimed_by: claimedBy }
      withdrawals(count, labels)
      soonest(secondsOf(soonestAt), labels)
    }
    payers(screening.held, { state: 'held' })
    payers(screening.refused, { state: 'refused' })
    payers(screening.unanswered, { state: 'unanswered' })
    if (screening.oldestAt) unanswered(secondsOf(screening.oldestAt))
    const reported = Map.groupBy(health.alarms, ({ networkId, kind }) => `${networkId} ${kind}`)
    for (const ofKind of reported.values()) {
      const [first] = ofKind
      if (first) alarms(ofKind.length, { chain: first.networkId, kind: first.kind })
    }
    if (health.waitingSince) waiting(secondsOf(health.waitingSince))
    for (const { networkId, count, oldestAt } of health.pendingPayments) {
      payments(count, { chain: networkId })
      oldest(secondsOf(oldestAt), { chain: networkId })
    }
    for (const { networkId, kind, wait, count } of health.hubWaiting) {
      waits(count, { chain: networkId, kind, reason: wait })
    }
    for (const { networkId, stopped, proposals: waitingOnes } of health.hubs) {
      for (const { part } of stopped) stops(1, { chain: networkId, part })
      proposals(waitingOnes.length, { chain: networkId })
    }
  }
}
