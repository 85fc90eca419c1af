import { describe, expect, test } from 'bun:test'
import type { MerchantId, X402PaymentId } from '../../../core/base/ids.ts'
import { insertChainState } from '../../../store/chain/state.ts'
import { claimAction, readAction, storeAction } from '../../../store/channels/actions.ts'
import type { Database, Transaction } from '../../../store/database/database.ts'
import { readServer } from '../../../store/database/primary.ts'
import { noteCompared } from '../../../store/invoice/locking.ts'
import { newestAttempt } from '../../../store/relayer/attempts.ts'
import { quarantineAll } from '../../../store/relayer/keys.ts'
import {
  assignItems,
  itemsOf,
  lockDueItems,
  requeueItems,
} from '../../../store/relayer/workItems.ts'
import type { NewClaim } from '../../../store/x402/claims.ts'
import { readOutcomes, withdraw } from '../../../store/x402/outcomes.ts'
import { storePaidByOthers } from '../../../store/x402/settles.ts'
import { openAs } from '../../support/servers/roles.ts'
import { aDeposit } from '../../support/store/channels.ts'
import {
  forThisFile,
  isWaiting,
  newAddress,
  newHash,
  newNetwork,
  openTransaction,
} from '../../support/store/database.ts'
import { storeKey, storeTransaction } from '../../support/store/relayer.ts'
import {
  aClaim,
  claim,
  failPayment,
  findItem,
  keyOf,
  newShop,
  paymentRow,
  pending,
  place,
  types,
} from '../../support/store/x402.ts'

/** Claims that are withdrawn before anything was signed for them, and those that are not. */

let sql: Database
let url: string
forThisFile((database, databaseUrl) => {
  sql = database
  url = databaseUrl
})

interface Claimed {
  readonly wanted: NewClaim
  readonly id: X402PaymentId
}

/** A claim that is alone on its network, made so many seconds ago. */
async function claimed(
  secondsAgo = 10,
  terms: Parameters<typeof aClaim>[1] = {},
): Promise<Claimed> {
  const wanted = aClaim(await newShop(sql), { networkId: newNetwork(), ...terms })
  const id = await pending(sql, wanted)
  await age(keyOf(wanted), secondsAgo)
  return { wanted, id }
}

async function age(dedupeKey: string, seconds: number): Promise<void> {
  await sql`
    update work_item set updated_at = now() - ${seconds} * interval '1 second'
    where dedupe_key = ${dedupeKey}`
}

/** What signs a batch, up to its commit: the items that it has got. */
async function signBatch(transaction: Transaction, networkId: string): Promise<bigint[]> {
  const items = await lockDueItems(transaction, networkId, 'x402', 100)
  const ids = items.map(({ id }) => id)
  if (ids.length === 0) return ids
  const txId = await storeTransaction(transaction, await storeKey(transaction, { networkId }))
  await transaction`
    insert into relayer_attempt (network_id, hash, tx_id, seq, raw, is_cancel,
      max_fee_per_gas, max_priority_fee_per_gas)
    values (${networkId}, ${newHash()}, ${txId}, 1, '0x', false, 1, 1)`
  await assignItems(transaction, ids, txId)
  return ids
}

async function statusOf(id: X402PaymentId): Promise<string | undefined> {
  const [outcome] = await readOutcomes(sql, [{ paymentId: id, owner: crypto.randomUUID() }])
  return outcome?.status
}

describe('a claim for which nothing was ever signed', () => {
  test('is gone once it is withdrawn, with what it promised, and can be made again', async () => {
    const { wanted, id } = await claimed(10, { balance: 60n })
    expect(await withdraw(sql, id)).toBe(true)
    expect(await statusOf(id)).toBe('withdrawn')
    expect(await findItem(sql, keyOf(wanted))).toBeNull()
    expect(await sql`select from outbox where object_id = ${id}`).toHaveLength(0)
    const { from } = wanted.authorization
    const other = { ...wanted, authorization: { ...wanted.authorization, nonce: newHash(), from } }
    expect(types(await claim(sql, other))).toEqual(['claimed'])
    expect(await withdraw(sql, id)).toBe(false)
  })

  test('is kept for ten seconds, unless its time is over', async () => {
    const { id } = await claimed(9)
    expect(await withdraw(sql, id)).toBe(false)
    expect(await statusOf(id)).toBe('pending')
    const late = await claimed(0, { validBefore: 1_000n })
    expect(await withdraw(sql, late.id)).toBe(true)
  })

  test('is kept where the database may have lost what was signed for it', async () => {
    const { wanted, id } = await claimed()
    await quarantineAll(sql, wanted.networkId, 'the database is behind the chain')
    expect(await withdraw(sql, id)).toBe(false)
    expect(await statusOf(id)).toBe('pending')
    const later = await claimed(10, { networkId: wanted.networkId })
    expect(await withdraw(sql, later.id)).toBe(true)
  })

  test('is kept while nobody has compared another server of the database with the chain', async () => {
    const { wanted, id } = await claimed()
    const { networkId } = wanted
    await insertChainState(sql, networkId, 84_532, newHash())
    const note = (server: string) => sql.begin((to) => noteCompared(to, networkId, server))
    await sql`
      update chain_state set compared_server = compared_server - interval '1 second'
      where network_id = ${networkId}`
    const later = await claimed(10, { networkId })
    expect(await withdraw(sql, later.id)).toBe(true)
    await sql`
      update work_item set server = server - interval '1 second' where network_id = ${networkId}`
    expect(await withdraw(sql, id)).toBe(false)
    await note('another server')
    expect(await withdraw(sql, id)).toBe(false)
    await note(await readServer(sql))
    expect(await withdraw(sql, id)).toBe(true)
  })

  test('is kept by a batch that holds it, and has its hash then', async () => {
    const { wanted, id } = await claimed()
    const batch = await openTransaction(sql, (transaction) =>
      signBatch(transaction, wanted.networkId),
    )
    expect(batch.result).toHaveLength(1)
    const withdrawn = withdraw(sql, id)
    expect(await isWaiting(sql, withdrawn)).toBe(true)
    await batch.commit()
    expect(await withdrawn).toBe(false)
    expect(await newestAttempt(sql, id)).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('is withdrawn when the batch that held it came to nothing', async () => {
    const { wanted, id } = await claimed()
    const undone = new Error('undone')
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const batch = sql.begin(async (transaction) => {
      await signBatch(transaction, wanted.networkId)
      begun.resolve()
      await end.promise
      throw undone
    })
    await begun.promise
    const withdrawn = withdraw(sql, id)
    expect(await isWaiting(sql, withdrawn)).toBe(true)
    end.resolve()
    expect(await batch.catch((error: unknown) => error)).toBe(undone)
    expect(await withdrawn).toBe(true)
  })

  test('is left out by a batch that comes while it is being withdrawn', async () => {
    const { wanted, id } = await claimed()
    const withdrawal = await openTransaction(sql, (transaction) => withdraw(transaction, id))
    expect(withdrawal.result).toBe(true)
    expect(await sql.begin((other) => signBatch(other, wanted.networkId))).toEqual([])
    await withdrawal.commit()
    expect(await sql.begin((other) => signBatch(other, wanted.networkId))).toEqual([])
  })

  test('that had failed before has failed again, and keeps what was told of it', async () => {
    const { wanted, id } = await claimed()
    await failPayment(sql, id)
    await sql`update work_item set state = 'failed' where dedupe_key = ${keyOf(wanted)}`
    expect(await pending(sql, wanted)).toBe(id)
    await age(keyOf(wanted), 10)
    const { version } = await paymentRow(sql, id)
    expect(await withdraw(sql, id)).toBe(true)
    expect(await paymentRow(sql, id)).toMatchObject({
      status: 'failed',
      reason: 'unexpected_settle_error',
      version,
    })
    expect(await pending(sql, wanted)).toBe(id)
  })
})

test('what was signed once is never withdrawn, although it waits again', async () => {
  const { wanted, id } = await claimed()
  const [item] = await sql.begin((transaction) => signBatch(transaction, wanted.networkId))
  if (item === undefined) throw new Error('the item was not signed')
  const hash = await newestAttempt(sql, id)
  const change = { batchLimit: 1, countTry: false, delayMs: 0 }
  await sql.begin((transaction) => requeueItems(transaction, [{ ...change, id: item }]))
  await age(keyOf(wanted), 10)
  expect(await withdraw(sql, id)).toBe(false)
  expect(await newestAttempt(sql, id)).toBe(hash)
  expect(hash).not.toBeNull()
})

test('the API’s role withdraws by the function, and can do it in no other way', async () => {
  const { id } = await claimed()
  const api = await openAs(url, 'api')
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => false,
      (error: unknown) => error instanceof Error && error.message.includes('permission denied'),
    )
  expect(await refused(api`delete from x402_payment where id = ${id}`)).toBe(true)
  expect(await refused(api`update work_item set state = 'failed'`)).toBe(true)
  expect(await withdraw(api, id)).toBe(true)
  await api.end()
})

describe('an action of channels', () => {
  const action = async () => ({
    ...aDeposit(await newShop(sql), newAddress(), 60n),
    networkId: newNetwork(),
  })
  const keyOfAction = ({ networkId, key }: { networkId: string; key: string }) =>
    `channel:${networkId}:${key}`

  test('that its caller alone has asked for is withdrawn, and can be asked for again', async () => {
    const wanted = await action()
    const id = await claimAction(sql, wanted)
    if (id === null) throw new Error('the deposit was not stored')
    expect(await withdraw(sql, id)).toBe(false)
    await age(keyOfAction(wanted), 10)
    expect(await withdraw(sql, id)).toBe(true)
    expect(await readAction(sql, id)).toMatchObject({
      status: 'failed',
      reason: 'unexpected_settle_error',
    })
    expect(await claimAction(sql, wanted)).toBe(id)
    expect(await readAction(sql, id)).toMatchObject({ status: 'pending', reason: null })
    expect(await findItem(sql, keyOfAction(wanted))).toMatchObject({ state: 'queued' })
  })

  test('that the service wants as well, or that was signed once, is not', async () => {
    const wanted = await action()
    const id = await claimAction(sql, wanted)
    if (id === null) throw new Error('the deposit was not stored')
    await sql.begin((transaction) => storeAction(transaction, wanted))
    await age(keyOfAction(wanted), 10)
    expect(await withdraw(sql, id)).toBe(false)

    const signed = await action()
    const signedId = await claimAction(sql, signed)
    if (signedId === null) throw new Error('the deposit was not stored')
    await sql.begin(async (transaction) => {
      const { networkId } = signed
      const items = await lockDueItems(transaction, networkId, 'x402_channel', 1)
      const txId = await storeTransaction(transaction, await storeKey(transaction, { networkId }))
      const ids = items.map((item) => item.id)
      await assignItems(transaction, ids, txId)
      expect(await itemsOf(transaction, txId)).toHaveLength(1)
      await requeueItems(
        transaction,
        ids.map((id) => ({ id, batchLimit: 1, countTry: false, delayMs: 0 })),
      )
    })
    await age(keyOfAction(signed), 10)
    expect(await withdraw(sql, signedId)).toBe(false)
  })

  test('that failed for a merchant is not taken up for the one that has its receiver now', async () => {
    const wanted = await action()
    const id = await claimAction(sql, wanted)
    await sql`update x402_channel_action set status = 'failed', reason = 'reverted' where id = ${id}`
    const { id: next } = await newShop(sql)
    await register(next, wanted.receiver)
    await claimAction(sql, { ...wanted, merchantId: next })
    const rows = await sql`
      select merchant_id, status from x402_channel_action where action_key = ${wanted.key}`
    expect(rows).toMatchObject([{ merchantId: wanted.merchantId, status: 'failed' }])
  })
})

async function register(merchantId: MerchantId, address: string): Promise<void> {
  await sql`
    update x402_own_address set removed_at = now() where address = ${address} and removed_at is null`
  await sql`
    insert into x402_own_address (id, merchant_id, address, signature, created_at)
    values (${Bun.randomUUIDv7()}, ${merchantId}, ${address}, '0x', now())`
}

describe('a payment to an own address that failed, and whose address moved to another merchant', () => {
  async function moved() {
    const [former, present] = [await newShop(sql), await newShop(sql)]
    const own = newAddress()
    await register(former.id, own)
    const wanted = aClaim(former, { to: own })
    const id = await pending(sql, wanted)
    await failPayment(sql, id)
    await sql`update work_item set state = 'failed' where dedupe_key = ${keyOf(wanted)}`
    await register(present.id, own)
    return { id, former, wanted: { ...wanted, merchantId: present.id } }
  }

  test('is not claimed again for the former one', async () => {
    const { id, wanted } = await moved()
    expect(types(await claim(sql, wanted))).toEqual(['taken'])
    expect(await paymentRow(sql, id)).toMatchObject({ status: 'failed' })
  })

  test('is not booked to the former one when another party has carried it out', async () => {
    const { id, former, wanted } = await moved()
    const payment = { ...wanted, claimedBlock: 100n }
    const stored = sql.begin((transaction) => storePaidByOthers(transaction, payment, place(101n)))
    expect(await stored).toBeNull()
    const row = await paymentRow(sql, id)
    expect(row).toMatchObject({ merchantId: former.id, status: 'failed' })
  })
})
