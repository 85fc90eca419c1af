import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { settleAccess } from '../../../store/access.ts'
import { type ApiRig, openRig, TREASURY } from '../rig.ts'
import { insertPayment, register } from '../x402/calls.ts'

describe('/ready', () => {
  let rig: ApiRig

  beforeAll(async () => {
    rig = await openRig({ variables: { RPC_URL_SEPOLIA: '' } })
  }, 120_000)

  afterAll(() => rig.close())

  test('answers 503 with the envelope and what is wrong, and 200 once it is mended', async () => {
    const before = await rig.call('GET', '/ready', { key: null })
    expect(before.status).toBe(503)
    expect(before.json).toMatchObject({ success: false, error: 'service unavailable' })
    expect(before.json.traceId).toBe(before.headers.get('x-trace-id') ?? '')
    expect(before.json.problems).toHaveLength(3)
    await rig.database`
      insert into chain_state (network_id, chain_id, genesis_hash, head, head_seen_at, rpc_error)
      values ('base-sepolia', 84532, '0x00', 5, now(), 'https://secret@node failed')`
    await rig.database`
      insert into relayer_key (network_id, address, next_nonce, lease_owner, lease_until, balance)
      values ('base-sepolia', ${TREASURY.toLowerCase()}, 0, 'w', now() + interval '1 minute', 1)`
    await rig.database`
      insert into chain_head (
        network_id, number, hash, parent_hash, time, base_fee_per_gas, gas_limit, announced_at, moved_at
      ) values (
        'base-sepolia', 5, ${`0x${'5'.repeat(64)}`}, ${`0x${'4'.repeat(64)}`}, now(), 1, 30000000,
        now(), now()
      )`
    await rig.database`
      insert into chain_node (network_id, position, host, head, moved_at, fault) values
        ('base-sepolia', 0, 'fresh.example', 5, now(), null),
        ('base-sepolia', 1, 'frozen.example', 2, now() - interval '5 minutes', null),
        ('base-sepolia', 2, 'other.example', null, now() - interval '5 minutes', 'wrong_chain')`
    await rig.database`create schema indexed`
    await rig.database`
      create table indexed._ponder_checkpoint as
      select 84532::bigint as chain_id, ${`${'0'.repeat(26)}${'5'.padStart(16, '0')}`.padEnd(75, '0')}
        as latest_checkpoint`
    await settleAccess(rig.database)
    const after = await rig.call('GET', '/ready', { key: null })
    expect([after.status, after.json.problems]).toEqual([200, undefined])
    expect(after.json.data).toMatchObject({
      status: 'ready',
      problems: [],
      x402: { pending: 0, oldestPendingSeconds: null },
    })
    expect(after.text).toContain('is low on gas')
    expect(after.json.data).toMatchObject({
      warnings: expect.arrayContaining([
        'base-sepolia: the node frozen.example has shown no new block for 300 s; others are used',
        'base-sepolia: the node other.example is not asked: it answers for another chain, see RPC_URL_<NETWORK>',
      ]),
    })
    expect(after.text).not.toContain('other.example has shown')
    expect(after.text).not.toContain('secret')
  })

  test('counts pending payments, and names work that waits for a person', async () => {
    const endpoint = await register(rig)
    await insertPayment(rig, endpoint, { status: 'pending' })
    const old = await insertPayment(rig, endpoint, { status: 'pending' })
    await rig.database`
      update x402_payment set created_at = now() - interval '5 minutes' where id = ${old}`
    await rig.database`
      insert into work_item (network_id, kind, dedupe_key, payload, state)
      values ('base-sepolia', 'x402', 'x402:test', '{}', 'review')`
    const { status, json, text } = await rig.call('GET', '/ready', { key: null })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ x402: { pending: 2, oldestPendingSeconds: 300 } })
    expect(text).toContain('2 x402 payments are pending, the oldest since 300 s')
    expect(text).toContain('1 x402 work items wait for a person')
  })

  test('/health answers 200 whatever else is', async () => {
    const answer = await rig.call('GET', '/health', { key: null })
    expect(answer.status).toBe(200)
    expect(answer.json.data).toMatchObject({ status: 'ok' })
  })
})
