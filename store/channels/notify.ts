import type { ChannelRowId } from '../../core/base/ids.ts'
import { ALL_CHAINS, chainNamed } from '../../core/chain/registry.ts'
import { presentChannel } from '../../core/channels/present.ts'
import type { Transaction } from '../database/database.ts'
import { insertEvents } from '../events/outbox.ts'
import { readChannels } from './channels.ts'

/** Notifies merchants that payers have begun to withdraw, in the transaction that books it. */
export async function notifyWithdrawals(
  sql: Transaction,
  ids: readonly ChannelRowId[],
): Promise<void> {
  const channels = await readChannels(sql, ids)
  const events = channels.map((channel) => {
    const { id: objectId, merchantId, version } = channel
    const chain = chainNamed(channel.networkId, ALL_CHAINS)
    const data = { ...presentChannel(channel, chain), environment: chain.environment, version }
    return { merchantId, type: 'x402.channel.withdrawing' as const, objectId, version, data }
  })
  await insertEvents(sql, events)
}
