import type { PrivateKeyAccount } from 'viem/accounts'
import type { MerchantId } from '../../../core/base/ids.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Process } from '../kernel.ts'

export interface Merchant {
  readonly id: MerchantId
  readonly key: string
  readonly recipient: Address
  readonly forwarder: Address
}

/** What was asked for and answered, for the oracle. */
export interface Records {
  readonly merchants: Merchant[]
  readonly invoices: InvoiceRecord[]
  readonly requests: RequestRecord[]
  /** What was signed for invoices. */
  readonly signed: SignedRecord[]
  /** Payers who hold little, and have signed nothing yet. */
  readonly poor: PrivateKeyAccount[]
  /** References of invoices that perhaps were created, before they expired. */
  readonly expired: string[]
}

export interface InvoiceRecord {
  readonly merchant: Merchant
  readonly id: string
  readonly deposit: Address
  readonly amount: bigint
  readonly way: string
  readonly payer: PrivateKeyAccount
  readonly refunds: RefundRecord[]
  /** The statuses that its merchant was shown, in order. */
  readonly seen: string[]
  /** The confirmed payments that its merchant was shown last, once all that was signed was decided. */
  readonly shown: ShownPayment[]
}

/** A payment as its merchant is shown it. */
export interface ShownPayment {
  readonly hash: string
  readonly payer: string
  readonly method: string
}

/** How an authorization for an invoice is sent: from the checkout page, or by a client of x402. */
export type Door = 'signature' | 'x402'

/** An authorization that a payer signed for an invoice. */
export interface SignedRecord {
  readonly invoice: InvoiceRecord
  readonly door: Door
  readonly payer: Address
  readonly nonce: Hex
  /** Others carry it out as well. */
  readonly isCopied: boolean
  readonly answers: SignedAnswer[]
}

export interface SignedAnswer {
  readonly type: 'paid' | 'pending' | 'refused'
  readonly transaction: string
  readonly reason: string
}

/** Ways of invoices whose money comes, or may come, after their end. */
export const LATE_WAYS: ReadonlySet<string> = new Set(['late', 'ended', 'signed and ended'])

/** A refund that was promised to a merchant, in the token's major unit. */
export interface RefundRecord {
  readonly id: string
  readonly amount: string
}

export interface RequestRecord {
  readonly merchant: Merchant
  readonly payer: Address
  readonly nonce: Hex
  readonly value: bigint
  readonly refunds: RefundRecord[]
  readonly answers: {
    readonly success: boolean
    readonly transaction: string
    readonly error: string
    /** When it came, in ms since 1970, and from which process. */
    readonly at: number
    readonly from: Process
  }[]
}
