import {
  asInvoiceId,
  asPaymentId,
  asRefundId,
  asWebhookEndpointId,
  asX402PaymentId,
  type MerchantId,
} from '../base/ids.ts'
import { baseUnits } from '../base/money.ts'
import { type Address, type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import { type Chain, chainsOf, tokenNamed } from '../chain/registry.ts'
import type { Environment } from '../chain/table.ts'
import { EVENT_TYPES, type EventType } from '../events/eventTypes.ts'
import { newInvoice } from '../invoice/creation.ts'
import { type InvoiceJson, presentInvoice, presentRefund } from '../invoice/present.ts'
import type { Invoice, Payment, Refund, RefundStatus } from '../invoice/state.ts'
import { presentX402Payment } from '../x402/presentPayment.ts'
import { sampleChannel } from './channelSample.ts'
import { presentWebhookEndpoint } from './endpoint.ts'

/** Sample events of every type, in the form of real ones and marked by `test: true`. */

export interface SampleGiven {
  readonly objectId: string
  readonly merchantId: MerchantId
  readonly hub: Address
  readonly now: Date
}

/** The data of a test of one endpoint. */
export function testEvent(objectId: string, merchantId: MerchantId, environment: Environment) {
  return { id: objectId, merchantId, environment, version: 1, test: true }
}

/** The data of a sample: what an invoice of 10 USDC, or a payment of one cent, would have shown. */
export function sampleEvent(type: EventType, environment: Environment, given: SampleGiven) {
  const marks = testEvent(given.objectId, given.merchantId, environment)
  return { ...objectOf(type, environment, given), ...marks }
}

function objectOf(type: EventType, environment: Environment, given: SampleGiven): object {
  const [chain] = chainsOf(environment)
  if (chain === undefined) throw new Error(`there is no chain in ${environment}`)
  const { object } = EVENT_TYPES[type]
  switch (object) {
    case 'invoice':
      return sampleInvoice(STAGES[type] ?? { invoice: {} }, chain, given)
    case 'refund':
      return sampleRefund(REFUND_STATUS[type] ?? 'open', chain, given)
    case 'x402 payment':
      return sampleX402Payment(type === 'x402.payment.settled', chain, given)
    case 'x402 channel':
      return sampleChannel(chain, given)
    case 'webhook endpoint':
      return sampleEndpoint(given)
    case 'test':
      return {}
    default:
      return object satisfies never
  }
}

const NOTHING = baseUnits(0n)
const TEN = baseUnits(10_000_000n)
const FOUR = baseUnits(4_000_000n)
const FEE = baseUnits(50_000n)
const CENT = baseUnits(10_000n)
const PAYER = lowerCaseAddress('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65')
const TX_HASH: Hex = `0x${'5a'.repeat(32)}`
const BLOCK_HASH: Hex = `0x${'b1'.repeat(32)}`
const BLOCK = 1_234_567n

/** How an invoice differs from a new one when its event is sent, and the payment that made it so. */
interface Stage {
  readonly invoice: Partial<Invoice>
  readonly payment?: Partial<Payment>
  /** Ended a moment ago. */
  readonly isVoided?: boolean
  /** What follows from settlements, of which a sample has none. */
  readonly shown?: Partial<InvoiceJson>
}

const PAID = { status: 'paid', receivedAmount: TEN } as const
const UNCONFIRMED = { status: 'pending', confirmedAt: null } as const

const REFUSED = 'the token refused to pay the recipient'

const STAGES: Readonly<Partial<Record<EventType, Stage>>> = {
  'invoice.payment_detected': { invoice: { pendingAmount: TEN }, payment: UNCONFIRMED },
  'invoice.payment_confirmed': { invoice: PAID, payment: {} },
  'invoice.payment_reverted': { invoice: {}, payment: { status: 'reverted', confirmedAt: null } },
  'invoice.partially_paid': {
    invoice: { status: 'partial', receivedAmount: FOUR },
    payment: { amount: FOUR },
  },
  'invoice.paid': { invoice: PAID, payment: {} },
  'invoice.overpaid': {
    invoice: { ...PAID, receivedAmount: baseUnits(TEN + FOUR) },
    payment: { amount: baseUnits(TEN + FOUR) },
  },
  'invoice.late_payment': {
    invoice: { lateAmount: TEN },
    payment: { ...UNCONFIRMED, kind: 'late' },
  },
  'invoice.unexpected_payment': { invoice: {}, payment: { kind: 'foreign', token: ZERO_ADDRESS } },
  'invoice.voided': { invoice: {}, isVoided: true },
  'invoice.completed': {
    invoice: { ...PAID, status: 'completed', amountRemitted: baseUnits(TEN - FEE) },
    payment: { fee: FEE },
  },
  'settlement.retrying': {
    invoice: PAID,
    payment: {},
    shown: { settlementState: 'retrying', settlementError: REFUSED },
  },
  'settlement.failed': {
    invoice: {
      ...PAID,
      settlementState: 'failed',
      settlementError: REFUSED,
    },
    payment: {},
  },
}

const REFUND_STATUS: Readonly<Partial<Record<EventType, RefundStatus>>> = {
  'refund.completed': 'confirmed',
  'refund.failed': 'failed',
}

function sampleInvoice(stage: Stage, chain: Chain, given: SampleGiven) {
  const times = timesOf(stage.invoice, chain, given.now)
  const closedAt = stage.isVoided ? new Date(given.now.getTime() - 1_000) : null
  const invoice = { ...blankInvoice(chain, given), ...times, closedAt, ...stage.invoice }
  const payments = stage.payment === undefined ? [] : [samplePayment(chain, given, stage.payment)]
  const rows = { invoice, payments, settlements: [], refunds: [], externalRefunds: [] }
  const presented = presentInvoice({ ...rows, merchantRecipient: null }, [chain], given.now)
  return { ...presented, ...stage.shown }
}

/** The fields that follow from the status of an invoice. */
function timesOf({ status }: Partial<Invoice>, chain: Chain, now: Date): Partial<Invoice> {
  const isPaid = status === 'paid' || status === 'completed'
  return {
    targetNetwork: status === undefined ? null : chain.networkId,
    paidAt: isPaid ? now : null,
    completedAt: status === 'completed' ? now : null,
  }
}

function blankInvoice(chain: Chain, { objectId, merchantId, hub, now }: SampleGiven): Invoice {
  const draft = {
    tokenSymbol: 'USDC',
    chains: [chain.networkId],
    amountExpected: TEN,
    platformFee: FEE,
    fiat: null,
    underpaymentTolerance: NOTHING,
    hasOwnTolerance: false,
    externalRef: 'test-event',
    recipient: null,
    expiresAt: null,
    metadata: {},
    metadataJson: '{}',
  } as const
  return newInvoice(draft, {
    id: asInvoiceId(objectId),
    merchantId,
    hub,
    now,
    reference: 'TESTEVENT2',
  })
}

function samplePayment(chain: Chain, given: SampleGiven, change: Partial<Payment>): Payment {
  const { objectId, now } = given
  return {
    id: asPaymentId(objectId),
    invoiceId: asInvoiceId(objectId),
    networkId: chain.networkId,
    txHash: TX_HASH,
    logIndex: 0,
    token: tokenNamed(chain, 'USDC').address,
    sender: PAYER,
    amount: TEN,
    kind: 'counted',
    status: 'confirmed',
    blockNumber: BLOCK,
    blockHash: BLOCK_HASH,
    blockTime: now,
    fee: NOTHING,
    refunded: NOTHING,
    refunding: NOTHING,
    acceptedAt: null,
    createdAt: now,
    confirmedAt: now,
    ...change,
  }
}

function sampleRefund(status: RefundStatus, chain: Chain, given: SampleGiven) {
  const isMined = status === 'confirmed'
  const refund: Refund = {
    id: asRefundId(given.objectId),
    invoiceId: asInvoiceId(given.objectId),
    idempotencyKey: 'test-event',
    networkId: chain.networkId,
    token: tokenNamed(chain, 'USDC').address,
    amount: FOUR,
    recipient: PAYER,
    paymentId: null,
    status,
    orderNumber: null,
    feeLeft: null,
    waitingFor: null,
    waitingSince: null,
    offerDigest: null,
    txHash: isMined ? TX_HASH : null,
    blockNumber: isMined ? BLOCK : null,
    error: status === 'failed' ? 'the time in which it could be carried out is over' : null,
    version: 1,
    createdAt: given.now,
    confirmedAt: isMined ? given.now : null,
  }
  return presentRefund(blankInvoice(chain, given), refund, [chain])
}

function sampleX402Payment(isSettled: boolean, chain: Chain, given: SampleGiven) {
  const { objectId, merchantId, hub, now } = given
  return presentX402Payment(
    {
      id: asX402PaymentId(objectId),
      merchantId,
      endpointId: null,
      networkId: chain.networkId,
      asset: tokenNamed(chain, 'USDC').address,
      payer: PAYER,
      authorizationNonce: BLOCK_HASH,
      payTo: hub,
      amount: CENT,
      validAfter: 0n,
      validBefore: BigInt(Math.floor(now.getTime() / 1000) + 300),
      status: isSettled ? 'settled' : 'failed',
      reason: isSettled ? null : 'payment_expired',
      txHash: isSettled ? TX_HASH : null,
      logIndex: isSettled ? 1 : null,
      blockNumber: isSettled ? BLOCK : null,
      distributionId: null,
      fee: null,
      scheme: 'exact',
      permitNonce: null,
      permitted: null,
      refunded: NOTHING,
      refunding: NOTHING,
      direct: false,
      feeOwed: NOTHING,
      version: 1,
      createdAt: now,
      settledAt: isSettled ? now : null,
      confirmedAt: isSettled ? now : null,
    },
    chain,
  )
}

function sampleEndpoint({ objectId, merchantId, now }: SampleGiven) {
  const endpoint = {
    id: asWebhookEndpointId(objectId),
    merchantId,
    url: 'https://shop.example.com/hooks/remit',
    description: 'test event',
    eventTypes: null,
    active: false,
    disabledReason: 'failing',
    disabledAt: now,
    failingSince: new Date(now.getTime() - 5 * 86_400_000),
    provenAt: new Date(now.getTime() - 6 * 86_400_000),
    previousUntil: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  } as const
  return presentWebhookEndpoint(endpoint, now)
}
