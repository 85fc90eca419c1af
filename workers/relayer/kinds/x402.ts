import { type Log, size } from 'viem'
import { paidAuthorizations, refusedAuthorizations } from '../../../chain/authorization/use.ts'
import { distributeFailures } from '../../../chain/hub/distributions.ts'
import {
  encodeAuthorization,
  encodeSettle,
  encodeSettleWallets,
} from '../../../chain/hub/settlement.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { asX402PaymentId, type MerchantId, type X402PaymentId } from '../../../core/ids.ts'
import { parseSignature } from '../../../core/x402/signature.ts'
import { WALLET_GAS } from '../../../core/x402/terms.ts'
import type { Transaction } from '../../../store/database.ts'
import type { WorkItem } from '../../../store/relayer/workItems.ts'
import { type DueDistribution, noteRefusals, payableWith } from '../../../store/x402/duePayouts.ts'
import { insertPaymentEvents } from '../../../store/x402/events.ts'
import {
  putOff,
  settlesConfirmed,
  settlesMined,
  settlesReopened,
} from '../../../store/x402/settles.ts'
import { readSettles, type SettleRow } from '../../../store/x402/work.ts'
import {
  chainTime,
  failed,
  type ItemOutcome,
  idsOf,
  itemsOfRows,
  NO_LEDGER,
  succeeded,
  unmentioned,
  type WorkKind,
} from './kind.ts'

/** Carrying payers' EIP-3009 authorizations to the token, in batches through the hub. */

/** Chain time that must be left before an authorization expires, for its block to be made, in s. */
const TIME_LEFT = 2n

/** The most bytes of payments in a call: nodes refuse transactions above 128 KiB. */
const CALL_BYTES_MAX = 100_000
/** More than a payment takes besides its signature. */
const PAYMENT_BYTES = 512

/**
 * Payers without code. The hub keeps back 150,000 gas for each of them, while a good one uses 50,000;
 * the rest pays for a distribution per merchant, each of which it gives 350,000.
 */
export const x402Kind: WorkKind = settleKind({ base: 620_000n, perItem: 150_000n }, (batch) => {
  const items = batch.map(({ authorization, merchantId, signature }) => {
    const vrs = parseSignature(signature)
    if (vrs === null) throw new Error('a payment was claimed with a signature that is none')
    return { authorization, merchantId, signature: vrs }
  })
  return {
    alone: () => encodeAuthorization(items[0] ?? missing()),
    together: (token, distributions) => encodeSettle(token, items, distributions),
  }
})

/** Contract wallets, each of which may use all the gas that it is given. */
export const x402WalletKind: WorkKind = settleKind(
  { base: 620_000n, perItem: WALLET_GAS + 150_000n },
  (batch) => ({
    alone: () => encodeAuthorization(batch[0] ?? missing()),
    together: (token, distributions) =>
      encodeSettleWallets(token, batch, WALLET_GAS, distributions),
  }),
)

interface Calls {
  /** The call to the token itself, for one payment that no distribution follows. */
  alone(): Hex
  together(token: Address, distributions: readonly DueDistribution[]): Hex
}

function settleKind(
  gas: WorkKind['gas'],
  encode: (batch: readonly SettleRow[]) => Calls,
): WorkKind {
  return {
    gas,
    isSingleUse: true,
    ...NO_LEDGER,

    async prepare({ client, config, head }, sql, items) {
      const { batch, late, unusable } = await chosen(sql, items, chainTime(head))
      await putOff(sql, late)
      const [first] = batch
      if (first === undefined) return { target: ZERO_ADDRESS, calldata: '0x', items: [], unusable }
      const distributions = await payableWith(
        sql,
        client.chain.networkId,
        first.token,
        arrivingIn(batch),
        config.x402,
        head.number,
      )
      const calls = encode(batch)
      const isAlone = batch.length === 1 && distributions.length === 0
      return {
        target: isAlone ? first.token : first.hub,
        calldata: isAlone ? calls.alone() : calls.together(first.token, distributions),
        items: itemsOfRows(items, batch),
        unusable,
      }
    },

    async resolve(sql, target, items, logs) {
      const rows = await readSettles(sql, idsOf(items))
      const networkId = items[0]?.networkId
      if (networkId) await noteRefusals(sql, networkId, distributeFailures(target, logs))
      return outcomesOf(target, items, rows, logs)
    },

    async mined(sql, done, at) {
      const payments = done.flatMap(({ item, logIndex }) =>
        logIndex === null ? [] : [{ paymentId: paymentOf(item), logIndex }],
      )
      await settlesMined(sql, payments, at)
      return []
    },
    async confirmed(sql, items) {
      const confirmed = await settlesConfirmed(sql, items.map(paymentOf))
      await insertPaymentEvents(sql, 'x402.payment.settled', confirmed)
      return []
    },
    async reopened(sql, items) {
      await settlesReopened(sql, items.map(paymentOf))
      return []
    },
  }
}

/**
 * The payments of one token and hub, in the order of merchants, that still have time enough. Wallets'
 * signatures can be long: those that would make the call too large wait for the next one.
 */
async function chosen(sql: Transaction, items: readonly WorkItem[], time: bigint) {
  const rows = new Map((await readSettles(sql, idsOf(items))).map((row) => [row.itemId, row]))
  const batch: SettleRow[] = []
  let bytes = 0
  const late: bigint[] = []
  const unusable: { item: WorkItem; reason: string }[] = []
  for (const item of items) {
    const row = rows.get(item.id)
    const [first = row] = batch
    if (row?.status !== 'pending') {
      unusable.push({ item, reason: `its payment is ${row?.status ?? 'missing'}, not pending` })
    } else if (row.authorization.validBefore <= time + TIME_LEFT) late.push(item.id)
    else if (
      first?.token === row.token &&
      first.hub === row.hub &&
      bytes + bytesOf(row) <= CALL_BYTES_MAX
    ) {
      batch.push(row)
      bytes += bytesOf(row)
    }
  }
  // The hub looks a merchant's forwarder up once for all payments that follow each other.
  batch.sort((a, b) => a.merchantId.localeCompare(b.merchantId))
  return { batch, late, unusable }
}

function bytesOf({ signature }: SettleRow): number {
  return PAYMENT_BYTES + size(signature)
}

/** What a batch brings to each merchant's forwarder. */
function arrivingIn(batch: readonly SettleRow[]): Map<MerchantId, bigint> {
  const arriving = new Map<MerchantId, bigint>()
  for (const { merchantId, authorization } of batch) {
    arriving.set(merchantId, (arriving.get(merchantId) ?? 0n) + authorization.value)
  }
  return arriving
}

/** A payment is done if the token says so: AuthorizationUsed, and right after it the exact transfer. */
function outcomesOf(
  target: Address,
  items: readonly WorkItem[],
  rows: readonly SettleRow[],
  logs: readonly Log[],
): ItemOutcome[] {
  const byId = new Map(rows.map((row) => [row.itemId, row]))
  const token = rows[0]?.token ?? target
  const paid = new Map(paidAuthorizations(token, logs).map((p) => [`${p.payer} ${p.nonce}`, p]))
  const refused = new Map(
    refusedAuthorizations(target, logs).map((r) => [`${r.payer} ${r.nonce}`, r.error]),
  )
  return items.map((item) => {
    const authorization = byId.get(item.id)?.authorization
    const key = authorization ? `${authorization.from} ${authorization.nonce}` : ''
    const transfer = paid.get(key)
    const isExact = transfer?.to === authorization?.to && transfer?.value === authorization?.value
    if (transfer && isExact) return succeeded(item, transfer.logIndex)
    const error = refused.get(key)
    return error === undefined ? unmentioned(item, 'payment') : failed(item, error)
  })
}

function missing(): never {
  throw new Error('a batch has no payment')
}

function paymentOf({ id, payload }: WorkItem): X402PaymentId {
  if (typeof payload === 'object' && payload !== null && 'paymentId' in payload) {
    return asX402PaymentId(String(payload.paymentId))
  }
  throw new Error(`work item ${id} names no payment`)
}
