import { asInvoiceId, type InvoiceId } from '../../../core/base/ids.ts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { DepositTransfer } from '../../../store/chain/transfers.ts'
import type { Database } from '../../../store/database/database.ts'

/** Rows of the ledger that the questions about transfers refer to. */

export function randomAddress(): Address {
  return lowerCaseAddress(`0x${crypto.getRandomValues(new Uint8Array(20)).toHex()}`)
}

/** An invoice with a deposit address that is watched. */
export async function insertDeposit(
  sql: Database,
  address: Address = randomAddress(),
): Promise<{ invoiceId: InvoiceId; address: Address }> {
  const invoiceId = asInvoiceId(Bun.randomUUIDv7())
  await sql`
    with one as (
      insert into invoice
        (id, merchant_id, reference, token_symbol, chains, amount_expected, fee_cap, platform_fee,
          hub, deposit_address)
      select ${invoiceId}, id, ${invoiceId.slice(-10)}, 'USDC', '{base-sepolia}', 100, 1, 1,
        ${randomAddress()}, ${address}
      from merchant limit 1
      returning id, merchant_id, deposit_address
    )
    insert into watched (address, kind, merchant_id, invoice_id)
    select deposit_address, 'deposit', merchant_id, id from one`
  return { invoiceId, address }
}

/** The ledger's own record of a transfer, as pending. */
export async function insertPayment(
  sql: Database,
  networkId: string,
  transfer: DepositTransfer,
): Promise<void> {
  await sql`
    insert into payment
      (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount, kind, status,
        block_number, block_hash, block_time)
    values (${Bun.randomUUIDv7()}, ${transfer.invoiceId}, ${networkId}, ${transfer.txHash},
      ${transfer.logIndex}, ${transfer.token}, ${transfer.from}, ${transfer.amount.toString()},
      'counted', 'pending', ${transfer.blockNumber}, ${transfer.blockHash}, ${transfer.blockTime})`
}

/** An authorization that the ledger has claimed, and nothing of what became of it. */
export async function insertClaim(
  sql: Database,
  claim: { networkId: string; asset: Address; payer: Address; nonce: string | undefined },
): Promise<void> {
  const { networkId, asset, payer, nonce = '' } = claim
  await sql`
    insert into x402_payment (id, merchant_id, network_id, asset, payer, authorization_nonce, pay_to,
      amount, valid_after, valid_before, signature, is_wallet, claimed_block)
    select ${Bun.randomUUIDv7()}, id, ${networkId}, ${asset}, ${payer}, ${nonce}, ${randomAddress()}, 1, 0,
      1, '0x', false, 0 from merchant limit 1`
}
