import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import {
  insertAttempt,
  readAttempts,
  readRaw,
  recordBroadcast,
} from '../../../store/relayer/attempts.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newHash } from '../../support/store/database.ts'
import { NETWORK, OTHER_NETWORK } from '../../support/store/invoice.ts'
import { storeAttempt, storeKey, storeTransaction } from '../../support/store/relayer.ts'

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
afterAll(() => sql.end({ timeout: 1 }))

const newTransaction = async () => storeTransaction(sql, await storeKey(sql))

describe('the attempts of transactions', () => {
  test('are read in the order in which they were made, without others’', async () => {
    const [one, other] = [await newTransaction(), await newTransaction()]
    const second = await storeAttempt(sql, one, { seq: 2 })
    const first = await storeAttempt(sql, one, { seq: 1 })
    await storeAttempt(sql, other)
    const attempts = await readAttempts(sql, [one])
    expect([...attempts.keys()]).toEqual([one])
    expect(attempts.get(one)?.map(({ hash }) => hash)).toEqual([first, second])
    expect(await readAttempts(sql, [])).toEqual(new Map())
  })

  test('are stored whole before they are sent', async () => {
    const id = await newTransaction()
    const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 3n }
    const attempt = { hash: newHash(), raw: '0xabcd', isCancel: true, ...fees } as const
    await sql.begin((transaction) =>
      insertAttempt(transaction, { id, networkId: NETWORK }, 1, attempt),
    )
    const { raw, ...stored } = attempt
    expect((await readAttempts(sql, [id])).get(id)).toMatchObject([
      { ...stored, seq: 1, acceptedForMs: null, lastError: null },
    ])
    expect(await readRaw(sql, NETWORK, attempt.hash)).toBe(raw)
  })

  test('have bytes on their own chain only', async () => {
    const hash = newHash()
    await storeAttempt(sql, await newTransaction(), { hash, raw: '0x01' })
    await storeAttempt(sql, await newTransaction(), { hash, raw: '0x02', networkId: OTHER_NETWORK })
    expect(await readRaw(sql, NETWORK, hash)).toBe('0x01')
    expect(await readRaw(sql, OTHER_NETWORK, hash)).toBe('0x02')
    expect(readRaw(sql, NETWORK, newHash())).rejects.toThrow('there is no attempt')
  })

  test('are taken from the first time on, and say why they were not', async () => {
    const id = await newTransaction()
    const hash = await storeAttempt(sql, id)
    const elsewhere = await newTransaction()
    await storeAttempt(sql, elsewhere, { hash, networkId: OTHER_NETWORK })
    const other = await newTransaction()
    await storeAttempt(sql, other)
    const read = async (of = id) => (await readAttempts(sql, [of])).get(of)?.[0]
    const record = (error: string | null) => recordBroadcast(sql, NETWORK, hash, error)
    await record('busy')
    expect(await read()).toMatchObject({ acceptedForMs: null, lastError: 'busy' })
    await record(null)
    await sql`
      update relayer_attempt set broadcast_at = now() - interval '1 minute'
      where hash = ${hash} and network_id = ${NETWORK}`
    await record(null)
    await record('busy')
    expect((await read())?.acceptedForMs).toBeGreaterThan(59_000)
    for (const untouched of [elsewhere, other]) {
      expect(await read(untouched)).toMatchObject({ acceptedForMs: null, lastError: null })
    }
  })
})
