import {
  asInvoiceId,
  asMerchantId,
  asPaymentId,
  asRefundId,
  asSettlementId,
} from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Invoice, Payment, Refund, Settlement } from '../../../core/invoice/state.ts'
import { uuidOf } from '../ids.ts'

/** Ready-made invoices, payments and settlements for tests of the core. Amounts are base units. */

export const NOW = new Date('2026-06-01T12:00:00Z')
export const TOKEN = lowerCaseAddress('0x1c7d4b196cb0c7b01d743fbc6116a902379c7238')
export const RECIPIENT = lowerCaseAddress('0x00000000000000000000000000000000000000aa')
const HASH = `0x${'ab'.repeat(32)}` as const

export function anInvoice(change: Partial<Invoice> = {}): Invoice {
  return {
    id: asInvoiceId('019a0000-0000-7000-8000-000000000001'),
    merchantId: asMerchantId('019a0000-0000-7000-8000-000000000002'),
    externalRef: null,
    reference: 'ABCDEFGH23',
    tokenSymbol: 'USDC',
    chains: ['sepolia', 'base-sepolia'],
    amountExpected: baseUnits(1_000_000n),
    fiat: null,
    acceptedAmount: null,
    underpaymentTolerance: baseUnits(0n),
    feeCap: baseUnits(5_000n),
    platformFee: baseUnits(5_000n),
    recipient: null,
    hub: lowerCaseAddress('0x00000000000000000000000000000000000000bb'),
    depositAddress: lowerCaseAddress('0x00000000000000000000000000000000000000cc'),
    metadata: {},
    expiresAt: null,
    closedAt: null,
    payerRefundAddress: null,
    status: 'pending',
    targetNetwork: null,
    pendingAmount: baseUnits(0n),
    receivedAmount: baseUnits(0n),
    lateAmount: baseUnits(0n),
    refundedAmount: baseUnits(0n),
    returnedAmount: baseUnits(0n),
    amountRemitted: baseUnits(0n),
    completedAmount: null,
    settlementState: 'none',
    settlementError: null,
    version: 1,
    createdAt: NOW,
    paidAt: null,
    completedAt: null,
    ...change,
  }
}

let made = 0

export function aPayment(amount: bigint, change: Partial<Payment> = {}): Payment {
  made += 1
  return {
    id: asPaymentId(uuidOf(`payment-${made}`)),
    invoiceId: anInvoice().id,
    networkId: 'sepolia',
    txHash: HASH,
    logIndex: made,
    token: TOKEN,
    sender: lowerCaseAddress('0x00000000000000000000000000000000000000dd'),
    amount: baseUnits(amount),
    kind: 'counted',
    status: 'confirmed',
    blockNumber: 10n,
    blockHash: HASH,
    blockTime: NOW,
    fee: baseUnits(0n),
    refunded: baseUnits(0n),
    refunding: baseUnits(0n),
    acceptedAt: null,
    createdAt: NOW,
    confirmedAt: NOW,
    ...change,
  }
}

export function aRefund(amount: bigint, change: Partial<Refund> = {}): Refund {
  made += 1
  return {
    id: asRefundId(uuidOf(`refund-${made}`)),
    invoiceId: anInvoice().id,
    idempotencyKey: `key-${made}`,
    networkId: 'sepolia',
    token: TOKEN,
    amount: baseUnits(amount),
    recipient: lowerCaseAddress('0x00000000000000000000000000000000000000dd'),
    paymentId: null,
    status: 'open',
    orderNumber: null,
    feeLeft: null,
    waitingFor: null,
    waitingSince: null,
    offerDigest: null,
    txHash: null,
    blockNumber: null,
    error: null,
    version: 1,
    createdAt: NOW,
    confirmedAt: null,
    ...change,
  }
}

export function aSettlement(
  amount: bigint,
  fee: bigint,
  change: Partial<Settlement> = {},
): Settlement {
  made += 1
  return {
    id: asSettlementId(uuidOf(`settlement-${made}`)),
    invoiceId: anInvoice().id,
    networkId: 'sepolia',
    token: TOKEN,
    round: 1,
    amount: baseUnits(amount),
    fee: baseUnits(fee),
    feeOwed: baseUnits(0n),
    recipient: RECIPIENT,
    registryVersion: 1,
    leave: baseUnits(0n),
    deploys: true,
    status: 'confirmed',
    replanned: false,
    foundBlock: null,
    foundDeployed: null,
    foundFeeLeft: null,
    txHash: HASH,
    blockNumber: 12n,
    error: null,
    createdAt: NOW,
    confirmedAt: NOW,
    ...change,
  }
}
