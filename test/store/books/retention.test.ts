import { beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MerchantId } from '../../../core/base/ids.ts'
import { forgetBytes, RETENTION_BATCH, removeEndedWork } from '../../../store/books/retention.ts'
import { claimAction } from '../../../store/channels/actions.ts'
import { ACTIONS } from '../../../store/channels/work.ts'
import type { Database } from '../../../store/database/database.ts'
import { readRaw } from '../../../store/relayer/attempts.ts'
import { advance } from '../../../store/relayer/transition.ts'
import { aDeposit } from '../../support/store/channels.ts'
import { forThisFile, newAddress, newHash } from '../../support/store/database.ts'
import {
  NETWORK,
  storeInvoice,
  storeMerchant,
  storeRefund,
  storeSettlement,
} from '../../support/store/invoice.ts'
import { storeAttempt, storeItem, storeKey, storeTransaction } from '../../support/store/relayer.ts'
import * as x402 from '../../support/store/x402.ts'

let sql: Database
let merchantId: MerchantId
forThisFile((database) => {
  sql = database
})

beforeEach(async () => {
  await sql`
    truncate invoice, watched, payment, settlement, refund, refund_part, work_item, relayer_key,
      relayer_tx, relayer_attempt, x402_payment cascade`
  merchantId = await storeMerchant(sql)
})

/** Everything that the tests store is older than this. */
const soon = () => new Date(Date.now() + 60_000)
const anHourAgo = () => new Date(Date.now() - 3_600_000)

async function remove(before = soon()): Promise<number> {
  return (await removeEndedWork(sql, NETWORK, before, 0n)).removed
}

async function over(): Promise<bigint> {
  return storeTransaction(sql, await storeKey(sql), { state: 'final', isConfirmed: true })
}

/** A settled item of a sweep whose transaction is over. */
async function endedSweep(change: Parameters<typeof storeItem>[3] = {}): Promise<bigint> {
  const { id } = await storeInvoice(sql, merchantId)
  const { id: settlementId } = await storeSettlement(sql, id, 10n)
  const rest = { state: 'settled', txId: await over(), ...change } as const
  return storeItem(sql, 'sweep', { settlementId }, rest)
}

test('work that has ended goes once it is old, and its money stays', async () => {
  await endedSweep()
  expect(await remove(anHourAgo())).toBe(0)
  expect(await remove()).toBe(1)
  expect(await remove()).toBe(0)
  const rows = await sql`select 1 from settlement union all select 1 from relayer_tx`
  expect(rows).toHaveLength(2)
})

test('work stays while it waits, is under way, in review, of another chain or waited for', async () => {
  const open = await storeTransaction(sql, await storeKey(sql))
  const taken = await storeTransaction(sql, await storeKey(sql), { state: 'nonce_taken' })
  await endedSweep({ state: 'queued', txId: null })
  await endedSweep({ state: 'assigned' })
  await endedSweep({ state: 'review' })
  await endedSweep({ networkId: 'sepolia' })
  await endedSweep({ txId: open })
  await endedSweep({ txId: taken })
  const first = await endedSweep()
  await storeItem(sql, 'configure', {}, { waitsFor: first })
  expect(await remove()).toBe(0)
})

test('work stays until its sweep, refund or payment is decided', async () => {
  const { id } = await storeInvoice(sql, merchantId)
  const ended = { state: 'failed', txId: await over() } as const
  const sweepOf = async (status: 'open' | 'mined' | 'failed', round: number) => {
    const settlement = await storeSettlement(sql, id, 10n, { status, round })
    await storeItem(sql, 'sweep', { settlementId: settlement.id }, ended)
  }
  const refundOf = async (status: 'open' | 'failed') => {
    const { id: refundId } = await storeRefund(sql, id, 10n, { status })
    await storeItem(sql, 'refund', { refundId }, ended)
  }
  await sweepOf('open', 1)
  await sweepOf('mined', 2)
  await refundOf('open')
  expect(await remove()).toBe(0)
  await sweepOf('failed', 3)
  await refundOf('failed')
  expect(await remove()).toBe(2)
})

test('work of a paid request stays until it failed or is confirmed', async () => {
  const shop = await x402.newShop(sql)
  await x402.settled(sql, x402.aClaim(shop))
  expect(await remove()).toBe(0)
  await x402.failPayment(sql, await x402.pending(sql, x402.aClaim(shop)))
  await x402.confirmed(sql, x402.aClaim(shop))
  const items = await sql<{ id: bigint }[]>`
    update work_item w set state = case when p.status = 'failed' then 'failed' else 'settled' end,
      tx_id = null
    from x402_payment p where p.id = (w.payload->>'paymentId')::uuid returning w.id`
  expect(items).toHaveLength(3)
  expect(await remove()).toBe(2)
})

test('work of channels stays until its action failed or is confirmed', async () => {
  const shop = await x402.newShop(sql)
  const ids = await Promise.all(
    [0, 1, 2, 3].map((n) => claimAction(sql, aDeposit(shop, newAddress(), BigInt(n + 1)))),
  )
  const mined = { txHash: newHash(), block: 7n, blockHash: newHash() }
  const [failed, done, deep] = ids.flatMap((id) => id ?? [])
  if (failed === undefined || done === undefined || deep === undefined) throw new Error('no action')
  await sql.begin(async (transaction) => {
    await advance(transaction, ACTIONS, 'failed', [{ id: failed, reason: 'payment_expired' }])
    const shown = [done, deep].map((id) => ({ id, logIndex: 1, details: { moved: '1' } }))
    await advance(transaction, ACTIONS, 'mined', shown, mined)
    await advance(transaction, ACTIONS, 'confirmed', [{ id: deep }])
  })
  await sql`
    update work_item set state = 'settled', tx_id = null, created_at = now() - interval '1 day',
      updated_at = now() - interval '1 day'`
  expect(await remove()).toBe(2)
  const left = await sql<{ id: string }[]>`select payload->>'actionId' as id from work_item`
  expect(left.map(({ id }) => id)).not.toContain(failed)
  expect(left.map(({ id }) => id)).not.toContain(deep)
})

test('registry entries and forwarders stay for ever, payouts do not', async () => {
  const ended = { state: 'settled', txId: await over() } as const
  await storeItem(sql, 'configure', {}, ended)
  await storeItem(sql, 'deploy', {}, ended)
  expect(await remove()).toBe(0)
  await storeItem(sql, 'distribute', {}, ended)
  expect(await remove()).toBe(1)
})

test('a pass ends at the first item that is young, and goes on from batch to batch', async () => {
  const txId = await over()
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload, state, tx_id, created_at, updated_at)
    select ${NETWORK}, 'distribute', gen_random_uuid(), '{}', 'settled', ${txId},
      now() - interval '1 day', now() - interval '1 day'
    from generate_series(1, ${RETENTION_BATCH + 1})`
  await storeItem(sql, 'distribute', {}, { state: 'settled', txId })
  const first = await removeEndedWork(sql, NETWORK, anHourAgo(), 0n)
  expect(first.removed).toBe(RETENTION_BATCH)
  const second = await removeEndedWork(sql, NETWORK, anHourAgo(), first.next ?? -1n)
  expect(second).toEqual({ removed: 1, next: null })
})

test('the bytes of a transaction go once it is over, and its hashes stay', async () => {
  const key = await storeKey(sql)
  const ids = new Map<string, bigint>()
  for (const [n, state] of (['signed', 'mined', 'nonce_taken', 'final'] as const).entries()) {
    const terms = { accountNonce: BigInt(n), state, isConfirmed: state === 'final' }
    ids.set(state, await storeTransaction(sql, key, terms))
  }
  for (const id of ids.values()) await storeAttempt(sql, id)
  expect(await forgetBytes(sql, NETWORK, anHourAgo())).toBe(0)
  expect(await forgetBytes(sql, 'sepolia', soon())).toBe(0)
  expect(await forgetBytes(sql, NETWORK, soon())).toBe(1)
  expect(await forgetBytes(sql, NETWORK, soon())).toBe(0)
  const rows = await sql<{ state: string; calldata: string | null; raw: string | null }[]>`
    select t.state, t.calldata, a.raw from relayer_tx t join relayer_attempt a on a.tx_id = t.id
    order by t.id`
  expect(rows.map(({ calldata, raw }) => calldata === null && raw === null)).toEqual([
    ...[false, false, false, true],
  ])
  const [gone] = await sql<
    { hash: `0x${string}` }[]
  >`select hash from relayer_attempt where raw is null`
  await expect(readRaw(sql, NETWORK, gone?.hash ?? '0x')).rejects.toThrow('is over')
})

test('no transaction that may be sent again can lose its bytes', async () => {
  const id = await storeTransaction(sql, await storeKey(sql))
  await expect(sql`update relayer_tx set calldata = null where id = ${id}`).rejects.toThrow(
    'relayer_tx_has_calldata',
  )
})

test('each batch is found by an index, however much there is', async () => {
  const plan = await sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`
    return tx<{ 'QUERY PLAN': string }[]>`
      explain select id from relayer_tx
      where network_id = ${NETWORK} and state in ('final', 'nonce_taken')
        and calldata is not null and confirmed_at < now() order by confirmed_at limit 500`
  })
  expect(plan.map(Object.values).join('\n')).toContain('relayer_tx_with_bytes')
})

/** Every table of the ledger, and what becomes of its rows in time. */
const TABLES: Readonly<Record<'kept' | 'removed' | 'replaced', readonly string[]>> = {
  // Money, who is owed it, and what moved it.
  kept: [
    ...[
      'merchant',
      'api_key',
      'invoice',
      'invoice_metadata',
      'watched',
      'payment',
      'settlement',
      'refund',
      'refund_part',
      'refund_sequence',
      'external_refund',
    ],
    ...[
      'forwarder',
      'forwarder_on_chain',
      'x402_endpoint',
      'x402_own_address',
      'x402_payment',
      'x402_deployment',
      'invoice_authorization',
      'x402_channel_action',
      'relayer_key',
    ],
    ...['price', 'payment_link', 'merchant_page', 'gas_spent'],
    // Who acted for a merchant, and how they came to.
    ...['member', 'invitation', 'audit_entry', 'audit_outcome', 'operator_order'],
    ...['recipient_change', 'recipient_change_link'],
    ...[
      'approval_policy',
      'former_approval_policy',
      'approval_request',
      'approval_vote',
      'former_owner',
      'approved_recipient',
    ],
    ...['checkout_key', 'checkout_session_invoice'],
    ...['relayer_tx', 'relayer_attempt', 'chain_state', 'migration', 'known_hub', 'access_rule'],
    ...['indexed_token', 'lost_refund_order'],
  ],
  // In time.
  removed: [
    ...['work_item', 'idempotency_key', 'outbox', 'webhook_delivery', 'webhook_attempt'],
    ...[
      'checkout_session',
      'mail',
      'owner_mail',
      'member_change',
      'api_request',
      'sample_event',
      'trace_context',
    ],
    ...['x402_hold', 'x402_held', 'gas_hour', 'screening', 'screening_waiter'],
    // Those that no one has ever paid into, and of which no voucher is stored.
    ...['x402_channel', 'x402_channel_voucher'],
  ],
  // By what takes their place: a merchant's wish, a reorganisation, a newer state.
  replaced: [
    ...['saved_view', 'report_schedule'],
    'x402_channel_event',
    ...['webhook_endpoint', 'webhook_lease', 'notifier', 'chain_block', 'chain_head', 'chain_node'],
    ...[
      'fiat_rate',
      'worker_alarm',
      'quarantine',
      'tip_floor',
      'hub_state',
      'hub_token',
      'hub_stop',
      'hub_proposal',
      'hub_change',
    ],
    ...['registry_entry', 'operator', 'operator_invitation'],
    ...['x402_distribution', 'invoice_tally', 'invoice_tally_change', 'hash_lookup'],
    ...['movement_tally', 'movement_tally_change', 'money_total', 'reconciliation'],
    ...['x402_endpoint_tally', 'money_day'],
    ...[
      'delivery_tally',
      'delivery_tally_change',
      'invoice_change',
      'x402_wallet_pause',
      'x402_code_payer',
      'x402_former_price',
    ],
  ],
}

test('every table is known to be kept or not, and only those that are not are deleted from', async () => {
  const rows = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`
  const known = Object.values(TABLES).flat()
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  const store = join(import.meta.dirname, '../../../store')
  const files = readdirSync(store, { recursive: true, encoding: 'utf8' })
  // What someone asks to have erased is no question of time.
  const sources = files.filter((file) => file.endsWith('.ts') && !file.startsWith('operate/'))
  const deleted = sources.flatMap((file) => {
    const text = readFileSync(join(store, file), 'utf8')
    return [...text.matchAll(/(?:delete from|truncate)\s+([a-z_0-9]+)/g)].map(([, table]) => table)
  })
  expect(deleted.length).toBeGreaterThan(5)
  expect(TABLES.kept.filter((table) => deleted.includes(table))).toEqual([])
})
