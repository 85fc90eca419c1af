import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TransactionReceipt } from 'viem'
import { hubEvents } from '../../../chain/hub/contract.ts'
import { paidAuthorizations } from '../../../chain/x402/authorizationUse.ts'
import { max } from '../../../core/base/integers.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import { openRelayer, step, type TestRelayer } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { claimSettles, expectSettledOnce, newForwarder } from '../../support/relayer/settles.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import {
  authorize,
  authorizeEach,
  authorizePaid,
  randomAddress,
  type SignedAuthorization,
} from '../../support/x402/authorizations.ts'
import { AGREEING_WALLET, placeCode, TREACHEROUS_WALLET } from '../../support/x402/walletCode.ts'

/** Accounts that claim plain payments and delegate to code (EIP-7702) before these are carried out. */

const CLAIMS = 120
/** What the hub may use for a payment that it refuses unseen, for one that is made, and around them. */
const GAS_PER_REFUSAL = 3_700n
const GAS_PER_PAYMENT = 60_000n
const GAS_AROUND = 20_000n

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 4 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

interface Scene {
  readonly database: Database
  readonly relayer: TestRelayer
  readonly merchant: Awaited<ReturnType<typeof newForwarder>>
}

async function scene(): Promise<Scene> {
  const database = await rig.ownDatabase()
  // One transaction after the other, so that each could learn from the one before.
  const variables = {
    X402_FLUSH_MS: '0',
    X402_DISTRIBUTE_FROM: '1000000',
    RELAYER_IN_FLIGHT_MAX: '1',
  }
  const relayer = openRelayer(database, chain, { key: rig.ownKey(), variables })
  const merchant = await newForwarder(database, chain)
  await step(chain, relayer, 5)
  return { database, relayer, merchant }
}

/** So many payments of one account, which holds what they are worth. */
async function manyOf(to: Address, count: number): Promise<readonly SignedAuthorization[]> {
  const first = await authorizePaid(chain, { to, value: 1n }, BigInt(10 * count))
  const { key } = first
  const others = Array.from({ length: count - 1 }, () => authorize(chain, { to, value: 1n, key }))
  return [first, ...(await Promise.all(others))]
}

/** Has an account delegate to this code. */
async function delegate(account: Address, code: Hex): Promise<void> {
  const target = randomAddress()
  await placeCode(chain, target, code)
  await placeCode(chain, account, `0xef0100${target.slice(2)}`)
}

async function receiptsOf({ database }: Scene, kind: 'x402' | 'x402_wallet') {
  const rows = await database<{ hash: Hex }[]>`
    select mined_hash as hash from relayer_tx where kind = ${kind} and mined_hash is not null`
  return Promise.all(rows.map(({ hash }) => chain.client.getTransactionReceipt({ hash })))
}

/** What a transaction may cost by its calldata and by what became of its payments: EIP-2028, EIP-7623. */
async function mostFor({ transactionHash: hash, logs }: TransactionReceipt): Promise<bigint> {
  const { input } = await chain.client.getTransaction({ hash })
  const bytes = Buffer.from(input.slice(2), 'hex')
  const zeros = BigInt(bytes.filter((byte) => byte === 0).length)
  const others = BigInt(bytes.length) - zeros
  const refused = hubEvents(chain.hub, logs).filter((e) => e.eventName === 'AuthorizationFailed')
  const paid = paidAuthorizations(chain.usdc.address, logs)
  const execution =
    GAS_AROUND + BigInt(refused.length) * GAS_PER_REFUSAL + BigInt(paid.length) * GAS_PER_PAYMENT
  return 21_000n + max(4n * zeros + 16n * others + execution, 10n * zeros + 40n * others)
}

async function work({ database }: Scene, payer: Address) {
  const rows = await database<{ name: string; count: number }[]>`
    select w.kind || ' ' || w.state as name, count(*)::integer as count
    from work_item w join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
    where p.payer = ${payer} group by name order by name`
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

const payerOf = (signed: readonly SignedAuthorization[]): Address => {
  const [first] = signed
  if (first === undefined) throw new Error('there is no payment')
  return first.authorization.from
}

describe('an account that delegates after many claims', () => {
  test('costs one batch of refusals, in which honest payments are made', async () => {
    const own = await scene()
    const { database, relayer, merchant } = own
    const attacks = await manyOf(merchant.forwarder, CLAIMS)
    const honest = await authorizeEach(chain, merchant.forwarder, 4)
    const attacker = payerOf(attacks)
    await claimSettles(database, chain, merchant, honest.slice(0, 2))
    await claimSettles(database, chain, merchant, attacks, undefined, CLAIMS)
    await claimSettles(database, chain, merchant, honest.slice(2))
    await delegate(attacker, TREACHEROUS_WALLET)
    await step(chain, relayer, 8)
    await expectSettledOnce(database, chain, honest)
    const receipts = await receiptsOf(own, 'x402')
    const refusals = receipts.map(({ logs }) =>
      hubEvents(chain.hub, logs).filter((e) => e.eventName === 'AuthorizationFailed'),
    )
    // One batch has refusals; nothing more of it went out with plain payments.
    expect(refusals.filter((events) => events.length > 0)).toHaveLength(1)
    expect(refusals.flat().length).toBeGreaterThan(30)
    for (const receipt of receipts) {
      expect(receipt.gasUsed).toBeLessThanOrEqual(await mostFor(receipt))
    }
    // None has failed for it: they are the wallets' now, which are tried one by one.
    const states = await work(own, attacker)
    expect(Object.keys(states).every((name) => name.startsWith('x402_wallet '))).toBe(true)
    expect((await receiptsOf(own, 'x402_wallet')).length).toBeLessThanOrEqual(1)

    // So is what it claims later, whether it has code then or not.
    await placeCode(chain, attacker, '0x')
    const later = await authorize(chain, {
      to: merchant.forwarder,
      value: 1n,
      key: attacks[0]?.key ?? '0x',
    })
    await database`
      update x402_payment set status = 'failed', reason = 'x', signature = '0x'
      where payer = ${attacker} and status = 'pending'`
    await claimSettles(database, chain, merchant, [later])
    const [row] = await database`
      select p.is_wallet, w.kind from x402_payment p
      join work_item w on w.payload->>'paymentId' = p.id::text
      where p.authorization_nonce = ${later.authorization.nonce}`
    expect(row).toEqual({ isWallet: true, kind: 'x402_wallet' })
  }, 120_000)

  test('is paid by code that agrees, one payment after the other', async () => {
    const own = await scene()
    const { database, relayer, merchant } = own
    const payments = await manyOf(merchant.forwarder, 3)
    const payer = payerOf(payments)
    await claimSettles(database, chain, merchant, payments)
    await delegate(payer, AGREEING_WALLET)
    await step(chain, relayer, 12)
    expect(await work(own, payer)).toEqual({ 'x402_wallet settled': 3 })
    const pauses = await database`select from x402_wallet_pause where payer = ${payer}`
    expect(pauses).toHaveLength(0)
  }, 120_000)
})
