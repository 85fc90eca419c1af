import { encodeTogether, factoryIn } from '../../chain/channels/calls.ts'
import type { View } from '../../chain/rpc/view.ts'
import {
  CHANNEL_CALL_BYTES_MAX,
  CHANNEL_GAS,
  channelActionsGas,
} from '../../core/channels/action.ts'
import { CHANNELS, MULTICALL } from '../../core/channels/channel.ts'
import {
  ACTIONS,
  type ActionWork,
  lockDueActions,
  readActionWork,
} from '../../store/channels/work.ts'
import { advance } from '../../store/relayer/transition.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'
import { postpone } from '../../store/x402/settles.ts'
import { pauseWallet } from '../../store/x402/wallets.ts'
import {
  chainTime,
  type Evidence,
  type Findings,
  type ItemOutcome,
  idsOf,
  itemsOfRows,
  itemsWithoutRow,
  type KindContext,
  type WorkKind,
} from '../relayer/kind.ts'
import { failed, succeeded, unmentioned } from '../relayer/outcomes.ts'
import { assessChannelGas } from './gas.ts'
import { actionsShown, doneIn, type ShownAction } from './shownActions.ts'

/**
 * Requested actions of x402's channels: deposits, claims, payouts and refunds, of many channels and merchants in
 * one transaction. Anyone may make these calls, so they go through Multicall3, where one that fails
 * stops no other, but for the gas that all of them share. The contract's events alone show what was done.
 */

/** Chain time that must be left before a deposit's authorization expires, in s. */
const TIME_LEFT = 2n
/** How long deposits that have too little time left wait for the leader, who ends them, in s. */
const UNTIL_EXPIRED_S = 3_600

export const channelKind: WorkKind = {
  gas: () => ({ base: channelActionsGas([]), perItem: BigInt(CHANNEL_GAS.deposit) }),
  isSingleUse: false,
  isAwaited: true,
  batching: ({ x402 }) => x402,
  lockDue: lockDueActions,

  async prepare({ client, head, room }, sql, items) {
    const rows = await readActionWork(sql, idsOf(items))
    // The API has checked the factory's code.
    const factories = client.chain.walletFactories.map(({ address }) => address)
    const isListed = ({ calldata }: ActionWork) => {
      const factory = factoryIn(calldata)
      return factory === null || factories.includes(factory)
    }
    const pending = rows.filter(({ status }) => status === 'pending')
    const open = pending.filter(isListed)
    const time = chainTime(head)
    const isLate = ({ validBefore }: ActionWork) =>
      validBefore !== null && validBefore <= time + TIME_LEFT
    await postpone(
      sql,
      open.filter(isLate).map(({ itemId }) => itemId),
      UNTIL_EXPIRED_S,
    )
    const batch = fitting(
      open.filter((row) => !isLate(row)),
      room,
    )
    const [first] = batch
    // A reverted action goes through Multicall3, which reports its failure without reverting; so does one that
    // may burn its gas at once, so that it has one try.
    const isSafe = (item: WorkItem) => item.tries === 0 && !asksContract(item)
    const isCreating = first !== undefined && factoryIn(first.calldata) !== null
    const isAlone = batch.length === 1 && (isCreating || items.every(isSafe))
    return {
      target: isAlone && !isCreating ? CHANNELS : MULTICALL,
      calldata:
        first === undefined
          ? '0x'
          : isAlone
            ? first.calldata
            : encodeTogether(batch.map(({ calldata }) => calldata)),
      gasLimit: channelActionsGas(batch),
      items: itemsOfRows(items, batch),
      unusable: itemsWithoutRow(
        items,
        open,
        'its action is not pending, or its factory not listed',
      ).filter(
        ({ item }) => !rows.some((row) => row.itemId === item.id && row.status === 'failed'),
      ),
    }
  },

  async resolve(sql, _target, items, logs) {
    const rows = new Map((await readActionWork(sql, idsOf(items))).map((row) => [row.itemId, row]))
    return items.map((item): ItemOutcome => {
      const row = rows.get(item.id)
      if (row === undefined) return failed(item, 'its action is not there')
      const done = doneIn(row, logs)
      if (done === null) return unmentioned(item, row.kind)
      return succeeded(item, done.logIndex, { moved: done.moved.toString() })
    })
  },

  evidence: (context, _target, items, view) => channelEvidence(context, items, view),
  assessGas: assessChannelGas,

  ledger: () => ACTIONS,
  async failed(sql, failures) {
    const rows = await readActionWork(sql, idsOf(failures.map(({ item }) => item)))
    for (const { networkId, payer, itemId } of rows) {
      const failure = failures.find(({ item }) => item.id === itemId)
      const suspect = failure && asksContract(failure.item) ? payer : null
      const burner = failure?.burner ?? suspect
      if (burner === null) continue
      await pauseWallet(sql, { networkId, payer: burner, payerCode: null })
    }
    await advance(
      sql,
      ACTIONS,
      'failed',
      rows.map(({ id, kind }) => ({
        id,
        reason: `invalid_batch_settlement_evm_${kind}_transaction_failed`,
      })),
    )
    return []
  },
}

/** Actions by another sender, or an earlier action of the same vouchers. */
export async function channelEvidence(
  { client, database }: Pick<KindContext, 'client' | 'database'>,
  items: readonly WorkItem[],
  view: View,
): Promise<Findings> {
  const rows = await readActionWork(database, idsOf(items))
  const { done, open } = await actionsShown(database, client, rows, view)
  const found = items.flatMap((item): Evidence[] => {
    const shown = done.get(item.id)
    return shown === undefined ? [] : [evidenceOf(item, shown)]
  })
  return { found, open }
}

export function evidenceOf(item: WorkItem, { at, moved }: ShownAction): Evidence {
  return { item, at, result: { moved: moved.toString() } }
}

/** As many of the first ones as the transaction has gas and bytes for; one alone has what it needs. */
function fitting(rows: readonly ActionWork[], room: bigint): ActionWork[] {
  const batch: ActionWork[] = []
  const taken = new Set<string>()
  let bytes = 0
  for (const row of rows) {
    const subjects = subjectsOf(row)
    // The events of two actions on one channel could not be distinguished.
    if (subjects.some((subject) => taken.has(subject))) continue
    bytes += row.calldata.length / 2
    const exceedsLimit = channelActionsGas([...batch, row]) > room || bytes > CHANNEL_CALL_BYTES_MAX
    if (exceedsLimit && batch.length > 0) break
    for (const subject of subjects) taken.add(subject)
    batch.push(row)
  }
  return batch
}

function subjectsOf({ kind, receiver, token, channels }: ActionWork): string[] {
  if (kind === 'settle') return [`${receiver} ${token}`]
  // A deposit is known by its authorization, and may go with a claim.
  if (kind === 'deposit') return []
  return channels.map(({ channelId }) => channelId)
}

/** Whether a contract verifies a signature, which may burn all the gas that it is given. */
function asksContract({ payload }: WorkItem): boolean {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'asksContract' in payload &&
    payload.asksContract === true
  )
}
