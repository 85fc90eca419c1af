import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeDistribute } from '../../../chain/x402/settlement.ts'
import { asRefundId, type RefundId } from '../../../core/base/ids.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { Database } from '../../../store/database/database.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import { openRelayer, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { areAllSettlesConfirmed, dueSettles, newForwarder } from '../../support/relayer/settles.ts'
import { setOperator, transact } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { newHash, storeChain } from '../../support/store/database.ts'
import { newOtherSender } from '../../support/x402/chain.ts'

/** What a relayer looks at before it signs a refund of an x402 payment, regardless of what the rows say. */

const SETTINGS = { X402_DISTRIBUTE_FROM: '1000' }
const thief = newAddress()

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 16 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

/** A refund of a part of a payment that is in a forwarder; nothing is signed for it yet. */
async function asked() {
  const database = await rig.ownDatabase()
  const relayer = openRelayer(database, chain, { key: rig.ownKey(), variables: SETTINGS })
  const { merchantId, forwarder } = await newForwarder(database, chain)
  const [due] = await dueSettles(database, chain, { merchantId, forwarder }, 1)
  if (due === undefined) throw new Error('there is no payment')
  while (!(await areAllSettlesConfirmed(database))) await step(chain, relayer)
  const payer = due.authorization.from
  const id = asRefundId(Bun.randomUUIDv7())
  await database`
    select ask_for_x402_refund(${id}, ${merchantId}, p.id, ${id}, '1000', p.payer)
    from x402_payment p`
  return { database, relayer, id, payer, merchantId, forwarder }
}

type Asked = Awaited<ReturnType<typeof asked>>

async function after(refund: Asked, turns = 5) {
  for (let i = 0; i < turns; i += 1) await step(chain, refund.relayer)
  return stateOf(refund.database, refund.id)
}

async function stateOf(database: Database, id: RefundId) {
  const [row] = await database<
    { state: string; error: string | null; deadline: bigint | null; status: string }[]
  >`
    select w.state, w.result->>'error' as error, r.deadline, r.status
    from refund r join work_item w on w.dedupe_key = 'refund:' || r.id where r.id = ${id}`
  if (!row) throw new Error('the refund has no work')
  return row
}

test('one that the chain bears out is signed, and arrives', async () => {
  const refund = await asked()
  // Neither paid it out: one was before it, and one was in another token.
  await storePayout(refund, { blocksLater: -1 })
  await storePayout(refund, { token: newAddress() })
  expect(await after(refund, 8)).toMatchObject({ state: 'settled', status: 'confirmed' })
  expect(await chain.balance(refund.payer)).toBe(1_000n)
})

describe('nothing is signed', () => {
  const FAULTS: readonly (readonly [
    string,
    string,
    (sql: Database, of: Asked) => PromiseLike<unknown>,
  ])[] = [
    [
      'to somebody who has not paid',
      'its receiver did not make payment',
      (sql) => sql`update refund set recipient = ${thief}`,
    ],
    [
      'of more than the payment was',
      'more is promised of payment',
      (sql) => sql`update refund set amount = (select amount + 1 from x402_payment)`,
    ],
    [
      'of what is not in the forwarder',
      'is not in the forwarder',
      (sql) => sql`update x402_payment set pay_to = ${thief}`,
    ],
    [
      'of a payment whose receipt shows less',
      'shows another payment than its row',
      (sql) => sql`update x402_payment set amount = amount * 2`,
    ],
    [
      'of a payment whose receipt shows another payer',
      'shows another payment than its row',
      async (sql) => {
        await sql`update x402_payment set payer = ${thief}`
        await sql`update refund set recipient = ${thief}`
      },
    ],
    [
      'of a transfer that its receipt doesn’t show',
      'no receipt shows the payment',
      (sql) => sql`update x402_payment set log_index = log_index + 40`,
    ],
    [
      'of what came out of channels',
      'did not come by an authorization',
      (sql) => sql`update x402_payment set from_channels = true`,
    ],
    [
      'of another token',
      'is in another token',
      (sql) => sql`update refund set token = ${newAddress()}`,
    ],
    [
      'for another hub',
      'is none of this deployment',
      (sql) => sql`update forwarder set hub = ${newAddress()}`,
    ],
    [
      'out of another forwarder',
      'is not the one that its hub derives from its merchant',
      async (sql, { forwarder }) => {
        const other = newAddress()
        await sql`update forwarder set address = ${other} where address = ${forwarder}`
        await sql`update x402_payment set pay_to = ${other}`
      },
    ],
  ]
  test.each(FAULTS)('%s', async (_, error, change) => {
    const refund = await asked()
    await change(refund.database, refund)
    const found = await after(refund)
    expect(found).toMatchObject({ state: 'review', deadline: null, status: 'open' })
    expect(found.error).toContain(error)
    expect(await chain.balance(refund.payer)).toBe(0n)
    expect(await chain.balance(thief)).toBe(0n)
  })

  test('while a transaction from before may still pay the forwarder out', async () => {
    const refund = await asked()
    const { database, id } = refund
    const tx = await payoutFromBefore(refund, 'signed')
    expect(await after(refund)).toMatchObject({ state: 'queued', deadline: null })
    await database`
      update relayer_tx set created_at = (
        select created_at + interval '1 microsecond' from refund where id = ${id})
      where id = ${tx}`
    expect(await after(refund, 8)).toMatchObject({ state: 'settled' })
  })

  test('while one from before is not confirmed, or is in a later block than was looked at', async () => {
    const refund = await asked()
    const { database } = refund
    const tx = await payoutFromBefore(refund, 'mined')
    expect(await after(refund)).toMatchObject({ state: 'queued', deadline: null })
    // A reorganisation may take it away, and it is mined once more.
    await database`update relayer_tx set mined_block = 1, confirmed_at = null where id = ${tx}`
    expect(await after(refund)).toMatchObject({ state: 'queued', deadline: null })
    await database`update relayer_tx set confirmed_at = now() where id = ${tx}`
    expect(await after(refund, 8)).toMatchObject({ state: 'settled' })
  })

  test('once the chain shows that the forwarder was paid out, booked or not', async () => {
    const refund = await asked()
    await payOut(refund)
    expect(await chain.balance(refund.forwarder)).toBe(1n)
    // Someone's next payment must not pay for it.
    await chain.mint([{ to: refund.forwarder, amount: 5_000n }])
    expect(await after(refund)).toMatchObject({ state: 'queued', deadline: null, status: 'open' })
    await bookPayout(refund)
    expect(await after(refund)).toMatchObject({ state: 'queued', deadline: null, status: 'open' })
    expect(await chain.balance(refund.payer)).toBe(0n)
  })

  test('while the payment is not confirmed', async () => {
    const refund = await asked()
    await refund.database`update x402_payment set confirmed_at = null`
    expect(await after(refund)).toMatchObject({ state: 'queued', deadline: null })
  })

  test('while it lacks the approval that the merchant’s rules ask for', async () => {
    const refund = await asked()
    await refund.database`
      insert into approval_policy (merchant_id, recipient, refunds_above, since, on_since)
      values (${refund.merchantId}, false, 0, now() - interval '1 day', now())`
    expect(await after(refund)).toMatchObject({ state: 'queued', deadline: null })
  })
})

/** A payout that a key of no one's here was to send when the refund was asked for. */
async function payoutFromBefore(
  { database, id }: Asked,
  state: 'signed' | 'mined',
): Promise<bigint> {
  const [tx] = await database<{ id: bigint }[]>`
    insert into relayer_tx (network_id, address, account_nonce, kind, target, calldata, gas_limit, created_at)
    select ${chain.networkId}, ${await otherKey(database)}, 0, 'distribute', ${newAddress()}, '0x',
      21000, created_at
    from refund where id = ${id}
    returning id`
  if (tx === undefined) throw new Error('the payout was not stored')
  if (state === 'mined') {
    await database`
      update relayer_tx set state = 'mined', outcome = 'succeeded', mined_hash = '0x',
        mined_block = 1000000000, confirmed_at = now()
      where id = ${tx.id}`
  }
  return tx.id
}

/** Books what `payOut` has done, up to the newest block, as long as the payment is not bound to it yet. */
async function bookPayout({ database, merchantId }: Asked): Promise<void> {
  const number = await chain.client.getBlockNumber()
  await storePayout({ database, merchantId }, {})
  await storeChain(database, chain.networkId)
  await database`update chain_state set distributions_block = ${number}`
}

/** Stores a payout of the forwarder, in the block after the payment's and in its token unless told otherwise. */
async function storePayout(
  { database, merchantId }: Pick<Asked, 'database' | 'merchantId'>,
  { blocksLater = 1, token = null }: { blocksLater?: number; token?: Address | null },
): Promise<void> {
  await database`
    insert into x402_distribution (id, merchant_id, network_id, token, tx_hash, log_index,
      block_number, block_hash, block_time, treasury, remitted, fee, fee_held, unattributed)
    select gen_random_uuid(), ${merchantId}, network_id, coalesce(${token}, asset::text), ${newHash()},
      0, block_number + ${blocksLater}::integer, block_hash, now(), pay_to, amount, 0, 0, 0
    from x402_payment`
}

async function otherKey(database: Database): Promise<Address> {
  const address = newAddress()
  await database`
    insert into relayer_key (network_id, address, next_nonce) values (${chain.networkId}, ${address}, 1)`
  return address
}

/** An operator of another party's pays the forwarder out. */
async function payOut({ merchantId }: Asked): Promise<void> {
  const key = await newOtherSender(chain)
  await setOperator(chain, addressOf(key), true)
  const payee = [{ merchantId, version: 1 }]
  await transact(chain, key, chain.hub, encodeDistribute(chain.usdc.address, payee, USUAL_GAS))
}
