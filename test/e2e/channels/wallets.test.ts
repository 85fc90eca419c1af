import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { channelOf } from '../../support/x402/channels/ownChannel.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'
import { askWithRetries } from '../../support/x402/truth.ts'
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
  const { answers } = await askWithRetries(() => stack.settle(first))
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

test('claims by an account that has burnt gas of late go alone, whether it has code now or not', async () => {
  const account = await stack.newPayer(1_000n)
  const channel = await channelOf(stack, account)
  expect(await stack.settle(await channel.deposit(500n))).toMatchObject({ success: true })
  const alone = async (total: bigint) => {
    const claimed = await stack.settle(await channel.claim(new Map([[channel, total]])))
    expect(claimed).toMatchObject({ success: true })
    const [item] = await stack.database<{ isAlone: boolean }[]>`
      select w.payload ? 'asksContract' as is_alone from work_item w
      join x402_channel_action a on a.id = (w.payload->>'actionId')::uuid
      where a.kind = 'claim' and a.tx_hash = ${claimed.transaction}`
    return item?.isAlone
  }
  expect(await alone(100n)).toBe(false)
  await stack.database`
    insert into x402_wallet_pause (network_id, payer, failures, until)
    values ('base-sepolia', ${account.address.toLowerCase()}, 1, now() + interval '1 hour')`
  expect(await alone(200n)).toBe(true)
}, 60_000)

test('one that agrees deposits', async () => {
  const { deposit } = await payerWith(AGREEING_WALLET)
  expect(await stack.settle(await deposit(500n))).toMatchObject({ success: true })
}, 60_000)
