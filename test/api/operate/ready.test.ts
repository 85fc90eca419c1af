import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { settleAccess } from '../../../store/database/access.ts'
import { type ApiRig, openRig, TREASURY } from '../../support/api/rig.ts'
import { insertPayment, register } from '../../support/api/x402Calls.ts'

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
        'base-sepolia: the node frozen.example has returned no new block for 300 s; others are used',
        'base-sepolia: the node other.example is not used: it serves another chain: check RPC_URL_<NETWORK>',
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
    expect(text).toContain('2 x402 payments are pending, the oldest for 300 s')
    expect(text).toContain('1 x402 work items need review')
  })

  test('says to others than the operator no more than whether all is well', async () => {
    const well = await rig.call('GET', '/ready', { key: null, isPublic: true })
    expect([well.status, JSON.parse(well.text)]).toEqual([
      200,
      { success: true, data: { status: 'ready' } },
    ])
    await rig.database`update chain_state set head_seen_at = now() - interval '1 hour'`
    const ill = await rig.call('GET', '/ready', { isPublic: true })
    expect(ill.status).toBe(503)
    expect(Object.keys(JSON.parse(ill.text)).toSorted()).toEqual([
      ...['code', 'docs', 'error', 'success', 'traceId'],
    ])
    expect((await rig.call('GET', '/ready')).json.problems?.length).toBeGreaterThan(0)
    await rig.database`update chain_state set head_seen_at = now()`
  })

  test('counts wrong tokens of the operator like wrong keys', async () => {
    const headers = { authorization: 'Bearer guessed' }
    const guessed = await rig.call('GET', '/ready', { key: null, headers })
    expect([guessed.status, guessed.headers.get('x-ratelimit-limit')]).toEqual([401, '1000000'])
    const limited = await openRig({ variables: { RATE_LIMIT_AUTHENTICATED: '1' } })
    const guess = async () => (await limited.call('GET', '/ready', { key: null, headers })).status
    expect([await guess(), await guess()]).toEqual([401, 429])
    await limited.close()
  })

  test('warns when a proxy that is not trusted forwards clients, which then are one', async () => {
    const warnings = async () => {
      const { json } = await rig.call('GET', '/ready')
      return Object(json.data).warnings.filter((text: string) => text.includes('X-Forwarded-For'))
    }
    const forwarded = (from: string) =>
      rig.call('GET', '/v1/utils/chains', { headers: { 'x-forwarded-for': from } })
    expect(await warnings()).toEqual([])
    rig.setPeer('10.244.3.9')
    await forwarded('198.51.100.1')
    expect(await warnings()).toEqual([
      'X-Forwarded-For is sent by 10.244.3.9, which is not in TRUSTED_PROXIES: all clients behind it share one rate limit',
    ])
    rig.setClock(new Date(Date.now() + 3_700_000))
    const later = await rig.call('GET', '/ready')
    expect(later.text).not.toContain('X-Forwarded-For')
    rig.setClock(null)
  })

  test('is silent about a proxy that is trusted, and its clients are several', async () => {
    const trusting = await openRig({
      variables: { TRUSTED_PROXIES: '10.244.0.0/16', RATE_LIMIT_UTILITY: '2' },
    })
    const status = async (from: string) => {
      const headers = { 'x-forwarded-for': from }
      return (await trusting.call('GET', '/v1/utils/chains', { headers })).status
    }
    trusting.setPeer('10.244.3.9')
    const statuses = [await status('198.51.100.1'), await status('198.51.100.1')]
    expect([...statuses, await status('198.51.100.1')]).toEqual([200, 200, 429])
    expect(await status('198.51.100.2')).toBe(200)
    expect((await trusting.call('GET', '/ready')).text).not.toContain('X-Forwarded-For')
    // Of another one it warns as well.
    trusting.setPeer('172.16.0.4')
    await status('198.51.100.3')
    expect((await trusting.call('GET', '/ready')).text).toContain('is sent by 172.16.0.4')
    await trusting.close()
  })

  test('/health answers 200 whatever else is', async () => {
    const answer = await rig.call('GET', '/health', { key: null })
    expect(answer.status).toBe(200)
    expect(answer.json.data).toMatchObject({ status: 'ok' })
  })
})
