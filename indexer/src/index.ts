import { ponder } from 'ponder:registry'
import { forwarder, transfer } from 'ponder:schema'

// Handlers insert one row and do nothing else: they run again after a reorganisation, a restart and
// a redeployment. What must happen once is left to the ledger.

ponder.on('Token:Transfer', async ({ event, context }) => {
  await context.db.insert(transfer).values({
    chainId: context.chain.id,
    blockHash: event.block.hash,
    logIndex: event.log.logIndex,
    blockNumber: event.block.number,
    blockTimestamp: event.block.timestamp,
    txHash: event.transaction.hash,
    token: event.log.address,
    from: event.args.from,
    to: event.args.to,
    amount: event.args.value,
  })
})

ponder.on('Hub:ForwarderDeployed', async ({ event, context }) => {
  await context.db.insert(forwarder).values({
    chainId: context.chain.id,
    address: event.args.forwarder,
    blockNumber: event.block.number,
  })
})
