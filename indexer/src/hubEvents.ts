import { type Context, type Event, ponder } from 'ponder:registry'
import { hubEvent } from 'ponder:schema'
import { bytes16ToUuid } from '../../core/chain/words.ts'

/** The hub's events of money, a row for each; they are matched to the ledger later. */

type Hub = 'Swept' | 'FeeOwed' | 'Distributed' | 'Refunded' | 'MerchantConfigured'
type Followed = Event<`Hub:${Hub}`> | Event<'Token:AuthorizationUsed'>

/** Where an event is. */
function placeOf({ block, log, transaction }: Followed, { chain }: Context) {
  return {
    chainId: chain.id,
    blockHash: block.hash,
    logIndex: log.logIndex,
    blockNumber: block.number,
    blockTimestamp: block.timestamp,
    txHash: transaction.hash,
  }
}

ponder.on('Hub:Swept', async ({ event, context }) => {
  const { deposit, token, remitted, fee } = event.args
  const row = { kind: 'swept', account: deposit, token, amount: remitted, fee }
  await context.db.insert(hubEvent).values({ ...placeOf(event, context), ...row })
})

ponder.on('Hub:FeeOwed', async ({ event, context }) => {
  const { deposit, token, amount } = event.args
  const row = { kind: 'fee_owed', account: deposit, token, amount }
  await context.db.insert(hubEvent).values({ ...placeOf(event, context), ...row })
})

ponder.on('Hub:Distributed', async ({ event, context }) => {
  const { token, treasury, remitted, fee } = event.args
  const merchantId = bytes16ToUuid(event.args.merchantId)
  const row = { kind: 'distributed', merchantId, token, receiver: treasury, amount: remitted, fee }
  await context.db.insert(hubEvent).values({ ...placeOf(event, context), ...row })
})

ponder.on('Hub:Refunded', async ({ event, context }) => {
  const { refundId, source, token, to, amount } = event.args
  const reference = refundId.toString()
  const row = { kind: 'refunded', account: source, token, receiver: to, amount, reference }
  await context.db.insert(hubEvent).values({ ...placeOf(event, context), ...row })
})

ponder.on('Hub:MerchantConfigured', async ({ event, context }) => {
  const { treasury, version } = event.args
  const merchantId = bytes16ToUuid(event.args.merchantId)
  const row = {
    kind: 'merchant_configured',
    merchantId,
    receiver: treasury,
    reference: `${version}`,
  }
  await context.db.insert(hubEvent).values({ ...placeOf(event, context), ...row })
})

ponder.on('Token:AuthorizationUsed', async ({ event, context }) => {
  const { authorizer, nonce } = event.args
  const token = event.log.address
  const row = { kind: 'authorization_used', account: authorizer, token, reference: nonce }
  await context.db.insert(hubEvent).values({ ...placeOf(event, context), ...row })
})
