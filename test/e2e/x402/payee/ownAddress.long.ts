import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { ownAddressTypedData } from '../../../../chain/blocks/ownAddress.ts'
import { checksumAddress, lowerCaseAddress } from '../../../../core/chain/evm.ts'
import type { X402PaymentJson } from '../../../../core/x402/presentPayment.ts'
import { reportDays } from '../../../../store/invoice/list/movements.ts'
import { keyWallet } from '../../../support/servers/bytecode.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { randomAddress } from '../../../support/x402/authorizations.ts'
import { compare, stopChain, untilBooked } from '../../../support/x402/books.ts'
import { expectAnswers, type Presented, present } from '../../../support/x402/cases.ts'
import { submitByOther } from '../../../support/x402/chain.ts'
import { untilAllAreMined } from '../../../support/x402/ledger.ts'
import { newOwnAddress, registerOwn, removeOwn } from '../../../support/x402/ownAddress.ts'
import { PRICE, type Shop, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { placeCode } from '../../../support/x402/walletCode.ts'

/** Merchants who are paid at addresses of their own, without a forwarder between. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({ variables: { X402_DIRECT_FEE: 'on', X402_FEE_BPS: '100' } })
}, 120_000)

afterAll(() => stack.close())

const UNREGISTERED = 'pay_to_not_registered'

function presentTo(payTo: string, amount = PRICE): Promise<Presented> {
  return present(stack, {
    terms: { to: lowerCaseAddress(payTo), value: amount },
    requirements: { payTo, amount: amount.toString() },
  })
}

async function get<T>(path: string, { secretKey }: Shop): Promise<T> {
  const answer = await stack.fetch(path, { headers: { 'x-service-key': secretKey } })
  return (await answer.json()).data
}

const paymentsOf = (shop: Shop) => get<X402PaymentJson[]>('/v1/x402/payments', shop)

describe('registering', () => {
  test('takes the signature of the address for this merchant, and no other', async () => {
    const { merchant } = stack
    const other = await stack.newMerchant()
    const own = privateKeyToAccount(generatePrivateKey())
    const stranger = privateKeyToAccount(generatePrivateKey())
    const sign = (by: PrivateKeyAccount, { id }: Shop) =>
      by.signTypedData(ownAddressTypedData(id, lowerCaseAddress(own.address)))
    const send = (signature: string, shop = merchant) =>
      registerOwn(stack, shop, own.address, { signature })
    for (const wrong of [
      await sign(stranger, merchant),
      await sign(own, other),
      '0x',
      'no',
      '0x12',
    ]) {
      expect((await send(wrong)).status).toBe(400)
    }
    const good = await sign(own, merchant)
    for (const _ of ['first', 'again']) {
      const { status, data } = await send(good)
      expect(status).toBe(200)
      expect(data).toMatchObject({ address: own.address, network: null })
    }
    const taken = await send(await sign(own, other), other)
    expect(taken.status).toBe(400)
    expect(JSON.stringify(taken)).toContain('by another merchant')
    expect(await get('/v1/x402/addresses', merchant)).toMatchObject([{ address: own.address }])
    expect(await get('/v1/x402/addresses', other)).toEqual([])
    await removeOwn(stack, merchant, own.address)
    expect((await send(await sign(own, other), other)).status).toBe(200)
  })

  test('asks a contract wallet on its chain, where alone it is theirs', async () => {
    const { merchant, chain } = stack
    const owner = privateKeyToAccount(generatePrivateKey())
    const wallet = randomAddress()
    await placeCode(chain, wallet, keyWallet(lowerCaseAddress(owner.address)))
    const sign = (by: PrivateKeyAccount) =>
      by.signTypedData(ownAddressTypedData(merchant.id, wallet))
    const send = (signature: string, network?: string) =>
      registerOwn(stack, merchant, wallet, { signature, ...(network && { network }) })
    const signature = await sign(owner)
    expect((await send(signature)).status).toBe(400)
    const stranger = privateKeyToAccount(generatePrivateKey())
    expect((await send(await sign(stranger), 'base-sepolia')).status).toBe(400)
    expect((await send(signature, 'polygon')).status).toBe(400)
    expect(await send(signature, 'base-sepolia')).toMatchObject({
      status: 200,
      data: { network: 'eip155:84532' },
    })
    expect(await stack.verify((await presentTo(wallet)).body)).toMatchObject({ isValid: true })
    await stack.database`
      update x402_own_address set network_id = 'sepolia' where address = ${wallet}`
    await expectAnswers(stack, (await presentTo(wallet)).body, UNREGISTERED)
  })

  test('refuses what is no address of theirs: a forwarder, the hub, a token', async () => {
    const { merchant, chain } = stack
    for (const address of [merchant.forwarder, chain.hub, chain.usdc.address, '0x12']) {
      const { status } = await registerOwn(stack, merchant, address, { signature: '0x1234' })
      expect(status).toBe(400)
    }
  })
})

test('an address that no one has registered is refused, and the developer is told what to do', async () => {
  const stranger = checksumAddress(randomAddress())
  const { body } = await presentTo(stranger)
  await expectAnswers(stack, body, UNREGISTERED)
  const { invalidMessage } = await stack.verify(body)
  expect(invalidMessage).toContain('is not registered as an address of its own')
  expect(invalidMessage).toContain('POST /v1/x402/addresses/')
})

describe('a payment to an own address', () => {
  test('arrives in full, once, in the books as in the chain, and owes its fee', async () => {
    const shop = await stack.newMerchant()
    const own = await newOwnAddress(stack, shop)
    const presented = await presentTo(own)
    expect(await stack.verify(presented.body)).toMatchObject({ isValid: true })
    const answers = await Promise.all(Array.from({ length: 5 }, () => stack.settle(presented.body)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(await stack.chain.balance(own)).toBe(PRICE)
    const settled = await eventually(
      () => paymentsOf(shop),
      ([payment]) => payment?.confirmedAt !== null,
    )
    expect(settled).toMatchObject([
      {
        ...{ status: 'settled', direct: true, amount: '0.01', fee: '0.00', feeOwed: '0.0001' },
        ...{ merchantAmount: '0.01', distributionId: null, payTo: own },
      },
    ])
    const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) }
    const direct = { x402Direct: PRICE, x402FeesOwed: PRICE / 100n, x402Remitted: 0n }
    expect(await reportDays(stack.database, shop.id, range)).toMatchObject([
      { x402Payments: 1, x402Received: 0n, ...direct },
    ])
    const [change] = await stack.database`
      select type, amount, fee from movement_tally_change where merchant_id = ${shop.id}
      union all select type, amount, fee from movement_tally where merchant_id = ${shop.id}`
    expect(change).toEqual({ type: 'x402_direct', amount: PRICE, fee: PRICE / 100n })
    expect(await get('/v1/balances', shop)).toEqual([])
  })

  test('that another party carries out is settled by that transaction', async () => {
    const shop = await stack.newMerchant()
    const own = await newOwnAddress(stack, shop)
    const presented = await presentTo(own)
    await submitByOther(stack, presented)
    expect(await stack.settle(presented.body)).toMatchObject({ success: true })
    const payments = await eventually(
      () => paymentsOf(shop),
      ([payment]) => payment?.confirmedAt !== null,
    )
    expect(payments).toMatchObject([{ status: 'settled', direct: true }])
    expect(await stack.chain.balance(own)).toBe(PRICE)
  })

  test('is refused once the address is removed, and what was claimed before is carried out', async () => {
    const shop = await stack.newMerchant()
    const own = await newOwnAddress(stack, shop)
    const begun = await presentTo(own)
    const hasty = stack.settle(begun.body)
    await eventually(
      () => paymentsOf(shop),
      ({ length }) => length === 1,
    )
    await removeOwn(stack, shop, own)
    expect(await hasty).toMatchObject({ success: true })
    await expectAnswers(stack, (await presentTo(own)).body, UNREGISTERED)
    expect(await stack.chain.balance(own)).toBe(PRICE)
  })

  test('is never sent for a row that names an address of no one', async () => {
    const shop = await stack.newMerchant()
    const own = await newOwnAddress(stack, shop)
    await stack.database`update x402_own_address set address = ${randomAddress()} where address = ${lowerCaseAddress(own)}`
    const { authorization } = await presentTo(own)
    const rows = await stack.database`
      select * from claim_authorizations(${JSON.stringify([
        {
          ...{ id: Bun.randomUUIDv7(), merchant_id: shop.id, network_id: 'base-sepolia' },
          ...{
            asset: stack.chain.usdc.address,
            payer: authorization.from,
            pay_to: authorization.to,
          },
          ...{ authorization_nonce: authorization.nonce, amount: '1', valid_after: '0' },
          ...{
            valid_before: '4000000000',
            signature: '0x12',
            is_wallet: false,
            claimed_block: '1',
          },
        },
      ])}::text::json)`
    expect(rows).toHaveLength(0)
  })
})

test('travels with payments to forwarders, which alone are paid out', async () => {
  const shop = await stack.newMerchant()
  const own = await newOwnAddress(stack, shop)
  const all = [
    await presentTo(own, 7n),
    await presentTo(shop.forwarder, 11n),
    await presentTo(own, 5n),
  ]
  const answers = await Promise.all(all.map(({ body }) => stack.settle(body)))
  expect(answers.map(({ success }) => success)).toEqual([true, true, true])
  await untilAllAreMined(stack)
  expect(await stack.chain.balance(own)).toBe(12n)
  await untilBooked(stack)
  await stopChain(stack)
  const report = await compare(stack)
  expect(report.differences).toEqual([])
  const [books] = report.chains
  expect(books?.x402.payments).toBe(await settledPayments())
}, 120_000)

async function settledPayments(): Promise<number> {
  const rows = await stack.database`select from x402_payment where status = 'settled'`
  return rows.length
}
