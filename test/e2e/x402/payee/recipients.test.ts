import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { readMerchant } from '../../../../chain/hub/registry.ts'
import type { Address } from '../../../../core/chain/evm.ts'
import { addressOf } from '../../../../dev/stack/keys.ts'
import { setRecipient } from '../../../../store/access/merchants.ts'
import { workerConfig } from '../../../support/servers/chain.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { present } from '../../../support/x402/cases.ts'
import { PRICE, type Shop, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** Where a forwarder's money goes when the merchant's recipient is set late, or changes. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack()
}, 120_000)

afterAll(() => stack.close())

test('what was paid before there was a recipient goes to it, and what is paid later to its successor', async () => {
  const shop = await stack.newMerchant(null)
  await pay(shop)
  const first = await newRecipient(shop)
  await expectHeld(first, PRICE - 1n - 49n)
  const second = await newRecipient(shop)
  const inForce = () => readMerchant(stack.chain.client, stack.chain.hub, shop.id)
  // The hub hears of it without a payment: anyone could have it pay the old one otherwise.
  const entry = await eventually(inForce, ({ version }) => version === 2)
  expect(entry.treasury).toBe(second)
  await pay(shop)
  await expectHeld(second, PRICE - 50n)
  expect(await stack.chain.balance(first)).toBe(PRICE - 1n - 49n)
})

async function pay({ forwarder }: Shop): Promise<void> {
  const terms = { to: forwarder }
  const { body } = await present(stack, { terms, requirements: { payTo: forwarder } })
  expect(await stack.settle(body)).toMatchObject({ success: true })
}

async function newRecipient({ id }: Shop): Promise<Address> {
  const recipient = addressOf(generatePrivateKey())
  const { config } = workerConfig(stack.chain.variables())
  const change = await setRecipient(stack.database, config, id, recipient)
  if (!change.ok) throw new Error(change.message)
  return recipient
}

async function expectHeld(holder: Address, amount: bigint): Promise<void> {
  const held = await eventually(
    () => stack.chain.balance(holder),
    (balance) => balance > 0n,
  )
  expect(held).toBe(amount)
}
