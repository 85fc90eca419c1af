import { afterAll, beforeAll, expect, test } from 'bun:test'
import { privateKeyToAccount } from 'viem/accounts'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { AGREEING_WALLET } from '../../../support/servers/bytecode.ts'
import { randomAddress, randomHex } from '../../../support/x402/authorizations.ts'
import {
  expectRefused,
  expectSettled,
  type Presented,
  present,
} from '../../../support/x402/cases.ts'
import { submitByOther } from '../../../support/x402/chain.ts'
import { channelOf } from '../../../support/x402/channels/ownChannel.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { placeCode } from '../../../support/x402/walletCode.ts'

/** Deployments and endpoints that take no payers with code. */

const SIGNATURE = 'invalid_exact_evm_payload_signature'

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({ variables: { X402_WALLETS: 'off' } })
}, 120_000)

afterAll(() => stack.close())

/** A payment of a wallet that agrees to everything. */
async function presentFromWallet(): Promise<Presented> {
  const from = randomAddress()
  await placeCode(stack.chain, from, AGREEING_WALLET)
  await stack.chain.mint([{ to: from, amount: PRICE }])
  return present(stack, { payer: privateKeyToAccount(randomHex(32)), terms: { from } })
}

test('a wallet is refused, and told why, where the deployment takes none', async () => {
  const presented = await presentFromWallet()
  await expectRefused(stack, presented, SIGNATURE)
  const { invalidMessage } = await stack.verify(presented.body)
  expect(invalidMessage).toBe('payers with code (contract wallets) are not accepted here')
})

test('so is the deposit of one into a channel', async () => {
  const payer = await stack.newPayer(PRICE)
  const { deposit } = await channelOf(stack, payer)
  await placeCode(stack.chain, lowerCaseAddress(payer.address), AGREEING_WALLET)
  expect(await stack.verify(await deposit(PRICE))).toMatchObject({
    invalidReason: 'invalid_transaction_state',
    invalidMessage: 'payers with code (contract wallets) are not accepted here',
  })
})

test('a payer without code pays', async () => {
  await expectSettled(stack, await present(stack))
})

test('what another party has carried out costs nothing and is credited', async () => {
  const presented = await presentFromWallet()
  const transaction = await submitByOther(stack, presented)
  expect(await stack.settle(presented.body)).toMatchObject({ success: true, transaction })
})
