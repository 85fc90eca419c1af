import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { distributionsGas, paymentsGas, USUAL_GAS } from '../../../core/chain/gas.ts'
import type { Database } from '../../../store/database/database.ts'
import { openRelayer, step, type TestRelayer } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  areAllSettlesConfirmed,
  dueSettles,
  expectSettledOnce,
  newForwarder,
} from '../../support/relayer/settles.ts'
import { setBlacklisted } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { script } from '../../support/servers/fakeRpc.ts'
import type { SignedAuthorization } from '../../support/x402/authorizations.ts'

/** Which x402 payments are sent, and how often those that fail without a reason are sent again. */

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 7 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

interface Scene {
  readonly database: Database
  readonly relayer: TestRelayer
  readonly due: readonly SignedAuthorization[]
}

interface SceneOptions {
  readonly merchants?: number
  readonly variables?: Record<string, string>
}

/** So many payments that wait to each of some merchants, one by default, whose forwarders are in place. */
async function scene(payments: number, options: SceneOptions = {}): Promise<Scene> {
  const { merchants = 1, variables = {} } = options
  const database = await rig.ownDatabase()
  const setup = { key: rig.ownKey(), rpcUrl: rig.node.url, variables }
  const relayer = openRelayer(database, chain, setup)
  const paid = await Promise.all(
    Array.from({ length: merchants }, () => newForwarder(database, chain)),
  )
  await step(chain, relayer, 5)
  const due: SignedAuthorization[] = []
  for (const merchant of paid) due.push(...(await dueSettles(database, chain, merchant, payments)))
  return { database, relayer, due }
}

/** The transactions that carried payments, in the order in which they were made. */
function sent({ database }: Scene) {
  return database<{ outcome: string; itemCount: number; gasLimit: bigint }[]>`
    select outcome, item_count, gas_limit from relayer_tx where kind = 'x402' order by id`
}

/** Sends what waits. The token refuses the first payer in the very block that has the transaction. */
async function refuseFirst({ relayer, due }: Scene): Promise<void> {
  const [refused] = due
  if (refused === undefined) throw new Error('there is no payment')
  await relayer.turn()
  await setBlacklisted(chain, refused.authorization.from, true)
  await setBlacklisted(chain, refused.authorization.from, false)
  await relayer.turn()
}

/** What has become of the payments' work, in the order in which they are due. */
function workOf({ database, due }: Scene) {
  return Promise.all(
    due.map(async ({ authorization: { from } }) => {
      const [work] = await database`
        select w.state, w.tries, w.batch_limit, w.result
        from work_item w join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
        where p.payer = ${from}`
      return work
    }),
  )
}

describe('a payment that failed and should not have', () => {
  test('alone is left to a person after three transactions', async () => {
    const own = await scene(1)
    await refuseFirst(own)
    expect(await workOf(own)).toMatchObject([{ state: 'queued', tries: 1 }])
    await refuseFirst(own)
    expect(await workOf(own)).toMatchObject([{ state: 'queued', tries: 2 }])
    await refuseFirst(own)
    const result = { error: 'it failed 3 times without a reason' }
    expect(await workOf(own)).toMatchObject([{ state: 'review', tries: 2, result }])
    await step(chain, own.relayer, 2)
    const txs = await own.database`select outcome from relayer_tx where kind = 'x402'`
    expect(txs.map(({ outcome }) => outcome)).toEqual(['reverted', 'reverted', 'reverted'])
  })

  test('in a batch that went through has had a try, and may share the next one', async () => {
    const own = await scene(2)
    await refuseFirst(own)
    expect(await workOf(own)).toMatchObject([
      { state: 'queued', tries: 1, batchLimit: 100 },
      { state: 'settled', tries: 0 },
    ])
    await step(chain, own.relayer, 4)
    await expectSettledOnce(own.database, chain, own.due)
  })

  test('with its whole batch has had no try, and goes out in a smaller one', async () => {
    const own = await scene(2)
    await own.database`update work_item set tries = 2 where kind = 'x402'`
    const message = 'intrinsic gas too low'
    rig.node.rule(script('eth_sendRawTransaction', [{ type: 'error', code: -32000, message }]))
    for (let turn = 0; turn < 12 && !(await areAllSettlesConfirmed(own.database)); turn += 1) {
      await step(chain, own.relayer)
    }
    rig.node.rule()
    const alone = { state: 'settled', tries: 2, batchLimit: 1 }
    expect(await workOf(own)).toMatchObject([alone, alone])
    await expectSettledOnce(own.database, chain, own.due)
  })
})

describe('the gas of a batch', () => {
  test('is counted for each merchant, and payments that find no room go out with the next', async () => {
    const { base, perItem, perMerchant } = paymentsGas(USUAL_GAS)
    const six = base + 6n * perItem + perMerchant + distributionsGas(USUAL_GAS, 1)
    const variables = { GAS_TRANSACTION_BASE_SEPOLIA: `${six}` }
    const own = await scene(2, { merchants: 3, variables })
    await step(chain, own.relayer, 6)
    await expectSettledOnce(own.database, chain, own.due)
    const [first, second] = await sent(own)
    expect([first?.itemCount, second?.itemCount]).toEqual([4, 2])
    expect(first?.gasLimit).toBeGreaterThanOrEqual(base + 4n * perItem + 2n * perMerchant)
    expect(first?.gasLimit).toBeLessThanOrEqual(six)
  })

  test('that was too little for what they use is more for each in the smaller ones after it', async () => {
    const variables = { GAS_AUTHORIZATION_USE_BASE_SEPOLIA: '21000' }
    const own = await scene(40, { variables })
    for (let turn = 0; turn < 16 && !(await areAllSettlesConfirmed(own.database)); turn += 1) {
      await step(chain, own.relayer)
    }
    await expectSettledOnce(own.database, chain, own.due)
    const [first, ...rest] = await sent(own)
    expect(first).toMatchObject({ outcome: 'reverted', itemCount: 40 })
    expect(rest.length).toBeGreaterThan(1)
    for (const { outcome, itemCount } of rest) {
      expect(outcome).toBe('succeeded')
      expect(itemCount).toBeLessThanOrEqual(20)
    }
  })
})

test('a payment is sent when three seconds are left until validBefore, and not when two are', async () => {
  const own = await scene(2)
  const { timestamp } = await chain.client.getBlock()
  for (const [i, { authorization }] of own.due.entries()) {
    const validBefore = String(timestamp + 2n + BigInt(i))
    await own.database`
      update x402_payment set valid_before = ${validBefore} where payer = ${authorization.from}`
  }
  await own.relayer.turn()
  expect(await workOf(own)).toMatchObject([{ state: 'queued' }, { state: 'assigned' }])
})

/** The log of another place, so that none follows directly after another. */
function apart(log: unknown): object {
  return { ...Object(log), logIndex: `0x${(2 * Number(Object(log).logIndex)).toString(16)}` }
}

describe('a payment whose token logs otherwise than it did', () => {
  test('is left to a person, and not called failed', async () => {
    const own = await scene(1)
    await own.relayer.turn()
    await chain.mine()
    const [attempt] = await own.database`select hash from relayer_attempt order by tx_id desc`
    const receipt = Object(await chain.node.rpc('eth_getTransactionReceipt', [attempt?.hash]))
    const logs = receipt.logs.map(apart)
    const filter = { blockHash: receipt.blockHash, address: chain.usdc.address }
    const shown: unknown[] = Object(await chain.node.rpc('eth_getLogs', [filter]))
    rig.node.rule(({ method, params }) => {
      if (method === 'eth_getTransactionReceipt' && params[0] === attempt?.hash) {
        return { type: 'result', result: { ...receipt, logs } }
      }
      const isOfBlock = method === 'eth_getLogs' && Object(params[0]).blockHash !== undefined
      return isOfBlock ? { type: 'result', result: shown.map(apart) } : undefined
    })
    await step(chain, own.relayer, 3)
    rig.node.rule()
    const error = `its authorization was used in ${attempt?.hash}, and the token's logs do not show for what`
    expect(await workOf(own)).toMatchObject([{ state: 'review', result: { error } }])
    const [payment] = await own.database`select status from x402_payment`
    expect(payment?.status).toBe('pending')
  })
})
