import { type BaseUnits, baseUnits, formatAmount, sum } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import { TOKENS } from '../../../core/chain/tokens.ts'
import { checkLatePayment, checkPartial, feeOfAccepted } from '../../../core/invoice/acceptance.ts'
import { isReplanned } from '../../../core/invoice/retries.ts'
import { feeOfSettled, planSettlement } from '../../../core/invoice/settlement.ts'
import {
  deriveFigures,
  type Invoice,
  keptOf,
  type Payment,
  type PaymentKind,
  type Refund,
  type Settlement,
} from '../../../core/invoice/state.ts'
import { feeOfReceived } from '../../../core/invoice/tolerance.ts'
import { feeLeftAfter } from '../../../core/refund/order.ts'
import { planRefund, type RefundPart } from '../../../core/refund/refund.ts'
import { anInvoice, aPayment, aRefund, aSettlement, NOW, RECIPIENT } from './invoiceRows.ts'

/**
 * One invoice with everything that can happen to its money, the decisions made by the core, and the
 * deposits of both chains by the rules of the hub: it refuses what is not there.
 */

const CHAINS = chainsOf('sandbox')
export const NETWORKS = ['sepolia', 'base-sepolia'] as const
export type Network = (typeof NETWORKS)[number]

/** What the chain knows of one deposit. Amounts in base units. */
export interface Deposit {
  readonly balance: Map<Address, bigint>
  isDeployed: boolean
  /** What the hub would still let be charged once the deposit exists. */
  feeLeft: bigint
  remitted: bigint
  collected: bigint
  refunded: bigint
}

export class MoneyModel {
  invoice: Invoice
  payments: Payment[] = []
  settlements: Settlement[] = []
  refunds: (Refund & { readonly parts: readonly RefundPart[] })[] = []
  private block = 100n
  readonly deposits = new Map<string, Deposit>(NETWORKS.map((id) => [id, newDeposit()]))

  constructor(change: Partial<Invoice> = {}) {
    this.invoice = anInvoice(change)
  }

  tokenOn(network: string, symbol: 'USDC' | 'USDT' = 'USDC'): Address {
    const chain = CHAINS.find(({ networkId }) => networkId === network)
    const token = chain?.tokens.find((entry) => entry.symbol === symbol)
    if (!token) throw new Error(`no ${symbol} on ${network}`)
    return token.address
  }

  deposit(network: string): Deposit {
    const deposit = this.deposits.get(network)
    if (!deposit) throw new Error(`no deposit on ${network}`)
    return deposit
  }

  pay(network: Network, kind: PaymentKind, amount: bigint): void {
    const token = this.tokenOn(network, kind === 'foreign' ? 'USDT' : 'USDC')
    const { balance } = this.deposit(network)
    balance.set(token, (balance.get(token) ?? 0n) + amount)
    const payment = { networkId: network, token, kind, status: 'pending' } as const
    this.payments.push(aPayment(amount, { ...payment, confirmedAt: null }))
    this.advance()
  }

  confirm(index: number): void {
    this.change(index, (p) => (p.status === 'pending' ? { ...p, status: 'confirmed' } : p))
  }

  accept(index: number): void {
    this.change(index, (p) => {
      const verdict = checkLatePayment(p)
      const isNew = verdict.ok && verdict.isNew
      return isNew ? { ...p, kind: 'counted', acceptedAt: NOW } : p
    })
  }

  acceptPartial(): void {
    const verdict = checkPartial(this.invoice)
    if (!verdict.ok || verdict.acceptedAmount === null) return
    const accepted = { ...this.invoice, acceptedAmount: verdict.acceptedAmount }
    const platformFee = feeOfAccepted(accepted, this.settlements, { rateBps: 50, ceiling: null })
    this.invoice = { ...accepted, platformFee }
    this.advance()
  }

  /** Asks for a refund; true when it was promised. */
  refund(amount: bigint, index: number | null): boolean {
    const payment = index === null ? null : this.payments[index % this.payments.length]
    const decision = planRefund(
      { ...this, externalRefunds: [], refundsAny: true, chains: CHAINS, now: NOW },
      {
        amount: formatAmount(amount, TOKENS.USDC.decimals),
        address: '0x00000000000000000000000000000000000000ee',
        paymentId: payment?.id ?? null,
      },
    )
    if (!decision.ok) return false
    const { parts, networkId, token } = decision.refund
    this.refunds.push({ ...aRefund(amount, { networkId, token }), parts })
    this.moveParts(parts, 1n, 0n)
    this.advance()
    return true
  }

  /** The chain carries an open refund out, or its time runs out. Throws when the hub would refuse. */
  endRefund(index: number, isPaid: boolean): void {
    const refund = this.refunds[index % this.refunds.length]
    if (refund?.status !== 'open') return
    const at = this.refunds.indexOf(refund)
    const feeLeft = feeLeftAfter(this.invoice, this, refund, NOW)
    this.block += 1n
    const ended = { feeLeft, orderNumber: this.block, blockNumber: this.block }
    this.refunds[at] = {
      ...refund,
      ...(isPaid ? ended : {}),
      status: isPaid ? 'confirmed' : 'failed',
    }
    this.moveParts(refund.parts, -1n, isPaid ? 1n : 0n)
    if (isPaid) {
      const deposit = this.deposit(refund.networkId)
      this.take(deposit, refund.token, refund.amount)
      if (!deposit.isDeployed) deposit.feeLeft = feeLeft
      deposit.isDeployed = true
      if (this.isOwn(refund)) deposit.refunded += refund.amount
    }
    this.advance()
  }

  /**
   * The chain carries an open sweep out, or it fails. One that the deposit has outrun is planned again;
   * throws when the hub would refuse for any other reason.
   */
  endSweep(index: number, isSwept: boolean): void {
    const open = this.settlements.filter(({ status }) => status === 'open')
    const sweep = open[index % open.length]
    if (!sweep) return
    const at = this.settlements.indexOf(sweep)
    const { isDeployed, feeLeft } = this.deposit(sweep.networkId)
    const error = isSwept ? this.refusalOf(sweep) : 'TransferRefused'
    this.block += 1n
    if (error === null) {
      this.settlements[at] = { ...sweep, status: 'confirmed', blockNumber: this.block }
      this.sweep(sweep)
    } else {
      const replanned = isReplanned(this.settlements, sweep, { error, isDeployed })
      const found = { foundBlock: this.block, foundDeployed: isDeployed }
      if (isSwept && !replanned) throw new Error(`${error} is no reason to plan anew`)
      const foundFeeLeft = baseUnits(feeLeft)
      this.settlements[at] = { ...sweep, ...found, foundFeeLeft, status: 'failed', replanned }
    }
    this.advance()
  }

  /** Everything on its way arrives. */
  finish(): void {
    for (let i = 0; i < this.payments.length; i += 1) this.confirm(i)
    for (let round = 0; round < 50; round += 1) {
      for (let i = 0; i < this.refunds.length; i += 1) this.endRefund(i, true)
      this.endSweep(0, true)
    }
  }

  /** Why the hub would refuse a sweep because the deposit is not as its plan has it; null when it is. */
  private refusalOf({ networkId, token, amount, fee, leave, deploys }: Settlement): string | null {
    const deposit = this.deposit(networkId)
    if (deploys === deposit.isDeployed) return 'DeploymentFailed'
    if (deposit.isDeployed && fee > deposit.feeLeft) return 'FeeNotAvailable'
    const left = (deposit.balance.get(token) ?? 0n) - amount
    return left < leave ? 'DepositLeavesLess' : null
  }

  private sweep({ networkId, token, amount, fee }: Settlement): void {
    const deposit = this.deposit(networkId)
    if (fee > this.invoice.feeCap) throw new Error('FeeAboveCap')
    if (deposit.isDeployed) deposit.feeLeft -= fee
    deposit.isDeployed = true
    this.take(deposit, token, amount)
    deposit.remitted += amount - fee
    deposit.collected += fee
  }

  private take(deposit: Deposit, token: Address, amount: bigint): void {
    const held = deposit.balance.get(token) ?? 0n
    if (held < amount) throw new Error(`DepositHoldsLess(${held}, ${amount})`)
    deposit.balance.set(token, held - amount)
  }

  private isOwn({ networkId, token }: Refund): boolean {
    return token === this.tokenOn(networkId)
  }

  private change(index: number, by: (payment: Payment) => Payment): void {
    const at = index % Math.max(1, this.payments.length)
    this.payments = this.payments.map((payment, i) => (i === at ? by(payment) : payment))
    this.advance()
  }

  private moveParts(parts: readonly RefundPart[], refunding: bigint, refunded: bigint): void {
    const amounts = new Map(parts.map((part) => [part.paymentId, part.amount]))
    this.payments = this.payments.map((payment) => {
      const amount = amounts.get(payment.id) ?? baseUnits(0n)
      return {
        ...payment,
        refunding: baseUnits(payment.refunding + refunding * amount),
        refunded: baseUnits(payment.refunded + refunded * amount),
      }
    })
  }

  /** Derives the figures and promises the sweeps that are due, as a worker does. */
  private advance(): void {
    const { payments, settlements } = this
    this.invoice = { ...this.invoice, ...deriveFigures(this.invoice, payments, settlements, NOW) }
    const platformFee =
      this.invoice.status === 'completed'
        ? feeOfSettled(this.invoice, settlements)
        : feeOfReceived(this.invoice, settlements, { rateBps: 50, ceiling: null })
    this.invoice = { ...this.invoice, platformFee }
    const { sweeps } = planSettlement(this.invoice, this, {
      recipient: RECIPIENT,
      registryVersion: 1,
      kept: new Map(),
      tokens: new Map(NETWORKS.map((id) => [id, this.tokenOn(id)])),
      cleared: null,
      minSweep: new Map(),
      now: new Date(8.64e15),
      settleableBlock: new Map(NETWORKS.map((id) => [id, 100n])),
    })
    for (const plan of sweeps) {
      this.settlements.push(
        aSettlement(plan.amount, plan.fee, { ...plan, status: 'open', blockNumber: null }),
      )
    }
  }
}

/** What one deposit should hold of the invoice's own token by the ledger, in base units. */
export function heldByLedger(model: MoneyModel, network: string): bigint {
  const token = model.tokenOn(network)
  const own = <T extends { networkId: string; token: Address; status: string }>(
    rows: readonly T[],
  ) => rows.filter((row) => row.networkId === network && row.token === token)
  const received = sum(own(model.payments).map(({ amount }) => amount))
  const gone = (rows: readonly { amount: BaseUnits; status: string }[]) =>
    sum(rows.filter(({ status }) => status === 'confirmed').map(({ amount }) => amount))
  return received - gone(own(model.settlements)) - gone(own(model.refunds))
}

/** What is in one of the places where a payment's money can be, summed up over all of them. */
export function places(model: MoneyModel) {
  return {
    refunding: sum(model.payments.map(({ refunding }) => refunding)),
    refunded: sum(model.payments.map(({ refunded }) => refunded)),
    kept: sum(model.payments.map(keptOf)),
  }
}

function newDeposit(): Deposit {
  return {
    balance: new Map(),
    isDeployed: false,
    feeLeft: 0n,
    remitted: 0n,
    collected: 0n,
    refunded: 0n,
  }
}
