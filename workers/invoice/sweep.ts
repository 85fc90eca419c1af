import type { Log } from 'viem'
import { hubEvents } from '../../chain/hub/contract.ts'
import { readDepositState } from '../../chain/hub/deposits.ts'
import { errorNameIn } from '../../chain/hub/errors.ts'
import { encodeSweep } from '../../chain/hub/sweeps.ts'
import type { View } from '../../chain/rpc/view.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { batchGas } from '../../core/chain/gas.ts'
import type { FoundDeposit } from '../../core/invoice/depositBooks.ts'
import { isReplanned } from '../../core/invoice/retries.ts'
import type { Settlement } from '../../core/invoice/state.ts'
import { requestEntryReads } from '../../store/hub/registryEntries.ts'
import { readSweeps, roundsBeside, SWEEPS, type SweepRow } from '../../store/invoice/sweeps.ts'
import { advance, type Given, invoicesOf } from '../../store/relayer/transition.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'
import { foreignEntryItems, stoppedItems } from '../relayer/hubWaits.ts'
import {
  type Evidence,
  type ItemFailure,
  type ItemOutcome,
  idsOf,
  itemsOfRows,
  type KindContext,
  limitOf,
  type WorkKind,
} from '../relayer/kind.ts'
import { refusalOf, unmentioned, waitOf } from '../relayer/outcomes.ts'
import { SweepsByOthers } from './sweepsByOthers.ts'

/** Sweeps move an exact amount out of a deposit, to the merchant and once to the fee collector. */
export const sweepKind: WorkKind = {
  gas: ({ sweep }) => batchGas(sweep.item),
  isSingleUse: false,

  async outflows(sql, items) {
    const rows = await readSweeps(sql, idsOf(items))
    return rows.map(({ itemId, token, deposit: from, amount }) => ({ itemId, token, from, amount }))
  },

  async prepare({ client, gas }, sql, items) {
    const rows = await readSweeps(sql, idsOf(items))
    const { networkId } = client.chain
    const due = rows.filter((row) => row.status === 'open')
    const stopped = await stoppedItems(sql, networkId, 'sweeps', due)
    const waiting = [...foreignEntryItems(due), ...stopped]
    const isWaiting = new Set(waiting.map(({ itemId }) => itemId))
    // A refund on its way changes what stays in the deposit, and may deploy it: then it is time to send this.
    const open = due.filter((row) => !isWaiting.has(row.itemId) && !row.isRefunding)
    // A deposit belongs to the hub that was active when its invoice was created.
    const target = open[0]?.hub ?? ZERO_ADDRESS
    const chosen = open.filter((row) => row.hub === target)
    const byId = new Map(rows.map((row) => [row.itemId, row]))
    const calls = chosen.map((row) => ({ ...row, version: row.registryVersion }))
    return {
      target,
      calldata: encodeSweep(calls, gas),
      gasLimit: limitOf(sweepKind.gas(gas), calls),
      items: itemsOfRows(items, chosen),
      unusable: items.flatMap((item) => {
        const status = byId.get(item.id)?.status
        if (status === 'open') return []
        return [{ item, reason: `its settlement is ${status ?? 'missing'}, not open` }]
      }),
      waiting,
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

  async evidence(context, target, items, view) {
    const { database, client, searches } = context
    const byOthers = new SweepsByOthers(database, client, searches)
    const rows = await readSweeps(database, idsOf(items))
    const { found, open } = await byOthers.find(target, rows, view)
    const evidence = found.flatMap(({ row, event }): Evidence[] => {
      const item = items.find(({ id }) => id === row.itemId)
      if (item === undefined) return []
      const feeOwed = row.amount - event.remitted - event.fee
      return [{ item, at: event, result: resultOf({ ...event, feeOwed }) }]
    })
    const isDone = new Set(evidence.map(({ item }) => item.id))
    const left = items.filter((item) => {
      return !isDone.has(item.id) && !open.has(item.id) && waitOf(item) === null
    })
    const deposits = await depositsOf(context, target, itemRows(rows, left), view)
    return { found: evidence, open, deposits }
  },

  ledger: () => SWEEPS,

  /** The leader sees by which entry they are to pay now. */
  async waiting(sql, items, block) {
    const rows = await readSweeps(sql, idsOf(items))
    for (const item of items) {
      const row = rows.find(({ itemId }) => itemId === item.id)
      if (row === undefined || waitOf(item)?.wait !== 'merchant_change') continue
      const { networkId } = item
      await requestEntryReads(sql, { networkId, hub: row.hub }, [row.merchantId], block)
    }
  },

  async failed(sql, failures) {
    const rows = await readSweeps(sql, idsOf(failures.map(({ item }) => item)))
    const rounds = await roundsBeside(
      sql,
      rows.map(({ settlementId }) => settlementId),
    )
    const given = rows.map((row) => {
      const failure = failures.find(({ item }) => item.id === row.itemId)
      return sweepFailure(row, failure, rounds)
    })
    return invoicesOf(await advance(sql, SWEEPS, 'failed', given))
  },
}

/** How a sweep that moved nothing ends: it has failed, or it is planned again with fresh figures. */
function sweepFailure(
  { settlementId: id, invoiceId }: SweepRow,
  failure: ItemFailure | undefined,
  rounds: readonly Settlement[],
): Given {
  const reason = failure?.reason ?? 'failed'
  const ended = rounds.find((round) => round.id === id)
  const found = failure?.deposit
  if (failure === undefined || ended === undefined || found === undefined) return { id, reason }
  const ofInvoice = rounds.filter((round) => round.invoiceId === invoiceId)
  const refusal = { error: refusalIn(failure.item.result), isDeployed: found.isDeployed }
  const details = {
    replanned: isReplanned(ofInvoice, ended, refusal),
    deployed: found.isDeployed,
    block: found.block.toString(),
    feeLeft: found.feeLeft.toString(),
  }
  return { id, reason, details }
}

/** What the view shows of the deposits of sweeps that moved nothing, by their items. */
async function depositsOf(
  { client }: KindContext,
  hub: Address,
  rows: readonly SweepRow[],
  view: View,
): Promise<ReadonlyMap<bigint, FoundDeposit>> {
  const reads = rows.map(async ({ itemId, deposit }) => {
    return [itemId, await readDepositState(client.rpc, hub, deposit, view)] as const
  })
  return new Map(await Promise.all(reads))
}

function itemRows(rows: readonly SweepRow[], items: readonly WorkItem[]): SweepRow[] {
  const ids = new Set(idsOf(items))
  return rows.filter(({ itemId }) => ids.has(itemId))
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
      list.push({ ok: false, logIndex, result: sweepRefusal(event.args.reason) })
    } else {
      // The hub logs an owed fee right before the sweep that it belongs to.
      const feeOwed = owed.get(key) ?? 0n
      owed.delete(key)
      list.push({ ok: true, logIndex, result: resultOf({ ...event.args, feeOwed }) })
    }
  }
  return outcomes
}

/** The deposit is not as the sweep's plan has it: the hub's errors for that. */
const OUTDATED: readonly string[] = ['DepositLeavesLess', 'FeeNotAvailable']

function sweepRefusal(reason: Hex): ItemOutcome['result'] {
  const name = errorNameIn(reason)
  const refusal = refusalOf(reason)
  return name !== null && OUTDATED.includes(name) ? { ...refusal, outdated: name } : refusal
}

function refusalIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('outdated' in result)) return null
  return String(result.outdated)
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
