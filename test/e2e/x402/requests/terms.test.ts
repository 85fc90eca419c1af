import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { AGREEING_WALLET } from '../../../support/servers/bytecode.ts'
import { randomAddress } from '../../../support/x402/authorizations.ts'
import {
  expectRefused,
  expectSettled,
  present,
  type Variation,
} from '../../../support/x402/cases.ts'
import { requirementsFor, v2Body } from '../../../support/x402/requests.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** What is asked for, what was accepted and what was signed must be one thing. */

const VALUE = 'invalid_exact_evm_payload_authorization_value_mismatch'
const REQUIREMENTS = 'invalid_payment_requirements'
const SIGNATURE = 'invalid_exact_evm_payload_signature'

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack()
}, 120_000)

afterAll(() => stack.close())

describe('an authorization', () => {
  test('below, above and without any value is refused', async () => {
    for (const value of [PRICE - 1n, PRICE + 1n, 0n]) {
      await expectRefused(stack, await present(stack, { terms: { value } }), VALUE)
    }
  })

  test('of nothing at the price of nothing is refused', async () => {
    const free = await present(stack, { terms: { value: 0n }, requirements: { amount: '0' } })
    await expectRefused(stack, free, REQUIREMENTS)
  })

  test('in favour of anyone but payTo is refused, also of another merchant', async () => {
    const { forwarder } = await stack.newMerchant()
    for (const to of [forwarder, randomAddress()]) {
      const astray = await present(stack, { terms: { to } })
      await expectRefused(stack, astray, 'invalid_exact_evm_payload_recipient_mismatch')
    }
  })
})

describe('an authorization signed for another EIP-712 domain is refused', () => {
  const domains: Record<string, Variation['domain']> = {
    name: { name: 'USD Coin' },
    version: { version: '1' },
    chain: { chainId: 8453 },
    token: { verifyingContract: lowerCaseAddress('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913') },
  }
  for (const [part, domain] of Object.entries(domains)) {
    test(`with another ${part}`, async () => {
      await expectRefused(stack, await present(stack, { domain }), SIGNATURE)
    })
  }
})

describe('requirements are refused', () => {
  test('that tell payers of another EIP-712 domain than the token has', async () => {
    for (const extra of [{ name: 'USD Coin' }, { version: '1' }]) {
      await expectRefused(stack, await present(stack, { requirements: { extra } }), REQUIREMENTS)
    }
  })

  test('whose asset is no contract, or a token that takes no authorizations', async () => {
    const usdt = '0x477E549693c65DeF39eE1E9d6AF17490Bd5Fc0C5'
    for (const asset of [randomAddress(), usdt]) {
      await expectRefused(stack, await present(stack, { requirements: { asset } }), REQUIREMENTS)
    }
  })

  test("that pay someone who isn't a merchant", async () => {
    const payTo = randomAddress()
    const strange = await present(stack, { terms: { to: payTo }, requirements: { payTo } })
    await expectRefused(stack, strange, 'pay_to_not_registered')
  })

  test('that name another merchant than the one who is paid', async () => {
    const { id } = await stack.newMerchant()
    const extra = { merchantId: id }
    await expectRefused(stack, await present(stack, { requirements: { extra } }), REQUIREMENTS)
  })

  test('that pay another merchant than the one whose key is sent', async () => {
    const { body } = await present(stack)
    const [own, other] = [stack.merchant, await stack.newMerchant()]
    const withKey = ({ secretKey }: typeof own) => ({ 'x-service-key': secretKey })
    expect(await stack.verify(body, withKey(own))).toMatchObject({ isValid: true })
    expect(await stack.verify(body, withKey(other))).toMatchObject({ invalidReason: REQUIREMENTS })
    expect(await stack.settle(body, { headers: withKey(other) })).toMatchObject({
      success: false,
      error: REQUIREMENTS,
      transaction: '',
    })
  })

  test('that are not those which the payer accepted', async () => {
    const presented = await present(stack)
    const others = [
      { amount: (PRICE + 1n).toString() },
      { payTo: (await stack.newMerchant()).forwarder },
      { asset: randomAddress() },
    ]
    for (const change of others) {
      const accepted = requirementsFor(stack, change)
      const body = bodyThatAccepts(accepted, presented.body)
      await expectRefused(stack, { ...presented, body }, REQUIREMENTS)
    }
    const elsewhere = bodyThatAccepts(
      requirementsFor(stack, { network: 'eip155:8453' }),
      presented.body,
    )
    await expectRefused(stack, { ...presented, body: elsewhere }, 'invalid_network')
    const otherwise = bodyThatAccepts(requirementsFor(stack, { scheme: 'upto' }), presented.body)
    await expectRefused(stack, { ...presented, body: otherwise }, 'invalid_scheme')
  })

  test('of a network that is unknown, or is not switched on', async () => {
    for (const network of ['eip155:1', 'solana', 'eip155:11155111', '']) {
      const foreign = await present(stack, { requirements: { network } })
      await expectRefused(stack, foreign, 'invalid_network')
    }
  })

  test('of a scheme that is unknown', async () => {
    const other = await present(stack, { requirements: { scheme: 'deferred' } })
    await expectRefused(stack, other, 'unsupported_scheme')
  })
})

test('another version of x402 is refused, and two different ones', async () => {
  const presented = await present(stack)
  for (const x402Version of [0, 3, '2', 1]) {
    const body = { ...presented.body, x402Version }
    await expectRefused(stack, { ...presented, body }, 'invalid_x402_version')
  }
})

describe('an endpoint', () => {
  test('is paid at its own price, and its payment opens no other one', async () => {
    const [cheap, dear] = [await register('0.01'), await register('0.02')]
    const presented = await present(stack, { requirements: { extra: { endpointId: cheap } } })
    for (const [endpointId, amount] of [
      [dear, PRICE],
      [cheap, 2n * PRICE],
    ] as const) {
      const wrong = await present(stack, {
        terms: { value: amount },
        requirements: { amount: amount.toString(), extra: { endpointId } },
      })
      await expectRefused(stack, wrong, REQUIREMENTS)
    }
    await expectSettled(stack, presented)
    const sibling = requirementsFor(stack, { extra: { endpointId: await register('0.01') } })
    const { authorization, signature } = presented
    const again = v2Body(sibling, authorization, signature)
    expect(await stack.verify(again)).toMatchObject({ invalidReason: 'authorization_used' })
    expect(await stack.settle(again)).toMatchObject({
      success: false,
      error: 'authorization_used',
      transaction: '',
    })
  })

  test('that is not active is not paid', async () => {
    const endpointId = await register('0.01')
    const headers = { 'x-service-key': stack.merchant.secretKey }
    const path = `/v1/x402/endpoints/${endpointId}`
    const response = await stack.fetch(path, { method: 'DELETE', headers })
    expect(response.status).toBe(200)
    const late = await present(stack, { requirements: { extra: { endpointId } } })
    await expectRefused(stack, late, REQUIREMENTS)
  })

  test('that accepts no wallets is paid by accounts without code alone', async () => {
    const endpointId = await register('0.01', { acceptsWallets: false })
    const requirements = { extra: { endpointId } }
    const from = randomAddress()
    await stack.chain.node.rpc('anvil_setCode', [from, AGREEING_WALLET])
    await stack.chain.mint([{ to: from, amount: PRICE }])
    const wallet = await present(stack, { terms: { from }, requirements })
    await expectRefused(stack, wallet, SIGNATURE)
    await expectSettled(stack, await present(stack, { requirements }))
  })
})

describe('a payment that names no endpoint', () => {
  test('is for that of its resource, in whichever version, and stays it', async () => {
    const endpointUrl = 'https://shop.example/weather/:city'
    const endpointId = await register('0.01', { endpointUrl, ownTransaction: true })
    const resource = { url: 'https://shop.example/weather/oslo?unit=C' }
    const presented = await present(stack)
    const { paymentPayload, ...rest } = presented.body
    const body = { ...rest, paymentPayload: { ...Object(paymentPayload), resource } }
    await expectSettled(stack, { ...presented, body })
    expect(await endpointPaidBy(presented.authorization.nonce)).toBe(endpointId)
    await change(endpointId, { active: false })
    const again = { success: false, error: 'duplicate_settlement' }
    expect(await stack.settle(body)).toMatchObject(again)
    const elsewhere = { ...Object(paymentPayload), resource: { url: 'https://other.example/' } }
    const moved = await stack.settle({ ...rest, paymentPayload: elsewhere })
    expect(moved).toMatchObject({ success: false, error: 'authorization_used', transaction: '' })
  })
})

test('an endpoint whose price is replaced is paid at either price for a while', async () => {
  const endpointId = await register('0.01')
  await change(endpointId, { amountUsd: '0.02' })
  const requirements = { extra: { endpointId } }
  await expectSettled(stack, await present(stack, { requirements }))
  await stack.database`
    update x402_former_price set payable_until = now() where endpoint_id = ${endpointId}`
  await expectRefused(stack, await present(stack, { requirements }), REQUIREMENTS)
})

async function endpointPaidBy(nonce: string): Promise<string | null> {
  const [row] = await stack.database<{ endpointId: string | null }[]>`
    select endpoint_id from x402_payment where authorization_nonce = ${nonce}`
  return row?.endpointId ?? null
}

async function change(endpointId: string, changes: object): Promise<void> {
  const answer = await stack.fetch(`/v1/x402/endpoints/${endpointId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-service-key': stack.merchant.secretKey },
    body: JSON.stringify(changes),
  })
  expect(answer.status).toBe(200)
}

let registered = 0

/** The id of a new endpoint of the stack's merchant. */
async function register(amountUsd: string, options: object = {}): Promise<string> {
  registered += 1
  const response = await stack.fetch('/v1/x402/endpoints', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-key': stack.merchant.secretKey },
    body: JSON.stringify({
      endpointUrl: `https://shop.example/${registered}`,
      asset: 'USDC',
      network: 'base-sepolia',
      amountUsd,
      ...options,
    }),
  })
  const { data } = await response.json()
  return data.id
}

/** The same body, but for the requirements that the payer says to have accepted. */
function bodyThatAccepts(
  accepted: Record<string, unknown>,
  body: Record<string, unknown>,
): Record<string, unknown> {
  return { ...body, paymentPayload: { ...Object(body.paymentPayload), accepted } }
}
