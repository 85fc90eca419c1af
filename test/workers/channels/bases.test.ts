import { expect, test } from 'bun:test'
import pino from 'pino'
import { createPublicClient, custom, RpcRequestError } from 'viem'
import { unreadChannels } from '../../../store/channels/bases.ts'
import { registerChannels } from '../../../store/channels/events.ts'
import type { Database } from '../../../store/database/database.ts'
import { readBases } from '../../../workers/channels/bases.ts'
import { Isolation } from '../../../workers/turns/isolation.ts'
import {
  forThisFile,
  newAddress,
  newHash,
  storeBlock,
  storeChain,
} from '../../support/store/database.ts'
import { NETWORK, newShop, TOKEN } from '../../support/store/x402.ts'

/** What a node's refusal makes of a channel that is to be read. */

let sql: Database
forThisFile((database) => {
  sql = database
})

test('a channel waits for a node that knows the block, and holds the turn up for no other', async () => {
  await storeChain(sql, NETWORK)
  await storeBlock(sql, NETWORK, 7n)
  const [shop, payer] = [await newShop(sql), newAddress()]
  const config = {
    ...{ payer, payerAuthorizer: payer, receiver: shop.forwarder, receiverAuthorizer: payer },
    ...{ token: TOKEN, withdrawDelay: 900, salt: newHash() },
  }
  await registerChannels(sql, NETWORK, [{ channelId: newHash(), config }])
  let refusal = { code: -32_000, message: 'header not found' }
  const request = () =>
    Promise.reject(new RpcRequestError({ body: {}, url: 'http://node.test', error: refusal }))
  const rpc = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
  const client = { chain: { networkId: NETWORK }, rpc }
  const work = { others: new Isolation(pino({ level: 'silent' })) }
  const turn = () => readBases({ database: sql, client, work }, 7n)
  expect(await turn()).toEqual({ changed: 0, isFull: false })
  expect(await unreadChannels(sql, NETWORK, 9)).toHaveLength(1)
  refusal = { code: -32_603, message: 'internal error' }
  expect(await turn()).toEqual({ changed: 0, isFull: false })
  expect(work.others.waiting('base of channel')).toHaveLength(1)
})
