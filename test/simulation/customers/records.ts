import type { PrivateKeyAccount } from 'viem/accounts'
import type { MerchantId } from '../../../core/base/ids.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'

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
}

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
  }[]
}
