import type { MerchantId } from '../../core/base/ids.ts'
import type { VoucherToStore } from '../../core/channels/stored.ts'
import type { Queryable } from '../database/database.ts'

/** What servers keep with us of their channels. */

/** What is stored, of a chain by its networkId. */
export type NewVoucher = Omit<VoucherToStore, 'chain'> & {
  readonly chain: Pick<VoucherToStore['chain'], 'networkId'>
}

/**
 * Stores what is higher than what there is, and the record when it is still of the version that was read.
 * `foreign`: the receiver is not the merchant's. `conflict`: the record has changed since.
 */
export async function storeVoucher(
  sql: Queryable,
  merchantId: MerchantId,
  { chain, channelId, config, promise, record, version }: NewVoucher,
  /** The chain's head, where the chain was read. */
  block: bigint | null,
): Promise<'stored' | 'foreign' | 'conflict'> {
  const wanted = {
    network_id: chain.networkId,
    channel_id: channelId,
    payer: config.payer,
    payer_authorizer: config.payerAuthorizer,
    receiver: config.receiver,
    receiver_authorizer: config.receiverAuthorizer,
    token: config.token,
    withdraw_delay: config.withdrawDelay,
    salt: config.salt,
    max_claimable: promise?.voucher.maxClaimable.toString() ?? null,
    signature: promise?.voucher.signature ?? null,
    charged: promise?.charged.toString() ?? null,
    authorizer_signature: promise?.authorizerSignature ?? null,
    has_record: record !== undefined,
    record: record ?? null,
    version,
    block: block?.toString() ?? null,
  }
  const [row] = await sql<{ status: 'stored' | 'foreign' | 'conflict' }[]>`
    select store_channel_voucher(${JSON.stringify(wanted)}::text::json, ${merchantId}) as status`
  if (!row) throw new Error('a voucher was neither stored nor refused')
  return row.status
}
