import type { Address } from '../../../core/chain/evm.ts'
import type { ChannelConfig } from '../../../core/channels/channel.ts'
import type { NewAction } from '../../../store/channels/actions.ts'
import { newHash } from './database.ts'
import { NETWORK, type Shop, TOKEN } from './x402.ts'

/** What is asked of channels, as rows. */

/** What payers of these deposits have, in base units. */
export const BALANCE = 100n

export function aDeposit(shop: Shop, payer: Address, amount: bigint, nonce = newHash()): NewAction {
  const config: ChannelConfig = {
    payer,
    payerAuthorizer: payer,
    receiver: shop.forwarder,
    receiverAuthorizer: payer,
    token: TOKEN,
    withdrawDelay: 900,
    salt: newHash(),
  }
  return {
    networkId: NETWORK,
    merchantId: shop.id,
    kind: 'deposit',
    key: `deposit:${TOKEN}:${payer}:${nonce}`,
    receiver: shop.forwarder,
    token: TOKEN,
    deposit: { payer, nonce, validBefore: 4_000_000_000n, balance: BALANCE },
    amount,
    channels: [{ channelId: newHash(), config, totalClaimed: null }],
    calldata: '0x12',
    gas: 1,
    block: 100n,
    isAlone: false,
  }
}
