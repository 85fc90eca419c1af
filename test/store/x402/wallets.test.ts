import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { CODE_ITEMS_MAX, WALLET_CLAIMS_MAX } from '../../../core/x402/wallets.ts'
import type { Database } from '../../../store/database/database.ts'
import { type NewClaim, storeClaims } from '../../../store/x402/claims.ts'
import { findTerms } from '../../../store/x402/terms.ts'
import {
  endPauses,
  holdItem,
  lockDueWallets,
  pauseWallet,
  resumeHeld,
} from '../../../store/x402/wallets.ts'
import {
  forThisFile,
  newAddress,
  newNetwork,
  openTransaction,
} from '../../support/store/database.ts'
import {
  aClaim,
  changeItem,
  itemOf,
  newShop,
  paymentRow,
  pending,
  type Shop,
  TOKEN,
} from '../../support/store/x402.ts'

const CODE: Hex = '0xc0de000000000001'
const PER_CODE = CODE_ITEMS_MAX
const HOUR_MS = 3_600_000

let sql: Database
let shop: Shop
forThisFile((database) => {
  sql = database
})

/** A claim of a payer with code on a network of the test's own. */
async function walletClaim(networkId: string, change: Parameters<typeof aClaim>[1] = {}) {
  shop = await newShop(sql)
  return aClaim(shop, { networkId, isWallet: true, payerCode: CODE, ...change })
}

async function queued(networkId: string, change: Parameters<typeof aClaim>[1] = {}) {
  const wanted = await walletClaim(networkId, change)
  const paymentId = await pending(sql, wanted)
  return { wanted, paymentId, item: await itemOf(sql, wanted) }
}

function lockDue(networkId: string, limit = 100, without: bigint[] = []): Promise<bigint[]> {
  return sql.begin(async (tx) => {
    const items = await lockDueWallets(tx, networkId, limit, without)
    return items.map(({ id }) => id)
  })
}

/** A transaction with these claims' items in it. */
async function inFlight(networkId: string, state: 'signed' | 'mined', ...claims: NewClaim[]) {
  const address = newAddress()
  await sql`
    insert into relayer_key (network_id, address, next_nonce) values (${networkId}, ${address}, 1)`
  const isMined = state === 'mined'
  const [row] = await sql<{ id: bigint }[]>`
    insert into relayer_tx (network_id, address, account_nonce, kind, target, calldata, gas_limit,
      state, outcome, mined_hash, mined_block)
    values (${networkId}, ${address}, 0, 'x402_wallet', ${newAddress()}, '0x', 21000, ${state},
      ${isMined ? 'succeeded' : null}, ${isMined ? `0x${'11'.repeat(32)}` : null},
      ${isMined ? 10 : null})
    returning id`
  for (const one of claims)
    await changeItem(sql, one, { state: 'assigned', tx_id: row?.id ?? null })
}

function pause(networkId: string, payer: Address, payerCode: Hex | null = CODE): Promise<Date> {
  return sql.begin((tx) => pauseWallet(tx, { networkId, payer, payerCode }))
}

/** How long the payer pauses, in hours, and after how many failures. */
async function pauseOf(networkId: string, payer: Address) {
  const [row] = await sql<{ failures: number; hours: number }[]>`
    select failures, round(extract(epoch from until - now()) / 3600, 1)::float8 as hours
    from x402_wallet_pause where network_id = ${networkId} and payer = ${payer}`
  return row ?? null
}

describe('what wallets may have in flight', () => {
  test('is one payment of each payer, the first that was claimed', async () => {
    const network = newNetwork()
    const from = newAddress()
    const first = await queued(network, { from })
    const other = await queued(network)
    await queued(network, { from })
    expect(await lockDue(network)).toEqual([first.item.id, other.item.id])
    expect(await lockDue(network, 1)).toEqual([first.item.id])
    expect(await lockDue(network, 100, [first.item.id, other.item.id])).toHaveLength(1)
  })

  test('is nothing more of a payer until its payment is decided', async () => {
    const network = newNetwork()
    const from = newAddress()
    const first = await queued(network, { from })
    const second = await queued(network, { from })
    await inFlight(network, 'mined', first.wanted)
    expect(await lockDue(network)).toEqual([])
    await changeItem(sql, first.wanted, { state: 'settled' })
    expect(await lockDue(network)).toEqual([second.item.id])
  })

  test('is so much gas of one code, over all its payers', async () => {
    const network = newNetwork()
    const flying = await Promise.all(Array.from({ length: PER_CODE - 1 }, () => queued(network)))
    await inFlight(network, 'signed', ...flying.map(({ wanted }) => wanted))
    const [next, after] = [await queued(network), await queued(network)]
    const other = await queued(network, { payerCode: '0xc0de000000000002' })
    expect(await lockDue(network)).toEqual([next.item.id, other.item.id])
    await changeItem(sql, flying[0]?.wanted ?? next.wanted, { state: 'settled' })
    expect(await lockDue(network)).toEqual([next.item.id, after.item.id, other.item.id])
  })

  test('is two transactions, regardless of who sends them, and one worker at a time adds to them', async () => {
    const network = newNetwork()
    const [one, two, next] = [await queued(network), await queued(network), await queued(network)]
    await inFlight(network, 'signed', one.wanted)
    const first = await openTransaction(sql, (tx) => lockDueWallets(tx, network, 1))
    expect(first.result.map(({ id }) => id)).toEqual([two.item.id])
    expect(await lockDue(network)).toEqual([])
    await first.commit()
    await inFlight(network, 'signed', two.wanted)
    expect(await lockDue(network)).toEqual([])
    await sql`
      update relayer_tx set state = 'mined', outcome = 'succeeded', mined_hash = 'x', mined_block = 1
      where network_id = ${network}`
    expect(await lockDue(network)).toEqual([next.item.id])
  })
})

test('a payer with code has far fewer payments under way than one without', async () => {
  const network = newNetwork()
  const many = async (change: Parameters<typeof aClaim>[1]) => {
    const from = newAddress()
    const one = () => aClaim(shop, { networkId: network, from, value: 1n, ...change })
    const claims = Array.from({ length: WALLET_CLAIMS_MAX + 1 }, one)
    return (await sql.begin((tx) => storeClaims(tx, claims, 1_000))).map(({ type }) => type)
  }
  shop = await newShop(sql)
  expect((await many({ isWallet: true, payerCode: CODE })).slice(-2)).toEqual([
    'claimed',
    'too_many',
  ])
  expect(await many({})).not.toContain('too_many')
})

describe('a payer whose try failed', () => {
  test('pauses for an hour, and twice as long after each further one, up to a day', async () => {
    const network = newNetwork()
    const payer = newAddress()
    const hours: number[] = []
    for (let failures = 1; failures <= 7; failures += 1) {
      const until = await pause(network, payer)
      hours.push(Math.round((until.getTime() - Date.now()) / HOUR_MS))
    }
    expect(hours).toEqual([1, 2, 4, 8, 16, 24, 24])
    expect(await pauseOf(network, payer)).toEqual({ failures: 7, hours: 24 })
  })

  test('begins again after a payment that was made', async () => {
    const network = newNetwork()
    const { wanted, paymentId } = await queued(network)
    const payer = wanted.authorization.from
    const [other, elsewhere] = [newAddress(), newNetwork()]
    await pause(network, payer)
    await pause(network, other)
    await pause(elsewhere, payer)
    await sql.begin((tx) => endPauses(tx, [paymentId]))
    await sql.begin((tx) => endPauses(tx, []))
    expect(await pauseOf(network, payer)).toBeNull()
    expect(await pauseOf(network, other)).toMatchObject({ failures: 1 })
    expect(await pauseOf(elsewhere, payer)).toMatchObject({ failures: 1 })
  })

  test('has all that it has waiting put off, as a wallet, and no one else has', async () => {
    const network = newNetwork()
    const from = newAddress()
    const wallet = await queued(network, { from })
    const plain = await queued(network, { from, isWallet: false, payerCode: null })
    const stranger = await queued(network)
    const until = await pause(network, from)
    for (const { wanted, paymentId } of [wallet, plain]) {
      expect(await itemOf(sql, wanted)).toMatchObject({ kind: 'x402_wallet', notBefore: until })
      expect(await paymentRow(sql, paymentId)).toMatchObject({ isWallet: true, payerCode: CODE })
    }
    expect(await lockDue(network)).toEqual([stranger.item.id])
  })

  test('has what is claimed meanwhile put off as well', async () => {
    const network = newNetwork()
    const from = newAddress()
    const until = await pause(network, from)
    const { item } = await queued(network, { from })
    expect(item.notBefore).toEqual(until)
  })

  test('has nothing sent that was claimed in the same moment', async () => {
    const network = newNetwork()
    const { wanted, item } = await queued(network)
    const stranger = await queued(network)
    // The claim and the pause did not see each other.
    await pause(network, wanted.authorization.from)
    await changeItem(sql, wanted, { not_before: item.notBefore })
    expect(await lockDue(network)).toEqual([stranger.item.id])
    const [row] = await sql<{ until: Date }[]>`
      select until from x402_wallet_pause where payer = ${wanted.authorization.from}`
    expect((await itemOf(sql, wanted)).notBefore).toEqual(row?.until ?? new Date(0))
  })

  test('is known as long as it pauses', async () => {
    const network = newNetwork()
    const wanted = await walletClaim(network)
    const { from: payer, nonce } = wanted.authorization
    const until = await pause(network, payer)
    const query = {
      ...{ networkId: network, asset: TOKEN, payer, authorizationNonce: nonce },
      ...{ payTo: shop.forwarder, endpointId: null, amount: baseUnits(1n), resource: null },
    }
    const pausedUntil = async () => (await findTerms(sql, [query]))[0]?.pausedUntil
    expect(await pausedUntil()).toEqual(until)
    await sql`update x402_wallet_pause set until = now() where payer = ${payer}`
    expect(await pausedUntil()).toBeNull()
  })

  test('is forgotten a week after its pause', async () => {
    const network = newNetwork()
    const [old, recent] = [newAddress(), newAddress()]
    for (const [payer, days] of [
      [old, 8],
      [recent, 6],
    ] as const) {
      await pause(network, payer)
      await sql`
        update x402_wallet_pause set until = now() - ${days} * interval '1 day'
        where payer = ${payer}`
    }
    await pause(network, newAddress())
    expect(await pauseOf(network, old)).toBeNull()
    expect(await pauseOf(network, recent)).not.toBeNull()
  })
})

test('nothing that is asked about wallets reads a table whole', async () => {
  const network = newNetwork()
  const { paymentId, wanted } = await queued(network)
  const payer = wanted.authorization.from
  await queued(network, { from: payer })
  const scanned = await sql.begin(async (tx) => {
    await lockDueWallets(tx, network, 10)
    await pauseWallet(tx, { networkId: network, payer, payerCode: CODE })
    await lockDueWallets(tx, network, 10)
    await resumeHeld(tx, paymentId)
    await endPauses(tx, [paymentId])
    return tx<{ relname: string }[]>`
      select relname from pg_stat_xact_user_tables where seq_scan > 0`
  })
  expect(scanned.map(({ relname }) => relname)).toEqual([])
})

describe('a held payment', () => {
  async function held() {
    const network = newNetwork()
    const found = await queued(network)
    await inFlight(network, 'mined', found.wanted)
    await sql.begin((tx) => holdItem(tx, found.item.id, 'it burnt its gas'))
    return { network, ...found }
  }

  test('is not sent by itself', async () => {
    const { network, wanted } = await held()
    const result = { error: 'it burnt its gas' }
    expect(await itemOf(sql, wanted)).toMatchObject({ state: 'held', txId: null, result, tries: 1 })
    expect(await lockDue(network)).toEqual([])
  })

  test('is sent once it is asked for, and its payer does not pause', async () => {
    const { network, paymentId, wanted, item } = await held()
    const payer = wanted.authorization.from
    await pause(network, payer)
    expect(await resumeHeld(sql, paymentId)).toBe(false)
    expect(await itemOf(sql, wanted)).toMatchObject({ state: 'held' })
    await sql`update x402_wallet_pause set until = now() where payer = ${payer}`
    expect(await resumeHeld(sql, paymentId)).toBe(true)
    expect(await resumeHeld(sql, paymentId)).toBe(false)
    expect(await lockDue(network)).toEqual([item.id])
  })

  test('stays as it is when it has failed meanwhile', async () => {
    const { paymentId, wanted } = await held()
    await sql`update x402_payment set status = 'failed', reason = 'x' where id = ${paymentId}`
    expect(await resumeHeld(sql, paymentId)).toBe(false)
    expect(await itemOf(sql, wanted)).toMatchObject({ state: 'held' })
  })
})
