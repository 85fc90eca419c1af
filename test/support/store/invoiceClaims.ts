import type { InvoiceId, X402PaymentId } from '../../../core/base/ids.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import type { Database, Queryable } from '../../../store/database/database.ts'
import {
  type ClaimBounds,
  claimForInvoice,
  type InvoiceClaim,
  type InvoiceClaimResult,
} from '../../../store/x402/invoiceClaims.ts'
import { newAddress, newHash } from './database.ts'
import { NETWORK, TOKEN } from './x402.ts'

/** Claims of authorizations for invoices, of functions of the store called directly. */

export const WIDE: ClaimBounds = {
  claimsPerPayer: 1_000,
  gasPerMerchant: 1_000_000n,
  unpaidPerClient: 1_000,
}

type Terms = Partial<Omit<InvoiceClaim, 'authorization' | 'invoiceId'>> & Partial<Authorization>

/** A claim of 1 USDC, which is what invoices of the tests are over, valid for four minutes. */
export function anInvoiceClaim(invoiceId: InvoiceId, terms: Terms = {}): InvoiceClaim {
  const { from, to, value, validAfter, validBefore, nonce, ...claim } = terms
  return {
    ...{ invoiceId, method: 'signature', networkId: NETWORK, asset: TOKEN, signature: '0x1234' },
    ...{ deployment: null, isWallet: false, payerCode: null, usedNonces: [], networkTags: [] },
    ...{ balance: 1_000_000_000n, block: 100n, gasCost: 1_000n, ...claim },
    authorization: {
      from: from ?? newAddress(),
      to: to ?? newAddress(),
      value: value ?? 1_000_000n,
      validAfter: validAfter ?? 0n,
      validBefore: validBefore ?? BigInt(Math.floor(Date.now() / 1000) + 240),
      nonce: nonce ?? newHash(),
    },
  }
}

export function claimInvoice(
  database: Database,
  claim: InvoiceClaim,
  bounds: Partial<ClaimBounds> = {},
): Promise<InvoiceClaimResult> {
  return claimForInvoice(database, claim, { ...WIDE, ...bounds }, new Date())
}

/** One that was claimed. */
export async function claimedInvoice(
  database: Database,
  claim: InvoiceClaim,
): Promise<X402PaymentId> {
  const result = await claimInvoice(database, claim)
  if (result.type !== 'claimed') throw new Error(`the claim was refused: ${result.reason}`)
  return result.id
}

export interface AuthorizationRow {
  readonly status: string
  readonly reason: string | null
  readonly isWallet: boolean
  readonly byOthers: boolean
  readonly confirmedAt: Date | null
  readonly gasBooked: bigint
  readonly kind: string
  readonly state: string
  readonly itemId: bigint
}

/** An authorization with its work. */
export async function authorizationRow(
  sql: Queryable,
  id: X402PaymentId,
): Promise<AuthorizationRow> {
  const [row] = await sql<AuthorizationRow[]>`
    select a.status, a.reason, a.is_wallet, a.by_others, a.confirmed_at, a.gas_booked, w.kind, w.state,
      w.id as item_id
    from invoice_authorization a join work_item w on w.subject_id = a.id
    where a.id = ${id}`
  if (row === undefined) throw new Error(`there is no authorization ${id}`)
  return row
}
