import { hubEvents } from '../../../chain/hub/contract.ts'
import { explainRevert } from '../../../chain/hub/errors.ts'
import { encodeRefund, type RefundCall, signRefund } from '../../../chain/hub/refunds.ts'
import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import type { RefundId } from '../../../core/ids.ts'
import { REFUND_LIFETIME_S, refundKey } from '../../../core/invoice/refund.ts'
import type { Transaction } from '../../../store/database.ts'
import {
  type RefundOrderRow,
  readRefundOrders,
  refundsConfirmed,
  refundsMined,
  refundsReopened,
  saveDeadline,
} from '../../../store/refund/work.ts'
import { endItems, type WorkItem } from '../../../store/relayer/workItems.ts'
import { carriedOut } from '../../evidence/refunds.ts'
import {
  chainTime,
  type Evidence,
  failed,
  idsOf,
  itemsOfRows,
  itemsWithoutRow,
  type KindContext,
  succeeded,
  unmentioned,
  type WorkKind,
} from './kind.ts'

/**
 * Refunds are signed when they are assigned, each for a deadline that is stored with it and never moves:
 * whatever becomes of a transaction, the same order and no other may go out again. That an item has
 * ended says nothing about the refund, because anybody may carry a signed order; only the chain's
 * leader lets a refund fail, when its time is over and the hub has not spent it.
 */
export const refundKind: WorkKind = {
  // The hub gives an item 350,000 gas at most, and insists on having them before it starts one. Most use
  // half of that, but code of a listed token or of a receiver must not be able to starve the others.
  gas: { base: 420_000n, perItem: 375_000n },
  isSingleUse: false,

  async prepare(context, sql, items) {
    const rows = await readRefundOrders(sql, idsOf(items))
    const time = chainTime(context.head)
    const over = rows.filter((row) => isOver(row, time))
    await endOver(sql, over)
    const open = rows.filter((row) => !isOver(row, time))
    const target = open[0]?.hub ?? ZERO_ADDRESS
    const chosen = open.filter((row) => row.hub === target)
    const deadline = time + REFUND_LIFETIME_S
    await saveDeadline(
      sql,
      chosen.map((row) => row.refundId),
      deadline,
    )
    const calls = await Promise.all(chosen.map((row) => signed(context, row, deadline)))
    return {
      target,
      calldata: encodeRefund(calls),
      items: itemsOfRows(items, chosen),
      unusable: itemsWithoutRow(items, rows, 'its refund is missing'),
    }
  },

  async resolve(sql, target, items, logs) {
    const rows = await readRefundOrders(sql, idsOf(items))
    const keys = new Map(rows.map((row) => [row.itemId, refundKey(row.refundId)]))
    const events = hubEvents(target, logs)
    return items.map((item) => {
      const key = keys.get(item.id)
      for (const event of events) {
        const { eventName, logIndex } = event
        if (eventName !== 'Refunded' && eventName !== 'RefundFailed') continue
        if (event.args.refundId !== key) continue
        if (eventName === 'Refunded') return succeeded(item, logIndex)
        return failed(item, explainRevert(event.args.reason), logIndex)
      }
      return unmentioned(item, 'refund')
    })
  },

  async evidence({ database, client }, _target, items, block) {
    const rows = await readRefundOrders(database, idsOf(items))
    const found: Evidence[] = []
    for (const row of rows) {
      const item = items.find(({ id }) => id === row.itemId)
      const at = item && (await carriedOut(database, client, row, block))
      if (at) found.push({ item, at, result: {} })
    }
    return found
  },

  async mined(sql, done, at) {
    const items = done.map(({ item }) => item)
    return refundsMined(sql, await refundIds(sql, items), at)
  },
  async confirmed(sql, items, { config }) {
    return refundsConfirmed(sql, await refundIds(sql, items), config.registry)
  },
  async reopened(sql, items) {
    return refundsReopened(sql, await refundIds(sql, items))
  },
  failed: async () => [],
}

async function signed(
  { config, client }: KindContext,
  row: RefundOrderRow,
  deadline: bigint,
): Promise<RefundCall> {
  const { token, to, amount } = row
  const order = {
    refundId: refundKey(row.refundId),
    source: row.deposit,
    token,
    to,
    amount,
    deadline: row.deadline ?? deadline,
  }
  const { chainId } = client.chain
  const signature = await signRefund(config.refundSignerKey, row.hub, chainId, order)
  return { ...row, order, signature }
}

/** Decided already, by whomever, or past the last second at which the hub would take it. */
function isOver({ status, deadline }: RefundOrderRow, time: bigint): boolean {
  return status !== 'open' || (deadline !== null && deadline <= time)
}

/** There is nothing to send for these; the leader finds out whether anybody carried them in time. */
async function endOver(sql: Transaction, rows: readonly RefundOrderRow[]): Promise<void> {
  if (rows.length === 0) return
  const items = rows.map((row) => row.itemId)
  await endItems(sql, items, 'failed', 'its time ran out before it was sent again')
}

async function refundIds(sql: Transaction, items: readonly WorkItem[]): Promise<RefundId[]> {
  return (await readRefundOrders(sql, idsOf(items))).map((row) => row.refundId)
}
