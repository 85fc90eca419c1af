import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { insertSweeps } from '../../../store/invoice/sweeps.ts'
import { copyLedger } from '../../support/invoice/ledgerCopy.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  dueSweeps,
  expectSweptOnce,
  expectUnbrokenNonces,
  states,
} from '../../support/relayer/sweeps.ts'
import { setBlacklisted, setOperator } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** How sweeps are carried out, and what becomes of those that fail. */

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 20 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

describe('a relayer', () => {
  test('registers the merchant, then sweeps every deposit once, in one batch', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 20)
    const relayer = openRelayer(database, chain, { key: rig.ownKey() })
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
    expect(await states(database)).toEqual({
      'settlement confirmed': 20,
      'sweep settled': 20,
      'configure settled': 1,
    })
    const kinds = await database`select kind from relayer_tx order by account_nonce`
    expect(kinds.map((row) => row.kind)).toEqual(['configure', 'sweep'])
    // Once when mined and once when confirmed.
    expect(relayer.changed.toSorted()).toEqual(
      sweeps.flatMap(({ invoiceId }) => [invoiceId, invoiceId]).toSorted(),
    )
  })

  test('sweeps to the recipient that the invoice itself names, without a registry entry', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 3, { pays: 'recipient' })
    await settleAll(database, chain, [openRelayer(database, chain, { key: rig.ownKey() })])
    await expectSweptOnce(database, chain, sweeps, collected)
    const kinds = await database`select distinct kind from relayer_tx`
    expect(kinds.map((row) => row.kind)).toEqual(['sweep'])
  })

  test('keeps no more in flight than allowed, and no more items in a batch', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 23, { pays: 'recipient' })
    const variables = { RELAYER_BATCH_MAX: '5', RELAYER_IN_FLIGHT_MAX: '3' }
    const relayer = openRelayer(database, chain, { key: rig.ownKey(), variables })
    await relayer.turn()
    await relayer.turn()
    expect(await states(database)).toMatchObject({ 'sweep assigned': 15, 'sweep queued': 8 })
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('ends a sweep that fails on-chain only at the confirmations, and carries out the others', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const [poor] = await dueSweeps(database, chain, 1, { pays: 'recipient', isFunded: false })
    const sweeps = await dueSweeps(database, chain, 4, { pays: 'recipient' })
    const relayer = openRelayer(database, chain, { key: rig.ownKey() })
    await step(chain, relayer)
    await relayer.turn()
    expect(await states(database)).toEqual({
      'settlement mined': 4,
      'settlement open': 1,
      'sweep settled': 4,
      'sweep assigned': 1,
    })
    await chain.mine()
    await relayer.turn()
    const [row] = await database`
      select status, error from settlement where id = ${poor?.settlementId ?? ''}`
    expect(row?.status).toBe('failed')
    expect(row?.error).toBe('DepositHoldsLess(0, 1000000)')
    expect(relayer.changed.filter((id) => id === poor?.invoiceId)).toHaveLength(1)
    await expectSweptOnce(database, chain, sweeps, collected)
  })

  test('books a fee that the token refuses as owed, and remits the rest', async () => {
    const database = await rig.ownDatabase()
    const [sweep] = await dueSweeps(database, chain, 1, { pays: 'recipient' })
    if (!sweep) throw new Error('there is no sweep')
    await setBlacklisted(chain, chain.collector, true)
    await settleAll(database, chain, [openRelayer(database, chain, { key: rig.ownKey() })])
    await setBlacklisted(chain, chain.collector, false)
    const [row] = await database`select status, fee_owed from settlement`
    expect(row).toEqual({ status: 'confirmed', feeOwed: sweep.fee })
    expect(await chain.balance(sweep.deposit)).toBe(sweep.fee)
    expect(await chain.balance(sweep.recipient)).toBe(sweep.amount - sweep.fee)
  })

  test('does not wait for a registry entry that has failed: the chain decides', async () => {
    const database = await rig.ownDatabase()
    const [sweep] = await dueSweeps(database, chain, 1)
    // The entry ends while the sweep that waits for it is being stored.
    await database`update work_item set state = 'failed' where kind = 'configure'`
    const relayer = openRelayer(database, chain, { key: rig.ownKey() })
    await step(chain, relayer, 4)
    const [row] = await database`select status, error from settlement`
    const error = expect.stringMatching(/^MerchantNotConfigured\(/)
    expect(row).toEqual({ status: 'failed', error })
    expect(relayer.changed).toEqual([sweep?.invoiceId ?? ''])
    expect(await chain.balance(sweep?.deposit ?? ZERO_ADDRESS)).toBe(sweep?.amount ?? 0n)
  })

  test('waits for a registry entry that is still on its way', async () => {
    const database = await rig.ownDatabase()
    const sweeps = await dueSweeps(database, chain, 2)
    const relayer = openRelayer(database, chain, { key: rig.ownKey() })
    await relayer.turn()
    await relayer.turn()
    expect(await states(database)).toEqual({
      'settlement open': 2,
      'sweep queued': 2,
      'configure assigned': 1,
    })
    const collected = await chain.balance(chain.collector)
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
  })

  for (const { money, ends } of [
    { money: 'enough for both', ends: ['confirmed', 'confirmed'] },
    { money: 'enough for the first one only', ends: ['confirmed', 'failed'] },
  ]) {
    test(`tells two rounds of one deposit in one batch apart, with ${money}`, async () => {
      const database = await rig.ownDatabase()
      const [sweep] = await dueSweeps(database, chain, 1, { pays: 'recipient' })
      if (!sweep) throw new Error('there is no sweep')
      const { invoiceId, deposit, recipient } = sweep
      const next = {
        ...{ invoiceId, waitsFor: null, notBefore: new Date(0) },
        networkId: chain.networkId,
        token: chain.usdc.address,
        round: 2,
        amount: baseUnits(700_000n),
        fee: baseUnits(0n),
        recipient,
        registryVersion: 0,
        leave: baseUnits(0n),
        deploys: false,
      }
      await database.begin((sql) => insertSweeps(sql, [next]))
      const isEnough = !ends.includes('failed')
      if (isEnough) await chain.mint([{ to: deposit, amount: 700_000n }])
      await step(chain, openRelayer(database, chain, { key: rig.ownKey() }), 4)
      const rows = await database`
        select s.status, s.tx_hash, w.result
        from settlement s join work_item w on (w.payload->>'settlementId')::uuid = s.id
        order by s.round`
      expect(rows.map((row) => row.status)).toEqual(ends)
      const first = { remitted: `${sweep.amount - sweep.fee}`, fee: `${sweep.fee}`, feeOwed: '0' }
      const second = isEnough
        ? { remitted: '700000', fee: '0', feeOwed: '0' }
        : { error: 'DepositHoldsLess(0, 700000)' }
      expect(rows.map((row) => row.result)).toEqual([first, second])
      expect(await chain.balance(deposit)).toBe(0n)
      const [count] = await database`select count(*)::integer as txs from relayer_tx`
      expect(count?.txs).toBe(1)
    })
  }

  test('sends a reverted batch again in halves, once it is sure that it reverted', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 8, { pays: 'recipient' })
    const key = rig.ownKey()
    const relayer = openRelayer(database, chain, { key })
    await relayer.turn()
    // The owner takes the operator away under the batch and gives it back: the batch reverts whole.
    await setOperator(chain, addressOf(key), false)
    await relayer.turn()
    const [tx] = await database`select state, outcome from relayer_tx`
    expect(tx).toEqual({ state: 'mined', outcome: 'reverted' })
    expect(await states(database)).toMatchObject({ 'sweep assigned': 8, 'settlement open': 8 })
    await setOperator(chain, addressOf(key), true)
    await settleAll(database, chain, [relayer])
    const batches = await database`
      select count(*)::integer as items from work_item group by tx_id order by tx_id`
    expect(batches.map((row) => row.items)).toEqual([4, 4])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })

  test('gives an item that reverts alone three tries, then leaves it to a person', async () => {
    const database = await rig.ownDatabase()
    await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const key = rig.ownKey()
    const relayer = openRelayer(database, chain, { key })
    for (let i = 0; i < 3; i += 1) {
      await relayer.turn()
      await setOperator(chain, addressOf(key), false)
      await setOperator(chain, addressOf(key), true)
      await relayer.turn()
    }
    for (let i = 0; i < 3; i += 1) await step(chain, relayer)
    const [item] = await database`select state, result from work_item`
    expect(item).toEqual({ state: 'review', result: { error: 'its transaction reverted 3 times' } })
    const [settlement] = await database`select status, error from settlement`
    expect(settlement).toEqual({ status: 'failed', error: 'its transaction reverted 3 times' })
    await expectUnbrokenNonces(database, chain)
  })

  test('books a sweep that another operator has made, instead of failing', async () => {
    const database = await rig.ownDatabase()
    const collected = await chain.balance(chain.collector)
    const sweeps = await dueSweeps(database, chain, 1, { pays: 'recipient' })
    const [mine, theirs] = [rig.ownKey(), rig.ownKey()]
    const other = await rig.ownDatabase()
    await copyLedger(database, other)
    const stranger = openRelayer(other, chain, { key: theirs, workerId: 'stranger' })
    await settleAll(other, chain, [stranger])
    await settleAll(database, chain, [openRelayer(database, chain, { key: mine })])
    await expectSweptOnce(database, chain, sweeps, collected)
    const [tx] = await database`select outcome from relayer_tx`
    expect(tx?.outcome).toBe('succeeded')
  })
})
