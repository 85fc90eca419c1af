import type { Log } from 'viem'
import { hubEvents } from '../../../chain/hub/contract.ts'
import { explainRevert } from '../../../chain/hub/errors.ts'
import { encodeSweep } from '../../../chain/hub/sweeps.ts'
import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import type { SettlementId } from '../../../core/ids.ts'
import type { Transaction } from '../../../store/database.ts'
import {
  readSweeps,
  type SweepRow,
  settlementsConfirmed,
  settlementsFailed,
  settlementsMined,
  settlementsReopened,
} from '../../../store/invoice/sweeps.ts'
import type { WorkItem } from '../../../store/relayer/workItems.ts'
import {
  type Evidence,
  type ItemOutcome,
  idsOf,
  itemsOfRows,
  unmentioned,
  type WorkKind,
} from './kind.ts'

/** Sweeps move an exact amount out of a deposit, to the merchant and once to the fee collector. */
export const sweepKind: WorkKind = {
  // The hub insists on 300,000 gas before it starts an item; a good one uses about 100,000.
  gas: { base: 360_000n, perItem: 150_000n },
  isSingleUse: false,

  async prepare(_context, sql, items) {
    const rows = await readSweeps(sql, idsOf(items))
    const open = rows.filter((row) => row.status === 'open')
    // A deposit belongs to the hub that was in force when its invoice was made.
    const target = open[0]?.hub ?? ZERO_ADDRESS
    const chosen = open.filter((row) => row.hub === target)
    const byId = new Map(rows.map((row) => [row.itemId, row]))
    return {
      target,
      calldata: encodeSweep(chosen.map((row) => ({ ...row, version: row.registryVersion }))),
      items: itemsOfRows(items, chosen),
      unusable: items.flatMap((item) => {
        const status = byId.get(item.id)?.status
        if (status === 'open') return []
        return [{ item, reason: `its settlement is ${status ?? 'missing'}, not open` }]
      }),
    }
  },

  async resolve(sql, target, items, logs) {
    const outcomes = outcomesByDeposit(target, logs)
    const rows = await readSweeps(sql, idsOf(items))
    const byId = new Map(rows.map((row) => [row.itemId, row]))
    return items.map((item) => {
      const row = byId.get(item.id)
      // Rounds of one deposit in one batch were carried out in the order of their items.
      const outcome = row && outcomes.get(depositKey(row.deposit, row.token))?.shift()
      return outcome ? { item, ...outcome } : unmentioned(item, 'sweep')
    })
  },

  async evidence({ database, sweepsByOthers }, target, items, block) {
    const rows = await readSweeps(database, idsOf(items))
    const found = await sweepsByOthers.find(target, rows, block)
    if (found === null) return null
    return found.flatMap(({ row, event }): Evidence[] => {
      const item = items.find(({ id }) => id === row.itemId)
      if (item === undefined) return []
      const feeOwed = row.amount - event.remitted - event.fee
      return [{ item, at: event, result: resultOf({ ...event, feeOwed }) }]
    })
  },

  async mined(sql, done, at) {
    return settlementsMined(
      sql,
      await settlementIds(
        sql,
        done.map(({ item }) => item),
      ),
      at,
    )
  },

  async confirmed(sql, items) {
    const rows = await readSweeps(sql, idsOf(items))
    return settlementsConfirmed(
      sql,
      rows.map((row) => ({ id: row.settlementId, feeOwed: feeOwedIn(row.result) })),
    )
  },

  async reopened(sql, items) {
    return settlementsReopened(sql, await settlementIds(sql, items))
  },

  async failed(sql, failures) {
    const rows = await readSweeps(sql, idsOf(failures.map(({ item }) => item)))
    const reasons = new Map(failures.map(({ item, reason }) => [item.id, reason]))
    return settlementsFailed(
      sql,
      rows.map((row) => ({ id: row.settlementId, error: reasons.get(row.itemId) ?? 'failed' })),
    )
  },
}

/** The outcomes of sweeps by deposit and token, in the order of a receipt's logs. */
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
      // The hub logs an owed fee right before the sweep that it belongs to.
      const feeOwed = owed.get(key) ?? 0n
      owed.delete(key)
      list.push({ ok: true, logIndex, result: resultOf({ ...event.args, feeOwed }) })
    }
  }
  return outcomes
}

function resultOf(swept: {
  readonly remitted: bigint
  readonly fee: bigint
  readonly feeOwed: bigint
}): ItemOutcome['result'] {
  return { remitted: `${swept.remitted}`, fee: `${swept.fee}`, feeOwed: `${swept.feeOwed}` }
}

function depositKey(deposit: string, token: string): string {
  return `${deposit.toLowerCase()} ${token.toLowerCase()}`
}

function feeOwedIn(result: unknown): bigint {
  if (typeof result !== 'object' || result === null || !('feeOwed' in result)) return 0n
  return BigInt(String(result.feeOwed))
}

async function settlementIds(
  sql: Transaction,
  items: readonly WorkItem[],
): Promise<SettlementId[]> {
  return (await readSweeps(sql, idsOf(items))).map((row) => row.settlementId)
}
