import type { InvoiceId, MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Authorization, Scheme } from '../../core/x402/terms.ts'
import type { Deployment } from '../../core/x402/walletDeployment.ts'
import type { Queryable } from '../database/database.ts'

/** x402 payments as the work of a relayer: what it must know to carry them out. */

/** A payment with all that it takes to carry it out. */
export interface SettleRow {
  readonly itemId: bigint
  readonly paymentId: X402PaymentId
  /** The invoice that an authorization pays (`invoice_authorization`); null for an x402 payment. */
  readonly invoiceId: InvoiceId | null
  readonly merchantId: MerchantId
  readonly hub: Address
  /** It is paid to an invoice's deposit address, or at an address of the merchant's own, which is registered. */
  readonly isDirect: boolean
  readonly token: Address
  readonly authorization: Authorization
  /** What is to be paid: of an `upto` payment a part of the authorization's value. */
  readonly amount: BaseUnits
  readonly scheme: Scheme
  /** Null for EIP-3009. */
  readonly permit: SettlePermit | null
  readonly signature: Hex
  readonly isWallet: boolean
  /** The call that creates the payer's code first (ERC-6492); null for none. */
  readonly deployment: Deployment | null
  readonly status: 'pending' | 'settled' | 'failed'
  /** The chain's head when it was claimed. */
  readonly claimedBlock: bigint
}

/** What a hub must know of a payment by Permit2 besides. */
export interface SettlePermit {
  readonly hub: Address
  readonly nonce: bigint
  /** The payer's approval of Permit2, in the five words that the hub takes. */
  readonly approval: Hex | null
}

interface Row
  extends Omit<SettleRow, 'authorization' | 'deployment' | 'permit'>,
    Omit<Authorization, 'from' | 'to'> {
  readonly payer: Address
  readonly payTo: Address
  readonly permitHub: Address | null
  readonly permitNonce: bigint | null
  readonly approval: Hex | null
  readonly factory: Address | null
  readonly factoryCalldata: Hex | null
}

/** The payments behind work items, in the order of the items' ids. */
export async function readSettles(
  sql: Queryable,
  itemIds: readonly bigint[],
): Promise<SettleRow[]> {
  const rows = await sql<Row[]>`
    select w.id as item_id, p.id as payment_id, null::uuid as invoice_id, p.merchant_id, f.hub,
      p.asset as token,
      p.direct and is_own_address(p.merchant_id, p.pay_to, p.network_id) as is_direct,
      p.payer, p.pay_to, p.amount, coalesce(p.permitted, p.amount) as value, p.valid_after,
      p.valid_before, p.scheme, p.permit_hub, p.permit_nonce, p.permit2612 as approval,
      p.authorization_nonce as nonce, p.signature, p.is_wallet, p.status, p.claimed_block,
      d.factory, d.calldata as factory_calldata
    from work_item w
    join x402_payment p on p.id = w.subject_id
    join forwarder f on f.merchant_id = p.merchant_id
    left join x402_deployment d on d.payment_id = p.id
    where w.id = any(${itemIds.map(String)}::bigint[])
    union all
    select w.id, a.id, a.invoice_id, a.merchant_id, i.hub, a.asset, a.pay_to = i.deposit_address, a.payer,
      a.pay_to, a.amount, a.amount, a.valid_after, a.valid_before, 'exact', null, null, null,
      a.authorization_nonce, a.signature, a.is_wallet,
      case a.status when 'replaced' then 'failed' else a.status end, a.claimed_block,
      a.factory, a.factory_calldata
    from work_item w
    join invoice_authorization a on a.id = w.subject_id
    join invoice i on i.id = a.invoice_id
    where w.id = any(${itemIds.map(String)}::bigint[])
    order by item_id`
  return rows.map(settleRow)
}

function settleRow(given: Row): SettleRow {
  const { payer: from, payTo: to, value, validAfter, validBefore, nonce, ...row } = given
  const { permitHub: hub, permitNonce, approval, factory, factoryCalldata: data, ...settle } = row
  return {
    ...settle,
    authorization: { from, to, value, validAfter, validBefore, nonce },
    deployment: factory === null || data === null ? null : { factory, data },
    permit: hub === null || permitNonce === null ? null : { hub, nonce: permitNonce, approval },
  }
}
