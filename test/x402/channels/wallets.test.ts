import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { channelOf } from '../../support/x402/channels/ownChannel.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'
import { askPatiently } from '../../support/x402/truth.ts'
import { AGREEING_WALLET, burnsUnlessZero, placeCode } from '../../support/x402/walletCode.ts'

/** Deposits of contract wallets, which are asked for signatures and may burn the gas that they are given. */

/** Agrees where gas has no price, as in trials, and burns it all in transactions: GASPRICE. */
const BURNING = burnsUnlessZero('3a')

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 100 } })
}, 120_000)

afterAll(() => stack?.close())

async function payerWith(code: `0x${string}`) {
  const account = await stack.newPayer(1_000n)
  const channel = await channelOf(stack, account)
  await placeCode(stack.chain, lowerCaseAddress(account.address), code)
  return { ...channel, payer: lowerCaseAddress(account.address) }
}

test('one that agrees in its trial and burns its gas has one try, and its payer pauses', async () => {
  const { deposit, payer } = await payerWith(BURNING)
  const first = await deposit(500n)
  // Burnt gas takes a slow machine long, so that the first call may end before the payment does.
  const { answers } = await askPatiently(() => stack.settle(first))
  expect(answers.at(-1)).toMatchObject({
    success: false,
    error: 'invalid_batch_settlement_evm_deposit_transaction_failed',
  })
  const pauses = await stack.database`
    select from x402_wallet_pause where payer = ${payer} and until > now() + interval '50 minutes'`
  expect(pauses).toHaveLength(1)
  for (const body of [first, await deposit(500n)]) {
    expect(await stack.settle(body)).toMatchObject({ error: 'invalid_transaction_state' })
    expect(await stack.verify(body)).toMatchObject({ invalidReason: 'invalid_transaction_state' })
  }
  const tries = await stack.database`
    select from relayer_tx where kind = 'x402_channel' and outcome is not null`
  expect(tries).toHaveLength(1)
}, 120_000)

test('one that agrees deposits', async () => {
  const { deposit } = await payerWith(AGREEING_WALLET)
  expect(await stack.settle(await deposit(500n))).toMatchObject({ success: true })
}, 60_000)
