import type { Log } from 'viem'
import { hubEvents } from '../../../chain/hub/contract.ts'
import { explainRevert } from '../../../chain/hub/errors.ts'
import { encodeSweep } from '../../../chain/hub/sweeps.ts'
import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import type { SettlementId } from '../../../core/ids.ts'
import {
  readSweeps,
  type SweepRow,
  settlementsConfirmed,
  settlementsFailed,
  settlementsMined,
  settlementsReopened,
} from '../../../store/invoice/sweeps.ts'
import type { WorkItem } from '../../../store/relayer/workItems.ts'
import { sweptByOthers } from '../../evidence/sweeps.ts'
import type { Evidence, ItemOutcome, WorkKind } from './kind.ts'

/** Sweeps move an exact amount out of a deposit, to the merchant and once to the fee collector. */
export const sweepKind: WorkKind = {
  // The hub insists on 300,000 gas before it starts an item; a good one uses about 100,000.
  gas: { base: 360_000n, perItem: 150_000n },
  isSingleUse: false,

  async prepare(_context, sql, items) {
    const rows = await readSweeps(sql, ids(items))
    const open = rows.filter((row) => row.status === 'open')
    // A deposit belongs to the hub that was in force when its invoice was made.
    const target = open[0]?.hub ?? ZERO_ADDRESS
    const chosen = open.filter((row) => row.hub === target)
    const byId = new Map(rows.map((row) => [row.itemId, row]))
    const isChosen = new Set(chosen.map((row) => row.itemId))
    return {
      target,
      calldata: encodeSweep(
        chosen.map((row) => ({
          merchantId: row.merchantId,
          invoiceId: row.invoiceId,
          recipient: row.ownRecipient,
          feeCap: row.feeCap,
          token: row.token,
          amount: row.amount,
          fee: row.fee,
          version: row.registryVersion,
        })),
      ),
      items: items.filter((item) => isChosen.has(item.id)),
      unusable: items.flatMap((item) => {
        const status = byId.get(item.id)?.status
        if (status === 'open') return []
        return [{ item, reason: `its settlement is ${status ?? 'missing'}, not open` }]
      }),
    }
  },

  async resolve(sql, target, items, logs) {
    const told = outcomesByDeposit(target, logs)
    const rows = await readSweeps(sql, ids(items))
    const byId = new Map(rows.map((row) => [row.itemId, row]))
    return items.map((item): ItemOutcome => {
      const row = byId.get(item.id)
      // Rounds of one deposit in one batch were carried out in the order of their items.
      const outcome = row && told.get(depositKey(row.deposit, row.token))?.shift()
      if (outcome) return { item, ...outcome }
      const error = 'the transaction succeeded and says nothing about this sweep'
      return { item, ok: false, logIndex: null, result: { error } }
    })
  },

  async evidence(context, target, items, block) {
    const sweeps = await sweptByOthers(
      context,
      target,
      await readSweeps(context.database, ids(items)),
      block,
    )
    if (sweeps === null) return null
    return sweeps.flatMap(({ row, event }): Evidence[] => {
      const item = items.find(({ id }) => id === row.itemId)
      if (item === undefined) return []
      const feeOwed = row.amount - event.remitted - event.fee
      const result = { remitted: `${event.remitted}`, fee: `${event.fee}`, feeOwed: `${feeOwed}` }
      return [{ item, at: event, result }]
    })
  },

  async mined(sql, done, at) {
    const rows = await readSweeps(sql, ids(done.map(({ item }) => item)))
    return settlementsMined(sql, settlementIds(rows), at)
  },

  async confirmed(sql, items) {
    const rows = await readSweeps(sql, ids(items))
    return settlementsConfirmed(
      sql,
      rows.map((row) => ({ id: row.settlementId, feeOwed: feeOwedIn(row.result) })),
    )
  },

  async reopened(sql, items) {
    return settlementsReopened(sql, settlementIds(await readSweeps(sql, ids(items))))
  },

  async failed(sql, failures) {
    const rows = await readSweeps(sql, ids(failures.map(({ item }) => item)))
    const reasons = new Map(failures.map(({ item, reason }) => [item.id, reason]))
    return settlementsFailed(
      sql,
      rows.map((row) => ({ id: row.settlementId, error: reasons.get(row.itemId) ?? 'failed' })),
    )
  },
}

/** What a receipt says about the sweeps of each deposit and token, in the order of its logs. */
function outcomesByDeposit(
  hub: SweepRow['hub'],
  logs: readonly Log[],
): Map<string, Omit<ItemOutcome, 'item'>[]> {
  const outcomes = new Map<string, Omit<ItemOutcome, 'item'>[]>()
  const owed = new Map<string, bigint>()
  for (const event of hubEvents(hub, logs)) {
    const { eventName, logIndex } = event
    if (eventName !== 'FeeOwed' && eventName !== 'SweepFailed' && eventName !== 'Swept') continue
    const key = depositKey(event.args.deposit, event.args.token)
    const list = outcomes.get(key) ?? []
    outcomes.set(key, list)
    if (eventName === 'FeeOwed') owed.set(key, event.args.amount)
    else if (eventName === 'SweepFailed') {
      list.push({ ok: false, logIndex, result: { error: explainRevert(event.args.reason) } })
    } else {
      const { remitted, fee } = event.args
      // The hub tells of an owed fee right before the sweep that it belongs to.
      const feeOwed = owed.get(key) ?? 0n
      owed.delete(key)
      const result = { remitted: `${remitted}`, fee: `${fee}`, feeOwed: `${feeOwed}` }
      list.push({ ok: true, logIndex, result })
    }
  }
  return outcomes
}

function depositKey(deposit: string, token: string): string {
  return `${deposit.toLowerCase()} ${token.toLowerCase()}`
}

function feeOwedIn(result: unknown): bigint {
  if (typeof result !== 'object' || result === null || !('feeOwed' in result)) return 0n
  return BigInt(String(result.feeOwed))
}

function ids(items: readonly WorkItem[]): bigint[] {
  return items.map((item) => item.id)
}

function settlementIds(rows: readonly SweepRow[]): SettlementId[] {
  return rows.map((row) => row.settlementId)
}
