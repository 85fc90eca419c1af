import { iso } from '../../../core/base/instant.ts'
import { formatAmount } from '../../../core/base/money.ts'
import { TOKENS } from '../../../core/chain/tokens.ts'
import { networkState } from '../../../core/dashboard/networkState.ts'
import { presentBalance } from '../../../core/invoice/balance.ts'
import { presentRecovery } from '../../../core/invoice/recovery.ts'
import { presentDay } from '../../../core/invoice/report.ts'
import { presentPayoutDay, presentWaitingPayout } from '../../../core/x402/payout.ts'
import {
  brokenEndpoints,
  countInvoices,
  failedRefunds,
  overpaidInvoices,
} from '../../../store/dashboard/attention.ts'
import { readBalances } from '../../../store/invoice/balances.ts'
import { reportDays } from '../../../store/invoice/list/movements.ts'
import { listRecoveries } from '../../../store/invoice/recoveries.ts'
import { settleTimes } from '../../../store/invoice/settlements.ts'
import { withOffers } from '../../../store/refund/offers.ts'
import { payoutDays, waitingPayouts } from '../../../store/x402/distributions.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { one } from '../../request/responses.ts'
import { text } from '../../request/schema.ts'
import type { OwnDependencies } from './dependencies.ts'

/** GET /v1/overview: a merchant's status and what needs attention, in one response. */

const DAY_MS = 86_400_000
const DAYS = 30
const RECENT_DAYS = 7
const HELD_SHOWN = 6

export const overviewRoute = route<'merchant', undefined, undefined, undefined, OwnDependencies>({
  operation: 'GET /v1/overview',
  access: 'merchant',
  summary: 'Overview',
  description: `Sums of the last ${DAYS} days (UTC), held money, failures, and the networks.`,
  operationId: 'getOverview',
  successes: { 200: one('The overview.', text('All of it.', '{}')) },
  handle: async (deps, { exchange, caller: { merchantId, recipient } }) =>
    sendObject(exchange, 200, await readOverview(deps, merchantId, recipient)),
})

/** Reads daily sums and ends of indexes only, so it takes no longer for merchants with many invoices. */
async function readOverview(
  deps: OwnDependencies,
  merchantId: Parameters<typeof readBalances>[1],
  recipient: string | null,
) {
  const now = deps.now()
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const range = { from: new Date(today - (DAYS - 1) * DAY_MS), to: new Date(today + DAY_MS) }
  const recently = new Date(today - RECENT_DAYS * DAY_MS)
  const heldPage = { limit: HELD_SHOWN, cursor: { side: 'after', keys: null } } as const
  const [
    days,
    balances,
    held,
    open,
    refunds,
    overpaid,
    endpoints,
    payouts,
    waiting,
    times,
    networks,
  ] = await guardDatabase(deps, (sql) =>
    Promise.all([
      reportDays(sql, merchantId, range),
      readBalances(sql, merchantId),
      listRecoveries(sql, merchantId, heldPage, now),
      countInvoices(sql, merchantId, range.from),
      failedRefunds(sql, merchantId, recently),
      overpaidInvoices(sql, merchantId, recently),
      brokenEndpoints(sql, merchantId),
      payoutDays(sql, merchantId, range),
      waitingPayouts(sql, merchantId),
      settleTimes(sql, merchantId),
      readNetworks(deps, now),
    ]),
  )
  const { chains, registry } = deps.config
  const offered = await guardDatabase(deps, (sql) =>
    withOffers(sql, held.elements, { chains, now, isByMember: true }),
  )
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    hasRecipient: recipient !== null,
    days: days.map((day) => presentDay(day, registry)),
    balances: balances.map((balance) => presentBalance(balance, registry)),
    held: offered.map(({ recovery, offers }) => presentRecovery(recovery, registry, offers)),
    hasMoreHeld: held.next !== null,
    open,
    failedRefunds: refunds.map((refund) => ({
      ...refund,
      createdAt: refund.createdAt.toISOString(),
    })),
    overpaid: overpaid.map(({ excess, paidAt, ...invoice }) => ({
      ...invoice,
      amount: formatAmount(excess, TOKENS[invoice.tokenSymbol].decimals),
      paidAt: paidAt.toISOString(),
    })),
    brokenEndpoints: endpoints.map(({ since, ...endpoint }) => ({
      ...endpoint,
      since: since.toISOString(),
    })),
    x402: {
      days: payouts.map((day) => presentPayoutDay(day, registry)),
      waiting: waiting.map((each) => presentWaitingPayout(each, registry)),
    },
    settleTimes: times.map(({ invoiceId, invoiceRef, seconds }) => ({
      invoiceId,
      invoiceRef,
      seconds,
    })),
    networks,
  }
}

async function readNetworks(deps: OwnDependencies, now: Date) {
  // An unknown network status must not hide the balances.
  const { chains } = await deps.readHealth().catch((err) => {
    deps.log.warn({ err }, 'the overview could not read the status of the networks')
    return { chains: [] }
  })
  return deps.config.chains.map(({ networkId, name, blockTimeMs }) => {
    const followed = chains.find((chain) => chain.networkId === networkId)
    return {
      id: networkId,
      name,
      state: networkState(followed ? { ...followed, blockTimeMs } : null, now),
      /** The block up to which all payments are booked. */
      block: followed ? Number(followed.projectedBlock) : null,
      seenAt: iso(followed?.headSeenAt ?? null),
    }
  })
}
