import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { channelOf } from '../../support/x402/channels/ownChannel.ts'
import { FACTORY, listed, newWallet } from '../../support/x402/newWallets.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** Deposits of wallets that are created by the transaction that carries them out (ERC-6492). */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({ variables: { X402_WALLET_FACTORIES: listed(FACTORY) } })
}, 120_000)

afterAll(() => stack?.close())

async function walletChannel() {
  const wallet = await newWallet(stack.chain, 1_000n)
  return { wallet, ...(await channelOf(stack, wallet.owner, wallet)) }
}

const hasCode = async (address: `0x${string}`) =>
  (await stack.chain.client.getCode({ address })) !== undefined

test('a wallet that does not exist yet is created and deposits in one transaction, once', async () => {
  const { wallet, deposit } = await walletChannel()
  const body = await deposit(500n)
  expect(await stack.verify(body)).toMatchObject({ isValid: true, payer: wallet.address })
  expect(await hasCode(wallet.address)).toBe(false)
  const settled = await stack.settle(body)
  expect(settled).toMatchObject({ success: true, payer: wallet.address, amount: '500' })
  expect(await hasCode(wallet.address)).toBe(true)
  expect(await stack.settle(body)).toMatchObject({ error: 'duplicate_settlement' })
  const transactions = await stack.database`
    select distinct tx_hash from x402_channel_action where payer = ${wallet.address}`
  expect(transactions).toHaveLength(1)
  // It exists by now, and its client may wrap its signature all the same.
  expect(await stack.settle(await deposit(300n))).toMatchObject({ success: true })
}, 60_000)

test('a wallet of a factory that is not listed does not deposit, and nothing is sent', async () => {
  const { wallet, ...channel } = await walletChannel()
  const other = { ...wallet, wrap: (signature: `0x${string}`) => wallet.wrap(signature, UNLISTED) }
  const { deposit } = await channelOf(stack, wallet.owner, other)
  for (const body of [await deposit(500n)]) {
    const refused = { invalidReason: 'invalid_batch_settlement_evm_deposit_simulation_failed' }
    expect(await stack.verify(body)).toMatchObject({ isValid: false, ...refused })
    expect(await stack.settle(body)).toMatchObject({ success: false, error: refused.invalidReason })
  }
  const forged = JSON.parse(
    JSON.stringify(await channel.deposit(500n)).replaceAll('"500"', '"600"'),
  )
  expect(await stack.settle(forged)).toMatchObject({ success: false, transaction: '' })
  expect(await hasCode(wallet.address)).toBe(false)
}, 60_000)

const UNLISTED = lowerCaseAddress(`0x${'12'.repeat(20)}`)
