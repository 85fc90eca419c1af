import { transfersTo } from '../../chain/tokens/transfers.ts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { InvoiceJson } from '../../core/invoice/present.ts'
import { prepareForwarder, registerForwarder } from '../../store/hub/forwarders.ts'
import type { ApiRig } from '../../test/support/api/rig.ts'
import { dueSettles } from '../../test/support/relayer/settles.ts'
import type { Actors } from './actors.ts'
import type { World } from './world.ts'

/** Some business on top of a history: all that actors do for it is carried out once. */

const INVOICES = 3
const PAID_REQUESTS = 3
/** So many blocks are mined at most, */
const ROUNDS = 40
/** and at least so many, for what is confirmed and paid out after it. */
const LEAST_ROUNDS = 12

/** Invoices that are created, paid and settled, and paid requests; the merchant hears of both. */
export async function doBusiness(world: World, actors: Actors, api: ApiRig): Promise<void> {
  const { database, chain, merchant } = world
  const receiver = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('ok') })
  const key = merchant.secretKey
  const hook = { url: `http://127.0.0.1:${receiver.port}/` }
  const endpoint = await expectOk(api.call('POST', '/v1/webhooks/endpoints', { key, body: hook }))
  const invoices: InvoiceJson[] = []
  for (let i = 0; i < INVOICES; i += 1) {
    const body = { tokenSymbol: 'USDC', amountExpected: '1', externalRef: crypto.randomUUID() }
    invoices.push((await expectOk(api.call('POST', '/v1/invoices', { key, body }))).json.data)
  }
  const refundable = await expectOk(
    api.call('POST', '/v1/invoices', {
      ...{ key, body: { tokenSymbol: 'USDC', amountExpected: '5' } },
    }),
  )
  await pay(world, [...invoices, refundable.json.data])
  const forwarder = await database.begin((sql) =>
    registerForwarder(sql, chain.hub, merchant.merchant.id),
  )
  const payee = { merchantId: merchant.merchant.id, forwarder }
  await database.begin((sql) => prepareForwarder(sql, payee.merchantId, chain.networkId))
  await dueSettles(database, chain, payee, PAID_REQUESTS)
  for (let round = 0; round < ROUNDS; round += 1) {
    await actors.ledger()
    await actors.relayer()
    await actors.notifier()
    await chain.mine()
    if (round === 4) await refund(api, key, refundable.json.data.id)
    if (round > LEAST_ROUNDS && (await isDone(world, api, invoices, forwarder))) break
    if (round === ROUNDS - 1) throw new Error('the business was not carried out')
  }
  // What was sent is heard of, and recorded by a later turn.
  await Bun.sleep(50)
  await actors.notifier()
  await expectOk(api.call('DELETE', `/v1/webhooks/endpoints/${endpoint.json.data.id}`, { key }))
  receiver.stop(true)
}

async function expectOk(call: ReturnType<ApiRig['call']>): ReturnType<ApiRig['call']> {
  const answer = await call
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

/** A dollar for each, and the rows that the indexer makes of it. */
async function pay(world: World, invoices: readonly InvoiceJson[]): Promise<void> {
  const { chain, database } = world
  const deposits = invoices.map(({ addresses }) => lowerCaseAddress(addresses[0]?.address ?? ''))
  await chain.mint(deposits.map((to) => ({ to, amount: 1_000_000n })))
  const { number, timestamp } = await chain.client.getBlock()
  const found = await transfersTo(chain.client, [chain.usdc.address], deposits, number, number)
  for (const transfer of found) {
    await database`
      insert into indexed.transfer (chain_id, block_hash, log_index, block_number, block_timestamp,
        tx_hash, token, "from", "to", amount)
      values (${chain.node.chainId}, ${transfer.blockHash}, ${transfer.logIndex}, ${number},
        ${timestamp}, ${transfer.txHash}, ${transfer.token}, ${transfer.from}, ${transfer.to},
        ${transfer.amount.toString()})`
  }
  const checkpoint = `${'0'.repeat(26)}${number.toString().padStart(16, '0')}`
  await database`delete from indexed._ponder_checkpoint`
  await database`
    insert into indexed._ponder_checkpoint values (${chain.node.chainId}, ${checkpoint})`
}

async function refund(api: ApiRig, key: string, id: string): Promise<void> {
  const body = {
    ...{ amount: '0.5', idempotencyKey: 'one' },
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  }
  await api.call('POST', `/v1/invoices/${id}/refunds`, { key, body })
}

async function isDone(
  { database, chain, merchant }: World,
  api: ApiRig,
  invoices: readonly InvoiceJson[],
  forwarder: Address,
): Promise<boolean> {
  const unpaid = await database`
    (select from x402_payment
      where network_id = ${chain.networkId} and pay_to = ${forwarder} and status = 'pending' limit 1)
    union all (select from x402_payment
      where network_id = ${chain.networkId} and pay_to = ${forwarder}
        and status = 'settled' and distribution_id is null and not direct limit 1)`
  if (unpaid.length > 0) return false
  for (const { id } of invoices) {
    const { json } = await api.call('GET', `/v1/invoices/${id}`, { key: merchant.secretKey })
    if (json.data.status !== 'completed') return false
  }
  return true
}
