import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { encodeAuthorization } from '../../../../chain/x402/settlement.ts'
import type { MerchantId, X402PaymentId } from '../../../../core/base/ids.ts'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import type { Authorization } from '../../../../core/x402/terms.ts'
import type { DoneAt } from '../../../../store/relayer/transition.ts'
import { storePaidByOthers } from '../../../../store/x402/settles.ts'
import { tokenCall, transact } from '../../../support/relayer/transactions.ts'
import { caller } from '../../../support/servers/bytecode.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import {
  randomAddress,
  signAuthorization,
  signCancellation,
} from '../../../support/x402/authorizations.ts'
import {
  effectOf,
  expectAnswers,
  expectRefused,
  NO_EFFECT,
  type Presented,
  present,
} from '../../../support/x402/cases.ts'
import { newOtherSender, newPayerWithKey, submitByOther } from '../../../support/x402/chain.ts'
import { eventsOf, untilStatus } from '../../../support/x402/ledger.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** Authorizations that another party used up before we were asked to settle them. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack()
}, 120_000)

afterAll(() => stack.close())

/** What a payment settled by another party's transfer comes to from then on. */
const ONLY_BOOKED = { ...NO_EFFECT, isUsed: true, payment: { status: 'settled', reason: null } }

describe('an authorization that another party submitted to the right address', () => {
  test('between verify and settle is settled, once, with that transaction', async () => {
    const presented = await present(stack)
    expect(await stack.verify(presented.body)).toMatchObject({ isValid: true })
    const transaction = await submitByOther(stack, presented)
    await expectBookedOnce(presented, transaction)
  })

  test('before verify is good, and settled once with that transaction', async () => {
    const presented = await present(stack)
    const transaction = await submitByOther(stack, presented)
    expect(await stack.verify(presented.body)).toMatchObject({ isValid: true })
    await expectBookedOnce(presented, transaction)
  })

  test('is one success for ten calls at once', async () => {
    const presented = await present(stack)
    const transaction = await submitByOther(stack, presented)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stack.settle(presented.body)),
    )
    expect(answers.map((answer) => answer.transaction)).toEqual(Array(10).fill(transaction))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.filter(({ error }) => error === 'duplicate_settlement')).toHaveLength(9)
  })
})

/** settle accepts the payment with the other sender's transaction, and calls every repeat a duplicate. */
async function expectBookedOnce(presented: Presented, transaction: string): Promise<void> {
  const { body, authorization } = presented
  const effect = await effectOf(stack, presented, async () => {
    const first = await stack.settle(body)
    expect(first).toMatchObject({
      success: true,
      payer: authorization.from,
      amount: PRICE.toString(),
      transaction,
    })
    expect(await stack.settle(body)).toMatchObject({
      success: false,
      error: 'duplicate_settlement',
      transaction,
      paymentId: first.paymentId,
    })
    expect(await stack.verify(body)).toMatchObject({ invalidReason: 'duplicate_settlement' })
  })
  expect(effect).toEqual(ONLY_BOOKED)
}

describe('an authorization whose nonce was used', () => {
  const others: readonly (readonly [
    what: string,
    change: () => Promise<Partial<Authorization>>,
  ])[] = [
    ['to pay somebody else', async () => ({ to: randomAddress() })],
    ['to pay another merchant', async () => ({ to: (await stack.newMerchant()).forwarder })],
    ['to pay another amount', async () => ({ value: PRICE - 1n })],
    ['to pay nothing', async () => ({ value: 0n })],
  ]
  for (const [what, change] of others) {
    test(`${what} is used up`, async () => {
      const presented = await present(stack)
      await submitByOther(stack, await signedOtherwise(presented, await change()))
      await expectRefused(stack, presented, 'authorization_used')
    })
  }

  test('to pay the payer itself, beside a real payment by another nonce, is credited once', async () => {
    const payer = await stack.newPayer()
    const burnt = await present(stack, { payer })
    const paying = await present(stack, { payer })
    const own = await signedOtherwise(burnt, { to: lowerCaseAddress(payer.address) })
    const transaction = await submitTogether([own, paying])
    await expectRefused(stack, burnt, 'authorization_used')
    await expectBookedOnce(paying, transaction)
    await expectRefused(stack, burnt, 'authorization_used')
  })
})

test('two payments in one transaction of another sender are two, each with a log of its own', async () => {
  const payer = await stack.newPayer()
  const both = [await present(stack, { payer }), await present(stack, { payer })]
  const transaction = await submitTogether(both)
  for (const presented of both) await expectBookedOnce(presented, transaction)
  const rows = await stack.database`
    select distinct log_index from x402_payment where tx_hash = ${transaction}`
  expect(rows).toHaveLength(2)
})

test('a payment in a block that no one has watched is confirmed all the same', async () => {
  const presented = await present(stack)
  await submitByOther(stack, presented)
  const { paymentId } = await stack.settle(presented.body)
  if (paymentId === undefined) throw new Error('the payment was not settled')
  await untilConfirmed(paymentId)
  // As if the ledger had been away since before that block, for longer than it looks back.
  await stack.database.begin(async (sql) => {
    const [row] = await sql<{ blockNumber: bigint }[]>`
      update x402_payment set confirmed_at = null where id = ${paymentId} returning block_number`
    await sql`delete from chain_block where number = ${row?.blockNumber ?? 0n}`
  })
  await untilConfirmed(paymentId)
})

test('a payment that the chain doesn’t show is not confirmed, regardless of what its row says', async () => {
  const real = await present(stack)
  await submitByOther(stack, real)
  await expect(stack.settle(real.body)).resolves.toMatchObject({ success: true })
  const [at] = await stack.database<(DoneAt & { merchantId: MerchantId })[]>`
    select tx_hash, log_index, block_number as block, block_hash, merchant_id from x402_payment
    where payer = ${real.authorization.from}`
  if (at === undefined) throw new Error('the payment was not booked')
  const forged = await present(stack, { payer: await stack.newPayer(0n) })
  const payment = {
    ...{ ...forged, merchantId: at.merchantId, endpointId: null, claimedBlock: at.block },
    ...{ networkId: stack.chain.networkId, asset: stack.chain.usdc.address },
    ...{ isWallet: false, payerCode: null },
  }
  await stack.database.begin((sql) => {
    return storePaidByOthers(sql, payment, { ...at, logIndex: at.logIndex + 1 })
  })
  // It was not made, and can't be: its payer has nothing.
  await untilStatus(stack, forged, 'failed')
  expect(await eventsOf(stack, forged)).toEqual(['x402.payment.failed'])
  expect(await eventsOf(stack, real)).toEqual(['x402.payment.settled'])
})

async function untilConfirmed(paymentId: X402PaymentId): Promise<void> {
  await eventually(
    () => stack.database`
      select from x402_payment where id = ${paymentId} and confirmed_at is not null`,
    (rows) => rows.length === 1,
  )
}

test('an authorization that its payer cancelled is refused, after verify as well', async () => {
  const { payer, key } = await newPayerWithKey(stack)
  const presented = await present(stack, { payer })
  expect(await stack.verify(presented.body)).toMatchObject({ isValid: true })
  const { from, nonce } = presented.authorization
  const cancellation = await signCancellation(stack.chain, { ...presented, key })
  const call = tokenCall('cancelAuthorization', [from, nonce, cancellation])
  await transact(stack.chain, await newOtherSender(stack.chain), stack.chain.usdc.address, call)
  await expectRefused(stack, presented, 'authorization_cancelled')
})

describe('a nonce that was copied from a settled payment', () => {
  test('opens nothing with the signature of anyone else', async () => {
    const settled = await present(stack)
    expect(await stack.settle(settled.body)).toMatchObject({ success: true })
    const { nonce } = settled.authorization
    const poor = await stack.newPayer(0n)
    await expectRefused(
      stack,
      await present(stack, { payer: poor, terms: { nonce } }),
      'insufficient_funds',
    )
    const stolen = await present(stack, { payer: poor, terms: settled.authorization })
    await expectAnswers(stack, stolen.body, 'invalid_exact_evm_payload_signature')
  })
})

/** The same payer's authorization of something else by the same nonce. */
async function signedOtherwise(
  { payer, ...signed }: Presented,
  change: Partial<Authorization>,
): Promise<Pick<Presented, 'authorization' | 'signature'>> {
  const authorization = { ...signed.authorization, ...change }
  return { authorization, signature: await signAuthorization(stack.chain, payer, authorization) }
}

/** Another sender's contract calls the token for each of these, in one transaction. */
async function submitTogether(
  payments: readonly Pick<Presented, 'authorization' | 'signature'>[],
): Promise<string> {
  const { chain } = stack
  const contract = randomAddress()
  const to = chain.usdc.address
  const code = caller(payments.map((payment) => ({ to, data: encodeAuthorization(payment) })))
  await chain.node.rpc('anvil_setCode', [contract, code])
  const receipt = await transact(chain, await newOtherSender(chain), contract, '0x')
  expect(receipt.status).toBe('success')
  return receipt.transactionHash
}
