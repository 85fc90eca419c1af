import type { Log } from 'viem'
import { paidAuthorizations, refusedAuthorizations } from '../../chain/x402/authorizationUse.ts'
import {
  encodeAuthorization,
  encodeSettle,
  encodeSettleWallets,
} from '../../chain/x402/settlement.ts'
import { asX402PaymentId, type MerchantId } from '../../core/base/ids.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import {
  type ChainGas,
  distributionsBeside,
  distributionsGas,
  type PaymentsGas,
  paymentsGas,
  WALLET_DEPLOYMENT_GAS,
  walletPaymentsGas,
} from '../../core/chain/gas.ts'
import { parseSignature } from '../../core/x402/signature.ts'
import { stoppedHubs } from '../../store/hub/hubStates.ts'
import { advance, type Ledger } from '../../store/relayer/transition.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'
import { type DueDistribution, payableWith } from '../../store/x402/duePayouts.ts'
import { notifyAfterwards } from '../../store/x402/outcomes.ts'
import { AUTHORIZATIONS, PAYMENTS, postpone } from '../../store/x402/settles.ts'
import { endPauses, lockDueWallets, noteCodePayers } from '../../store/x402/wallets.ts'
import { readSettles, type SettleRow } from '../../store/x402/work.ts'
import {
  chainTime,
  type ItemOutcome,
  idsOf,
  itemsOfRows,
  subjectOf,
  type WorkKind,
} from '../relayer/kind.ts'
import { failed, succeeded, unmentioned } from '../relayer/outcomes.ts'
import { chosen, UNTIL_VALID_S } from './choosePayments.ts'
import { judgeAuthorizations } from './decide.ts'
import { afterDeployment, reporterOf } from './deployments.ts'
import { noteFailures } from './distribute.ts'
import { encodePermitBatch, gasFor, permitOutcome, permitsIn } from './permits.ts'

/** Carrying what payers have signed to the token, by EIP-3009 or by Permit2, in batches through the hub. */

/** How long payments that have too little time left wait for the sweep of expired payments, in s. */
const UNTIL_EXPIRED_S = 3_600

const plainCalls = settleKind(paymentsGas, (batch, gas) => {
  const items = batch.map(({ authorization, signature }) => {
    const vrs = parseSignature(signature)
    if (vrs === null) throw new Error('a payment was claimed with a signature that is none')
    return { authorization, signature: vrs }
  })
  return {
    alone: () => encodeAuthorization(items[0] ?? missing()),
    together: (token, distributions) => encodeSettle(token, items, distributions, gas),
  }
})

/** Payers without code. */
export const x402Kind: WorkKind = { ...plainCalls, batching: ({ x402 }) => x402 }

/**
 * Contract wallets, each of which may use all the gas that it is given. They always go through the hub,
 * which gives each as much as it had in its trial: a single one would else have all of its transaction's.
 */
const walletCalls = settleKind(walletPaymentsGas, (batch, gas) => ({
  alone: null,
  together: (token, distributions) => encodeSettleWallets(token, batch, distributions, gas),
}))

export const x402WalletKind: WorkKind = {
  ...walletCalls,
  lockDue: lockDueWallets,
  async mined(sql, done) {
    await endPauses(
      sql,
      done.map(({ item }) => asX402PaymentId(subjectOf(item))),
    )
  },
}

interface Calls {
  /** The call to the token itself, for one payment that no distribution follows; null for none. */
  readonly alone: (() => Hex) | null
  together(token: Address, distributions: readonly DueDistribution[]): Hex
}

function settleKind(
  payments: (figures: ChainGas) => PaymentsGas,
  encode: (batch: readonly SettleRow[], gas: ChainGas) => Calls,
): WorkKind {
  return {
    /**
     * For one merchant, and with one distribution, so that those of a full batch are paid out by and by.
     * A batch for more merchants has fewer payments.
     */
    gas(figures) {
      const { base, perItem, perMerchant } = payments(figures)
      return { base: base + perMerchant + distributionsGas(figures, 1), perItem }
    },
    isSingleUse: true,

    async prepare({ client, config, head, gas, room }, sql, items) {
      const most = room - distributionsGas(gas, 1)
      const gasOf = (first: SettleRow, count: number, payees: number) =>
        limitOf(gasFor(payments, gas, first), count, payees) +
        (first.deployment ? WALLET_DEPLOYMENT_GAS : 0n)
      const terms = {
        time: chainTime(head),
        now: BigInt(Math.floor(Date.now() / 1000)),
        factories: client.chain.walletFactories,
        fits: (first: SettleRow, count: number, payees: number) =>
          gasOf(first, count, payees) <= most,
      }
      const { batch, payees, late, early, unusable } = await chosen(sql, items, terms)
      await postpone(sql, late, UNTIL_EXPIRED_S)
      await postpone(sql, early, UNTIL_VALID_S)
      const [first] = batch
      if (first === undefined) {
        return { target: ZERO_ADDRESS, calldata: '0x', gasLimit: 0n, items: [], unusable }
      }
      const used = gasOf(first, batch.length, payees)
      if (first.permit !== null) {
        return {
          target: first.permit.hub,
          calldata: encodePermitBatch(batch, gas),
          gasLimit: used,
          items: itemsOfRows(items, batch),
          unusable,
        }
      }
      const { networkId } = client.chain
      const stopped = await stoppedHubs(sql, networkId, 'distributions')
      // The hub pays out for operators, and Multicall3 is none: the next transaction does it.
      const distributions =
        stopped.has(first.hub) || first.deployment !== null
          ? []
          : await payableWith(
              sql,
              networkId,
              first.token,
              receivedIn(batch),
              config.x402,
              head.number,
              distributionsBeside(gas, used, room),
            )
      const calls = encode(batch, gas)
      const alone = batch.length === 1 && distributions.length === 0 ? calls.alone : null
      const call =
        alone === null
          ? { target: first.hub, calldata: calls.together(first.token, distributions) }
          : { target: first.token, calldata: alone() }
      return {
        ...(first.deployment === null ? call : afterDeployment(first.deployment, call)),
        gasLimit: used + distributionsGas(gas, distributions.length),
        items: itemsOfRows(items, batch),
        unusable,
      }
    },

    async resolve(sql, called, items, logs) {
      const rows = await readSettles(sql, idsOf(items))
      const target = reporterOf(called, rows[0]?.hub)
      const networkId = items[0]?.networkId
      if (networkId === undefined) return []
      await noteFailures(sql, networkId, target, logs)
      // At once, so that nothing more of such a payer goes out with plain payments.
      const refused = refusedAuthorizations(target, logs)
      const payers = refused.flatMap(({ payer, hasCode }) => (hasCode ? [payer] : []))
      await noteCodePayers(sql, networkId, payers)
      return outcomesOf(target, items, rows, logs)
    },

    judge: judgeAuthorizations,
    ledger: ledgerOf,
    async failed(sql, failures) {
      for (const [ledger, some] of Map.groupBy(failures, ({ item }) => ledgerOf(item))) {
        const given = some.map(({ item, reason }) => ({ id: subjectOf(item), reason }))
        await advance(sql, ledger, 'failed', given)
      }
      return []
    },
    async announce(database, done) {
      await notifyAfterwards(
        database,
        done.map(({ item }) => subjectOf(item)),
      )
    },
  }
}

/** The gas limit of so many payments to so many payees, without distributions. */
function limitOf(
  { base, perItem, perMerchant }: PaymentsGas,
  count: number,
  payees: number,
): bigint {
  return base + perItem * BigInt(count) + perMerchant * BigInt(payees)
}

/** What a batch brings to each merchant's forwarder; to its own address it brings nothing to pay out. */
function receivedIn(batch: readonly SettleRow[]): Map<MerchantId, bigint> {
  const received = new Map<MerchantId, bigint>()
  for (const { merchantId, amount, isDirect } of batch) {
    if (isDirect) continue
    received.set(merchantId, (received.get(merchantId) ?? 0n) + amount)
  }
  return received
}

/** A payment is done by the token's events: AuthorizationUsed, and right after it the exact transfer. */
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
    refusedAuthorizations(target, logs).map((r) => [`${r.payer} ${r.nonce}`, r]),
  )
  const isByPermit = rows.some(({ permit }) => permit !== null)
  const permits = permitsIn(target, isByPermit ? logs : [])
  return items.map((item) => {
    const row = byId.get(item.id)
    if (row?.permit) return permitOutcome(item, row, row.permit, permits)
    const authorization = row?.authorization
    const key = authorization ? `${authorization.from} ${authorization.nonce}` : ''
    const transfer = paid.get(key)
    const isExact = transfer?.to === authorization?.to && transfer?.value === authorization?.value
    if (transfer && isExact) return succeeded(item, transfer.logIndex)
    const refusal = refused.get(key)
    if (refusal === undefined) return unmentioned(item, 'payment')
    const { error, hasCode } = refusal
    if (!hasCode) return failed(item, error)
    return { item, ok: false, logIndex: null, result: { error, refused: 'payer_has_code' } }
  })
}

function ledgerOf({ payload }: WorkItem): Ledger {
  const paysInvoice = typeof payload === 'object' && payload !== null && 'invoiceId' in payload
  return paysInvoice ? AUTHORIZATIONS : PAYMENTS
}

function missing(): never {
  throw new Error('a batch has no payment')
}
