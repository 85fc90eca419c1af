import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MerchantId, X402PaymentId } from '../../../core/base/ids.ts'
import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { parseConfig } from '../../../core/config/processes.ts'
import { forwarderAddress } from '../../../core/hub/deposit.ts'
import { createMerchant } from '../../../store/access/merchants.ts'
import type { Database } from '../../../store/database/database.ts'
import { registerForwarder } from '../../../store/hub/forwarders.ts'
import { advanceWithWork, settleByOthers } from '../../../store/relayer/transition.ts'
import { storeClaims } from '../../../store/x402/claims.ts'
import { PAYMENTS } from '../../../store/x402/settles.ts'
import { type Ran, remit } from '../../support/cli/run.ts'
import { databaseUrlOf, freshDatabase } from '../../support/servers/database.ts'

const HUB = lowerCaseAddress('0x00000000000000000000000000000000000000b0')
const USDC = lowerCaseAddress('0x036CbD53842c5426634e7929541eC2318f3dCF7e')
const PAYER = lowerCaseAddress('0x0000000000000000000000000000000000000a1e')
const HASH: Hex = `0x${'ab'.repeat(32)}`

let database: Database
let merchantId: MerchantId
let pending: X402PaymentId
let settled: X402PaymentId
let failed: X402PaymentId
let stuck: X402PaymentId

beforeAll(async () => {
  database = await freshDatabase()
  merchantId = await newMerchant()
  const elsewhere = await newMerchant()
  pending = await claim(merchantId, '01')
  settled = await claim(merchantId, '02')
  failed = await claim(elsewhere, '03')
  stuck = await claim(elsewhere, '04')
  await database.begin(async (sql) => {
    await settleByOthers(sql, PAYMENTS, settled, {
      txHash: HASH,
      block: 7n,
      blockHash: HASH,
      logIndex: 3,
    })
    await advanceWithWork(sql, PAYMENTS, 'failed', [{ id: failed, reason: 'payment_expired' }])
    await sql`
      update work_item set state = 'review', tries = 3, result = '{"error":"it failed 3 times"}'
      where payload->>'paymentId' = ${stuck}`
    await sql`
      update x402_payment set created_at = now() - interval '3 hours' where id = ${stuck}`
  })
})

afterAll(() => database.end())

function run(...args: readonly string[]): Promise<Ran> {
  return remit(variables(), 'payments', ...args)
}

function variables(): Record<string, string> {
  return {
    DATABASE_URL: databaseUrlOf(database),
    REDIS_URL: 'redis://127.0.0.1:9',
    HUB_ADDRESS: HUB,
    FEE_COLLECTOR: '0x00000000000000000000000000000000000000fe',
    RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
  }
}

async function newMerchant(): Promise<MerchantId> {
  const parsed = parseConfig(variables())
  if (!parsed.ok) throw new Error(parsed.problems.join())
  const created = await createMerchant(database, parsed.config, { name: 'Shop', recipient: null })
  if (!created.ok) throw new Error(created.message)
  const { id } = created.merchant
  await database.begin((sql) => registerForwarder(sql, HUB, id))
  return id
}

async function claim(owner: MerchantId, nonce: string): Promise<X402PaymentId> {
  const claim = {
    merchantId: owner,
    endpointId: null,
    networkId: 'base-sepolia',
    asset: USDC,
    authorization: {
      from: PAYER,
      to: forwarderAddress(HUB, owner),
      value: 12_500n,
      validAfter: 0n,
      validBefore: 2n ** 256n - 1n,
      nonce: `0x${nonce.repeat(32)}`,
    },
    signature: '0x00',
    isWallet: false,
    payerCode: null,
    balance: 1_000_000n,
    block: 1n,
    usedNonces: [],
    isAlone: false,
  } as const
  const [result] = await database.begin((sql) => storeClaims(sql, [claim], 1_000))
  if (result?.type !== 'claimed') throw new Error('the payment was not claimed')
  return result.paymentId
}

async function idsOf(...options: readonly string[]): Promise<string[]> {
  const { payments } = (await run('list', ...options, '--json')).json()
  return Array.isArray(payments) ? payments.map(({ id }) => String(id)) : []
}

describe('payments', () => {
  test('of all merchants are listed, the newest first, by pages', async () => {
    expect(await idsOf()).toEqual([stuck, failed, settled, pending])
    expect(await idsOf('--limit', '3', '--page', '2')).toEqual([pending])
    expect((await run('list', '--limit', '3')).out).toContain('page 1 of 2, 4 payments')
  })

  test('are filtered by what became of them, by merchant and by chain', async () => {
    expect(await idsOf('--status', 'pending')).toEqual([stuck, pending])
    expect(await idsOf('--status', 'settled')).toEqual([settled])
    expect(await idsOf('--status', 'failed')).toEqual([failed])
    expect(await idsOf('--status', 'review')).toEqual([stuck])
    expect(await idsOf('--merchant', merchantId, '--status', 'pending')).toEqual([pending])
    expect(await idsOf('--chain', 'sepolia')).toEqual([])
    expect((await run('list', '--chain', 'sepolia')).out).toContain('No payment matches.')
  })

  test('are listed with reason, age and hash', async () => {
    const { out } = await run('list')
    expect(out).toMatch(
      new RegExp(
        `${stuck} +pending \\(review\\) +3 h +base-sepolia +0\\.0125 +USDC +it failed 3 times +-`,
      ),
    )
    expect(out).toMatch(new RegExp(`${failed} +failed .* payment_expired +-`))
    expect(out).toMatch(new RegExp(`${settled} +settled .* - +${HASH}`))
  })

  test('are shown one by one, with the work behind them', async () => {
    const { out } = await run('show', stuck)
    expect(out).toContain('0.0125 USDC on base-sepolia')
    expect(out).toContain('review: it failed 3 times')
    expect(out).toContain('1970-01-01T00:00:00.000Z to for ever')
    expect((await run('show', settled, '--json')).json()).toMatchObject({
      id: settled,
      status: 'settled',
      transaction: HASH,
      work: { state: 'settled', error: null },
    })
    const unknown = await run('show', Bun.randomUUIDv7())
    expect(unknown).toMatchObject({ code: 1, out: '' })
    expect(unknown.err).toContain('there is no payment')
  })

  test('are not looked for with a filter that makes no sense', async () => {
    const wrong = [
      ['--status', 'payed', '--status must be one of pending, settled, failed, review'],
      ['--merchant', 'x', '--merchant must be a merchant'],
      ['--chain', 'basel', '--chain must be one of'],
      ['--limit', '101', '--limit must be a whole number from 1 to 100'],
    ] as const
    for (const [option, value, message] of wrong) {
      const ran = await run('list', option, value)
      expect(ran).toMatchObject({ code: 2, out: '' })
      expect(ran.err).toContain(message)
    }
  })
})

describe('a payment that waits for a person', () => {
  test('is queued again, once', async () => {
    const ran = await run('retry', stuck.toUpperCase(), '--json')
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.json()).toMatchObject({ id: stuck, work: { state: 'queued', tries: 0 } })
    const again = await run('retry', stuck)
    expect(again).toMatchObject({ code: 1, out: '' })
    expect(again.err).toContain('is not in review: its work is queued')
  })

  test('is no other', async () => {
    expect((await run('retry', settled)).err).toContain('is settled: nothing to retry')
    expect((await run('retry', failed)).err).toContain('is failed: nothing to retry')
    expect((await run('retry', Bun.randomUUIDv7())).err).toContain('there is no payment')
    expect((await run('retry', 'x')).code).toBe(2)
  })
})
