import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { keccak256 } from 'viem'
import type { Address, Hex } from '../../../../core/chain/evm.ts'
import type { WalletFactory } from '../../../../core/chain/walletFactory.ts'
import { transact } from '../../../support/relayer/transactions.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { randomAddress } from '../../../support/x402/authorizations.ts'
import {
  effectOf,
  expectRefused,
  expectSettled,
  type Presented,
  present,
  settledOnce,
} from '../../../support/x402/cases.ts'
import { newOtherSender } from '../../../support/x402/chain.ts'
import {
  FACTORY,
  listed,
  type NewWallet,
  newWallet,
  newWallets,
  treacherousFactory,
} from '../../../support/x402/newWallets.ts'
import { v2Body } from '../../../support/x402/requests.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { placeCode } from '../../../support/x402/walletCode.ts'

/** Payers whose wallet is created by the transaction that carries their payment out (ERC-6492). */

const UNDEPLOYED = 'invalid_exact_evm_payload_undeployed_smart_wallet'
const SIGNATURE = 'invalid_exact_evm_payload_signature'

const REVERTING = factoryOf(treacherousFactory('reverts'))
const BURNING = factoryOf(treacherousFactory('burns'))
/** Listed with another code than there is. */
const CHANGED = factoryOf('0x00')

let stack: X402Stack

beforeAll(async () => {
  const variables = { X402_WALLET_FACTORIES: listed(FACTORY, REVERTING, BURNING, CHANGED) }
  stack = await startX402Stack({ variables })
  await placeCode(stack.chain, REVERTING.address, treacherousFactory('reverts'))
  await placeCode(stack.chain, BURNING.address, treacherousFactory('burns'))
  await placeCode(stack.chain, CHANGED.address, treacherousFactory('burns'))
}, 120_000)

afterAll(() => stack.close())

describe('a wallet that does not exist yet', () => {
  test('is created and pays in one transaction, once', async () => {
    const wallet = await newWallet(stack.chain, PRICE)
    const presented = await presentFrom(wallet)
    await expectSettled(stack, presented)
    expect(await hasCode(wallet.address)).toBe(true)
    const rows = await stack.database`
      select w.kind from work_item w join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
      where p.payer = ${wallet.address} and p.is_wallet`
    expect(rows).toMatchObject([{ kind: 'x402_wallet' }])
    expect(await stack.settle(presented.body)).toMatchObject({ error: 'duplicate_settlement' })
    await expectRefused(stack, await presentFrom(wallet), 'insufficient_funds')
  })

  test('pays as the stock client has its account sign', async () => {
    const wallet = await newWallet(stack.chain, PRICE)
    const shape = await presentFrom(wallet)
    const signTypedData = async (typed: Parameters<typeof wallet.owner.signTypedData>[0]) =>
      wallet.wrap(await wallet.owner.signTypedData(typed))
    const signer = { address: wallet.address, signTypedData }
    const client = new x402Client().register('eip155:*', new ExactEvmScheme(signer))
    const required = {
      x402Version: 2,
      accepts: [shape.requirements],
      resource: { url: 'https://shop.example/report' },
    }
    const paymentPayload = await client.createPaymentPayload(Object(required))
    const body = { x402Version: 2, paymentPayload, paymentRequirements: shape.requirements }
    expect(await stack.verify(body)).toMatchObject({ isValid: true, payer: wallet.address })
    expect(await stack.settle(body)).toMatchObject({ success: true, payer: wallet.address })
  })

  test('goes beside others and beside payers of all kinds, each in a transaction of its own', async () => {
    const wallets = await newWallets(stack.chain, 3, PRICE)
    const presented = [...(await Promise.all(wallets.map((wallet) => presentFrom(wallet))))]
    const plain = await present(stack)
    const answers = await Promise.all([...presented, plain].map(({ body }) => stack.settle(body)))
    expect(answers.map(({ success }) => success)).toEqual([true, true, true, true])
    expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(4)
  })

  test('that someone has created in the meantime pays without its factory', async () => {
    const wallet = await newWallet(stack.chain, PRICE)
    const presented = await presentFrom(wallet)
    await createByOther(wallet)
    await expectSettled(stack, presented)
    const rows = await stack.database`
      select from x402_deployment d join x402_payment p on p.id = d.payment_id
      where p.payer = ${wallet.address}`
    expect(rows).toHaveLength(0)
  })

  test('is refused when its factory is not listed, or has other code than it is listed with', async () => {
    for (const factory of [randomAddress(), CHANGED.address]) {
      const wallet = await newWallet(stack.chain, PRICE)
      await expectRefused(stack, await presentFrom(wallet, { factory }), UNDEPLOYED)
      expect(await hasCode(wallet.address)).toBe(false)
    }
  })

  test("is refused when the call creates another party's wallet, or another key has signed", async () => {
    const [wallet, other] = await newWallets(stack.chain, 2, PRICE)
    if (!wallet || !other) throw new Error('there are two wallets')
    const presented = await presentFrom(wallet, { resign: (bare) => other.wrap(bare) })
    await expectRefused(stack, presented, SIGNATURE)
    const forged = await presentFrom({ ...wallet, owner: other.owner })
    await expectRefused(stack, forged, SIGNATURE)
  })

  test('is no excuse for a key to have us create something', async () => {
    const wallet = await newWallet(stack.chain, 0n)
    const presented = await present(stack, { resign: (bare) => wallet.wrap(bare) })
    await expectRefused(stack, presented, UNDEPLOYED)
    expect(await hasCode(wallet.address)).toBe(false)
  })

  test('without funds is refused', async () => {
    const wallet = await newWallet(stack.chain, PRICE - 1n)
    await expectRefused(stack, await presentFrom(wallet), 'insufficient_funds')
  })

  for (const [end, { address: factory }] of [
    ['reverts', REVERTING],
    ['burns all gas', BURNING],
  ] as const) {
    test(`whose factory ${end} on the chain alone has one try and pauses, and the wallet pays once it was created`, async () => {
      const wallet = await newWallet(stack.chain, 2n * PRICE)
      const presented = await presentFrom(wallet, {
        factory,
        requirements: { maxTimeoutSeconds: 5 },
      })
      const effect = await effectOf(stack, presented, async () => {
        expect(await stack.settle(presented.body)).toMatchObject({ error: 'settlement_pending' })
        await untilHeld(wallet.address)
      })
      expect(effect).toMatchObject({ isUsed: false, spent: 0n, transactions: 1 })
      expect(effect.payment).toEqual({ status: 'pending', reason: null })
      const again = await presentFrom(wallet)
      await expectRefused(stack, again, 'invalid_transaction_state')

      await createByOther(wallet)
      await stack.database`update x402_wallet_pause set until = now() where payer = ${wallet.address}`
      if (end === 'reverts') {
        // Its transaction has the same factory called, which fails again, and goes on.
        const resumed = await effectOf(stack, presented, () => stack.settle(presented.body))
        expect(resumed).toEqual(settledOnce(presented))
      }
      await expectSettled(stack, again)
    }, 120_000)
  }
})

interface Given {
  readonly factory?: Address
  readonly requirements?: Record<string, unknown>
  readonly resign?: (bare: Hex) => Hex
}

/** A payment of the wallet: signed by its owner, with the call that creates it. */
async function presentFrom(
  { address, owner, wrap }: NewWallet,
  { factory, requirements = {}, resign }: Given = {},
): Promise<Presented> {
  const bare = await present(stack, { payer: owner, terms: { from: address }, requirements })
  const signature = resign?.(bare.signature) ?? wrap(bare.signature, factory)
  return { ...bare, signature, body: v2Body(bare.requirements, bare.authorization, signature) }
}

function factoryOf(code: Hex): WalletFactory {
  return { address: randomAddress(), codeHash: keccak256(code) }
}

async function createByOther({ data }: NewWallet): Promise<void> {
  const key = await newOtherSender(stack.chain)
  const { status } = await transact(stack.chain, key, FACTORY.address, data)
  expect(status).toBe('success')
}

async function hasCode(address: Address): Promise<boolean> {
  return (await stack.chain.client.getCode({ address })) !== undefined
}

async function untilHeld(payer: Address): Promise<void> {
  await eventually(
    () => stack.database`
      select from work_item w join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
      where p.payer = ${payer} and w.state = 'held' and w.tries = 1`,
    (rows) => rows.length === 1,
  )
}
