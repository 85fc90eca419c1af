import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { asMerchantId, type MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Database } from '../../../store/database/database.ts'
import { ensureConfigured } from '../../../store/hub/registryEntries.ts'
import type { WorkState } from '../../../store/relayer/workItems.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import { NETWORK, OTHER_NETWORK } from '../../support/store/invoice.ts'

const HUB = newAddress()

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(() => {
  merchantId = asMerchantId(Bun.randomUUIDv7())
})
afterAll(() => sql.end({ timeout: 1 }))

async function ensure(configVersion = 1, registry = { networkId: NETWORK, hub: HUB }) {
  const terms = { configVersion, x402FeeBps: 50, x402FeeCap: baseUnits(5n) }
  const { waitsFor } = await sql.begin((transaction) =>
    ensureConfigured(transaction, registry, merchantId, newAddress(), terms),
  )
  return waitsFor
}

describe('the registry entry of a merchant', () => {
  test('is queued once for each version, hub and chain', async () => {
    const first = await ensure()
    expect(await ensure()).toBe(first)
    const others = [
      await ensure(2),
      await ensure(1, { networkId: NETWORK, hub: newAddress() }),
      await ensure(1, { networkId: OTHER_NETWORK, hub: HUB }),
    ]
    expect(new Set([first, ...others]).size).toBe(4)
  })

  test('is waited for until it is in force', async () => {
    const id = await ensure()
    await sql`update work_item set state = 'settled' where id = ${id}`
    expect(await ensure()).toBeNull()
  })

  test.each([
    ['queued', 'queued'],
    ['settled', 'settled'],
    ['failed', 'queued'],
    ['review', 'queued'],
  ] as const)('that is %s is %s when it is needed again', async (state: WorkState, expected) => {
    const [id, other] = [await ensure(), await ensure(2)]
    await sql`update work_item set state = ${state} where id = any(${[String(id), String(other)]})`
    await ensure()
    const rows = await sql`
      select state from work_item where id = any(${[String(id), String(other)]}) order by id`
    expect(rows.map((row) => row.state)).toEqual([expected, state])
  })

  test.each([
    ['10 minutes', '10 minutes'],
    ['3 hours', '1 hour'],
  ])('that was tried for %s rests for %s after its failure', async (tried, rest) => {
    const id = await ensure()
    await sql`
      update work_item set state = 'failed', updated_at = date_trunc('second', now()),
        created_at = date_trunc('second', now()) - ${tried}::text::interval where id = ${id}`
    const [before] = await sql`select updated_at from work_item where id = ${id}`
    await ensure()
    const [row] = await sql`
      select not_before = ${before?.updatedAt}::timestamptz + ${rest}::text::interval as is_right
      from work_item where id = ${id}`
    expect(row?.isRight).toBe(true)
  })
})
