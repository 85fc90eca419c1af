import type { MerchantId } from '../../core/base/ids.ts'
import type { Chain } from '../../core/chain/registry.ts'
import { readEndpointRevenue } from '../../store/books/endpointRevenue.ts'
import { HUB_EVENT_KINDS, readHubEvents } from '../../store/books/hubEvents.ts'
import { readMovements } from '../../store/books/movements.ts'
import { readTopPayers } from '../../store/books/payers.ts'
import type { ReadScope } from '../../store/books/readScope.ts'
import { readSettleTimes } from '../../store/books/settleTimes.ts'
import { readVolume } from '../../store/books/volume.ts'
import {
  type Arguments,
  readAfter,
  readChain,
  readChoice,
  readDays,
  readEndpoint,
  readFirst,
  readMerchant,
  wrong,
} from './graphqlArguments.ts'
import {
  presentEndpointRevenue,
  presentHubEvent,
  presentMovements,
  presentSettleTime,
  presentTopPayers,
  presentVolume,
} from './presentAnalytics.ts'

/** Resolvers of Query's fields: each reads its arguments and runs one statement. */

/** The context of a query. */
export interface QueryContext {
  readonly scope: ReadScope
  /** The chains of this deployment, with their tokens. */
  readonly chains: readonly Chain[]
}

/** Maximum rows of sums in one response. */
const MOST_SUMS = 2_000
const YEAR = 366
const QUARTER = 92
const MONTH = 31
const MOST_PAYERS = 100
const MOST_ITEMS = 100
const PERIODS = ['DAY', 'MONTH', 'TOTAL'] as const
const PAYMENT_KINDS = ['INVOICE', 'X402'] as const
const MOVEMENT_KINDS = ['PAYMENT', 'SETTLEMENT', 'REFUND', 'PAYOUT'] as const

export const FIELDS = {
  async volume(args: Arguments, context: QueryContext) {
    const byMerchant = args.byMerchant === true
    const narrowing = narrowingOf(args, context)
    const isOfAll = byMerchant && narrowing.merchantId === null
    const rows = await readVolume(context.scope, {
      ...narrowing,
      days: readDays(args, isOfAll ? QUARTER : YEAR),
      period: readChoice(args.per, PERIODS),
      byMerchant,
      limit: MOST_SUMS + 1,
    })
    return all(rows).map((row) => presentVolume(row, context.chains))
  },

  async endpointRevenue(args: Arguments, context: QueryContext) {
    const rows = await readEndpointRevenue(context.scope, {
      ...narrowingOf(args, context),
      days: readDays(args, YEAR),
      period: readChoice(args.per, PERIODS),
      endpointId: readEndpoint(args),
      limit: MOST_SUMS + 1,
    })
    return all(rows).map((row) => presentEndpointRevenue(row, context.chains))
  },

  async topPayers(args: Arguments, context: QueryContext) {
    const rows = await readTopPayers(context.scope, {
      ...narrowingOf(args, context),
      days: readDays(args, QUARTER),
      kind: readChoice(args.kind, PAYMENT_KINDS),
      limit: readFirst(args, MOST_PAYERS),
    })
    return presentTopPayers(rows, context.chains)
  },

  async settleTimes(args: Arguments, context: QueryContext) {
    const days = readDays(args, QUARTER)
    const rows = await readSettleTimes(context.scope, { ...narrowingOf(args, context), days })
    return rows.map(presentSettleTime)
  },

  async movements(args: Arguments, context: QueryContext) {
    const page = await readMovements(context.scope, {
      ...narrowingOf(args, context),
      kind: readChoice(args.kind, MOVEMENT_KINDS),
      days: readDays(args, YEAR),
      limit: readFirst(args, MOST_ITEMS),
      cursor: readAfter(args),
      networks: context.chains,
    })
    return presentMovements(page, context.chains)
  },

  async hubEvents(args: Arguments, context: QueryContext) {
    const { scope, chains } = context
    if (scope.merchantId !== null) wrong('hubEvents', 'is for the operator only: use movements')
    const { kind } = args
    const rows = await readHubEvents(scope, {
      days: readDays(args, MONTH),
      chain: readChain(args, chains) ?? wrong('chain', 'must be a chain of this deployment'),
      kind: typeof kind === 'string' ? readChoice(kind.toLowerCase(), HUB_EVENT_KINDS) : null,
      isBooked: typeof args.booked === 'boolean' ? args.booked : null,
      limit: readFirst(args, MOST_ITEMS),
    })
    return rows.map((row) => presentHubEvent(row, chains))
  },
}

/** Filters by merchant and chain. */
function narrowingOf(args: Arguments, { scope, chains }: QueryContext) {
  const merchantId: MerchantId | null = readMerchant(args, scope.merchantId)
  return { merchantId, networkId: readChain(args, chains)?.networkId ?? null }
}

/** All rows: truncated sums would mislead. */
function all<T>(rows: readonly T[]): readonly T[] {
  if (rows.length <= MOST_SUMS) return rows
  return wrong('from', `would return more than ${MOST_SUMS} rows: request fewer days or one chain`)
}
