import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { CODE_ITEMS_MAX } from '../../../core/x402/wallets.ts'
import type { Database } from '../../../store/database/database.ts'
import { openRelayer, step, type TestRelayer } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { claimSettles, expectSettledOnce, newForwarder } from '../../support/relayer/settles.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { authorize, authorizeEach, authorizePaid } from '../../support/x402/authorizations.ts'
import {
  AGREEING_WALLET,
  corrupt,
  TREACHEROUS_WALLET,
  TWO_FACED_WALLET,
} from '../../support/x402/walletCode.ts'

/** Contract wallets that agree in every trial and burn all the gas of the transaction. */

const ATTACKERS = 20
const PER_CODE = CODE_ITEMS_MAX
/** What the call of one wallet may burn, with its share of all else that is in its transaction. */
const GAS_PER_TRY = USUAL_GAS.walletAuthorization + 100_000n

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 14 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

interface Scene {
  readonly database: Database
  readonly relayer: TestRelayer
  readonly merchant: Awaited<ReturnType<typeof newForwarder>>
}

/** A merchant whose forwarder is in place, and a relayer with as many keys. */
async function scene(keys = 1, variables: Record<string, string> = {}): Promise<Scene> {
  const database = await rig.ownDatabase()
  const key = Array.from({ length: keys }, () => rig.ownKey()).join(',') as Hex
  const quick = { X402_FLUSH_MS: '0', ...variables }
  const relayer = openRelayer(database, chain, { key, rpcUrl: rig.node.url, variables: quick })
  const merchant = await newForwarder(database, chain)
  await step(chain, relayer, 5)
  return { database, relayer, merchant }
}

/** The gas of the relayer's transactions with wallets, by their receipts. */
async function gasOfWallets({ database }: Scene): Promise<bigint> {
  const rows = await database<{ minedHash: Hex }[]>`
    select mined_hash from relayer_tx where kind = 'x402_wallet' and mined_hash is not null`
  const receipts = await Promise.all(
    rows.map(({ minedHash }) => chain.client.getTransactionReceipt({ hash: minedHash })),
  )
  return receipts.reduce((gas, { gasUsed }) => gas + gasUsed, 0n)
}

/** How many payments have which status, of these payers. */
async function statuses({ database }: Scene, payers: readonly Address[]) {
  const rows = await database<{ status: string; count: number }[]>`
    select status, count(*)::integer as count from x402_payment
    where payer = any(${[...payers]}::text[]) group by status`
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** How many work items have which state, and how many of them were ever tried. */
async function works({ database }: Scene) {
  const rows = await database<{ state: string; count: number }[]>`
    select state, count(*)::integer as count from work_item
    where kind = 'x402_wallet' group by state`
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

const payersOf = (signed: readonly { readonly authorization: { readonly from: Address } }[]) =>
  signed.map(({ authorization }) => authorization.from)

const wallet = (code: Hex) => ({ code, signature: '0x01' }) as const

describe('twenty wallets that burn their gas', () => {
  test('cost one try each, and keep no plain payment and no honest wallet of their code', async () => {
    const own = await scene()
    const { database, relayer, merchant } = own
    const payers = await authorizeEach(chain, merchant.forwarder, 2 * ATTACKERS + 3)
    const [attackers, plain] = [payers.slice(0, ATTACKERS), payers.slice(ATTACKERS, 2 * ATTACKERS)]
    const honest = payers.slice(2 * ATTACKERS)
    for (const payer of payersOf(attackers)) await corrupt(chain, payer)
    await claimSettles(database, chain, merchant, attackers, wallet(TWO_FACED_WALLET))
    await claimSettles(database, chain, merchant, honest, wallet(TWO_FACED_WALLET))
    await claimSettles(database, chain, merchant, plain)

    await step(chain, relayer, 1)
    await relayer.turn()
    // The next block has all that is plain, regardless of what the wallets do.
    expect(await statuses(own, payersOf(plain))).toEqual({ settled: ATTACKERS })
    await step(chain, relayer, 10)
    await expectSettledOnce(database, chain, [...honest, ...plain])
    expect(await statuses(own, payersOf(attackers))).toEqual({ pending: ATTACKERS })
    expect(await works(own)).toEqual({ held: ATTACKERS, settled: 3 })
    const spent = await gasOfWallets(own)
    expect(spent).toBeLessThan(BigInt(ATTACKERS + 3) * GAS_PER_TRY)
    // Nothing more is spent, however long it goes on.
    await step(chain, relayer, 5)
    expect(await gasOfWallets(own)).toBe(spent)
  }, 120_000)

  test('have no more in flight than their code is allowed, and two transactions', async () => {
    const own = await scene()
    const { database, relayer, merchant } = own
    const attackers = await authorizeEach(chain, merchant.forwarder, ATTACKERS)
    const others = await authorizeEach(chain, merchant.forwarder, 2)
    await claimSettles(database, chain, merchant, attackers, wallet(TREACHEROUS_WALLET))
    for (let turns = 0; turns < 3; turns += 1) await relayer.turn()
    expect((await works(own)).assigned).toBe(PER_CODE)
    await claimSettles(database, chain, merchant, others.slice(0, 1), wallet(AGREEING_WALLET))
    await relayer.turn()
    await claimSettles(database, chain, merchant, others.slice(1), wallet('0x5f5ffd'))
    await relayer.turn()
    expect((await works(own)).assigned).toBe(PER_CODE + 1)
    const open = await database`
      select from relayer_tx where kind = 'x402_wallet' and state = 'signed'`
    expect(open).toHaveLength(2)
  })
})

describe('twenty payments of one wallet', () => {
  test('are tried once, and the others wait until its pause is over', async () => {
    const own = await scene()
    const { database, relayer, merchant } = own
    const first = await authorizePaid(chain, { to: merchant.forwarder, value: 1n }, 1_000n)
    const { from } = first.authorization
    const signed = [first]
    for (let i = 1; i < ATTACKERS; i += 1) {
      signed.push(await authorize(chain, { to: merchant.forwarder, value: 1n, from }))
    }
    await claimSettles(database, chain, merchant, signed, wallet(TREACHEROUS_WALLET))
    await step(chain, relayer, 8)
    expect(await works(own)).toEqual({ held: 1, queued: ATTACKERS - 1 })
    expect(await gasOfWallets(own)).toBeLessThan(GAS_PER_TRY)

    await database`
      update x402_wallet_pause set until = now() where payer = ${from}`
    await database`update work_item set not_before = now() where state = 'queued'`
    await step(chain, relayer, 8)
    expect(await works(own)).toEqual({ held: 2, queued: ATTACKERS - 2 })
    const [pause] = await database<{ failures: number; hours: number }[]>`
      select failures, round(extract(epoch from until - now()) / 3600)::integer as hours
      from x402_wallet_pause where payer = ${from}`
    expect(pause).toEqual({ failures: 2, hours: 2 })
    expect(await gasOfWallets(own)).toBeLessThan(2n * GAS_PER_TRY)
  }, 120_000)

  test('are all made, one after the other, by a wallet that is honest', async () => {
    const own = await scene()
    const { database, relayer, merchant } = own
    const first = await authorizePaid(chain, { to: merchant.forwarder, value: 1n }, 5n)
    const { from } = first.authorization
    const signed = [first]
    for (let i = 1; i < 5; i += 1) {
      signed.push(await authorize(chain, { to: merchant.forwarder, value: 1n, from }))
    }
    await claimSettles(database, chain, merchant, signed, wallet(AGREEING_WALLET))
    await step(chain, relayer, 12)
    expect(await statuses(own, [from])).toEqual({ settled: 5 })
  }, 120_000)
})

test('an account that gets its code after its claims has one transaction, and is a wallet then', async () => {
  const own = await scene()
  const { database, relayer, merchant } = own
  const plain = await authorizeEach(chain, merchant.forwarder, 1)
  const [from] = payersOf(plain)
  await claimSettles(database, chain, merchant, plain)
  if (from === undefined) throw new Error('there is one payer')
  await chain.node.rpc('anvil_setCode', [from, TREACHEROUS_WALLET])
  await step(chain, relayer, 6)
  expect(await works(own)).toEqual({ held: 1 })
  const txs = await database`select outcome from relayer_tx where kind in ('x402', 'x402_wallet')`
  expect(txs.map(({ outcome }) => outcome)).toEqual(['reverted'])
  const [pause] = await database`select failures from x402_wallet_pause where payer = ${from}`
  expect(pause).toEqual({ failures: 1 })
})

describe('the keys', () => {
  test('are not all taken by wallets, and a plain payment takes one without them', async () => {
    const own = await scene(2, { RELAYER_KEYS_PER_WORKER: '2', RELAYER_BATCH_MAX: '1' })
    const { database, relayer, merchant } = own
    const payers = await authorizeEach(chain, merchant.forwarder, 3)
    const [one, two, plain] = payers
    if (!one || !two || !plain) throw new Error('there are three payers')
    await claimSettles(database, chain, merchant, [one, two], wallet(AGREEING_WALLET))
    await relayer.turn()
    await claimSettles(database, chain, merchant, [plain])
    await relayer.turn()
    const txs = await database<{ kind: string; address: Address }[]>`
      select kind, address from relayer_tx where kind in ('x402', 'x402_wallet') order by id`
    expect(txs.map(({ kind }) => kind)).toEqual(['x402_wallet', 'x402_wallet', 'x402'])
    const [first, second, third] = txs.map(({ address }): string => address)
    expect(second).toBe(first ?? '')
    expect(third).not.toBe(first ?? '')
    await step(chain, relayer, 5)
    await expectSettledOnce(database, chain, payers)
  })

  test('keep half of the places of one of them for other work, and all of the rest', async () => {
    const own = await scene(2, { RELAYER_KEYS_PER_WORKER: '2', RELAYER_IN_FLIGHT_MAX: '2' })
    const { database, relayer, merchant } = own
    const payers = await authorizeEach(chain, merchant.forwarder, 3)
    for (const payer of payers.slice(0, 2)) {
      await claimSettles(database, chain, merchant, [payer], wallet(AGREEING_WALLET))
      await relayer.turn()
    }
    expect(await works(own)).toEqual({ assigned: 1, queued: 1 })
    await claimSettles(database, chain, merchant, payers.slice(2))
    await relayer.turn()
    const [plain] = await database`select state from work_item where kind = 'x402'`
    expect(plain?.state).toBe('assigned')
    await step(chain, relayer, 6)
    await expectSettledOnce(database, chain, payers)
  })

  test('give a transaction of wallets up that is not mined in time, and pay no more for it', async () => {
    const database = await rig.ownDatabase()
    const timing = { bumpAfterMs: 300 }
    const relayer = openRelayer(database, chain, {
      key: rig.ownKey(),
      rpcUrl: rig.node.url,
      timing,
    })
    const merchant = await newForwarder(database, chain)
    await step(chain, relayer, 5)
    const payers = await authorizeEach(chain, merchant.forwarder, 1)
    await claimSettles(database, chain, merchant, payers, wallet(AGREEING_WALLET))
    await relayer.turn()
    await Bun.sleep(400)
    await relayer.turn()
    const attempts = await database<{ isCancel: boolean }[]>`
      select a.is_cancel from relayer_attempt a join relayer_tx t on t.id = a.tx_id
      where t.kind = 'x402_wallet' order by a.seq`
    expect(attempts.map(({ isCancel }) => isCancel)).toEqual([false, true])
    await step(chain, relayer, 6)
    await expectSettledOnce(database, chain, payers)
    const txs = await database<{ outcome: string }[]>`
      select outcome from relayer_tx where kind = 'x402_wallet' order by account_nonce`
    expect(txs.map(({ outcome }) => outcome)).toEqual(['cancelled', 'succeeded'])
  })
})
