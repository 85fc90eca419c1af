import { sign } from 'viem/accounts'
import type { RefundOrder } from '../../../chain/hub/refunds.ts'
import { refundDigest } from '../../../chain/hub/refundTerms.ts'
import { type MerchantConfig, merchantConfigDigest } from '../../../chain/hub/registry.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'

/** What the signers of a hub sign, with keys of the test. */

export function signRefund(
  privateKey: Hex,
  hub: Address,
  chainId: number,
  order: RefundOrder,
): Promise<Hex> {
  return sign({ hash: refundDigest(hub, chainId, order), privateKey, to: 'hex' })
}

export function signMerchantConfig(
  privateKey: Hex,
  hub: Address,
  config: MerchantConfig,
): Promise<Hex> {
  return sign({ hash: merchantConfigDigest(hub, config), privateKey, to: 'hex' })
}
