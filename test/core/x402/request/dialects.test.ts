import { afterAll, describe, expect, test } from 'bun:test'
import { x402Client } from '@x402/core/client'
import {
  decodePaymentRequiredHeader,
  encodePaymentSignatureHeader,
  HTTPFacilitatorClient,
} from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createPaymentHeader } from 'x402/client'
import { decodePayment } from 'x402/schemes'
import type { PaymentRequirements } from 'x402/types'
import { useFacilitator } from 'x402/verify'
import { asX402PaymentId } from '../../../../core/base/ids.ts'
import { baseUnits } from '../../../../core/base/money.ts'
import { authorizationDigest, tokenDomain } from '../../../../core/x402/digest.ts'
import { settleAnswer, verifyAnswer } from '../../../../core/x402/request/answers.ts'
import { parsePaymentRequest } from '../../../../core/x402/request/parse.ts'
import { presentRequirements } from '../../../../core/x402/requirements.ts'
import type { PaymentRequest } from '../../../../core/x402/terms.ts'
import {
  BASE_SEPOLIA,
  CHAINS,
  ENDPOINT_ID,
  header,
  MERCHANT_ID,
  NONCE,
  PAY_TO,
  USDC,
} from '../../../support/core/x402Requests.ts'

/** Payloads made by the stock clients, sent by the stock facilitator clients, read by us. */

const account = privateKeyToAccount(`0x${'59'.repeat(32)}`)
const PAYER = account.address.toLowerCase()

const OURS = presentRequirements(
  {
    id: ENDPOINT_ID,
    merchantId: MERCHANT_ID,
    asset: USDC,
    amount: baseUnits(10_000n),
    description: 'a report',
  },
  PAY_TO,
  BASE_SEPOLIA,
)
const V1: PaymentRequirements = {
  scheme: 'exact',
  network: 'base-sepolia',
  maxAmountRequired: OURS.amount,
  resource: 'https://merchant.example/report',
  description: 'a report',
  mimeType: 'application/json',
  payTo: OURS.payTo,
  maxTimeoutSeconds: 300,
  asset: OURS.asset,
  extra: { name: 'USDC', version: '2' },
}
const PAYMENT_IDENTIFIER = 'pay_7d5d747be160e280'

/** Answers as the API does, as far as the core is concerned, and keeps what it was sent. */
const bodies: unknown[] = []
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body: unknown = await request.json()
    bodies.push(body)
    const parsed = parsePaymentRequest(body, CHAINS)
    const isVerify = new URL(request.url).pathname.endsWith('/verify')
    if (!parsed.ok) {
      return Response.json(
        isVerify
          ? verifyAnswer({ isValid: false, ...parsed })
          : settleAnswer({ success: false, ...parsed }),
      )
    }
    const { authorization, network, requirements } = parsed.request
    const payer = authorization.from
    return Response.json(
      isVerify
        ? verifyAnswer({ isValid: true, payer })
        : settleAnswer({
            success: true,
            paymentId: asX402PaymentId(ENDPOINT_ID),
            network,
            payer,
            asset: requirements.asset,
            amount: authorization.value,
            transaction: NONCE,
            settledAt: new Date(0),
          }),
    )
  },
})
afterAll(() => server.stop(true))
const url = `http://127.0.0.1:${server.port}` as const

function read(body: unknown): PaymentRequest {
  const parsed = parsePaymentRequest(JSON.parse(JSON.stringify(body)), CHAINS)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.request
}

/** The signature is the payer's over exactly what was read. */
async function signerOf({ authorization, signature }: PaymentRequest): Promise<string> {
  const domain = tokenDomain(BASE_SEPOLIA, USDC)
  if (!domain) throw new Error('there is no USDC')
  const hash = authorizationDigest(domain, authorization)
  return (await recoverAddress({ hash, signature })).toLowerCase()
}

function clientV2() {
  return new x402Client().register('eip155:84532', new ExactEvmScheme(account))
}

function paymentV2() {
  return clientV2().createPaymentPayload({
    x402Version: 2,
    resource: { url: 'https://merchant.example/report' },
    accepts: [OURS],
    extensions: {
      'payment-identifier': { info: { required: false, id: PAYMENT_IDENTIFIER }, schema: {} },
    },
  })
}

describe('v2 of the stock client', () => {
  test('is read as it was signed, payment identifier included', async () => {
    const facilitator = new HTTPFacilitatorClient({ url })
    const payment = await paymentV2()
    const verified = await facilitator.verify(payment, OURS)
    expect(verified).toMatchObject({ isValid: true, payer: PAYER })
    const settled = await facilitator.settle(payment, OURS)
    expect(settled).toMatchObject({
      success: true,
      payer: PAYER,
      network: 'eip155:84532',
      amount: '10000',
      transaction: NONCE,
    })
    const request = read(bodies.at(-1))
    expect(await signerOf(request)).toBe(PAYER)
    expect(request).toMatchObject({
      dialect: 'v2',
      network: 'eip155:84532',
      chain: BASE_SEPOLIA,
      authorization: { from: PAYER, to: PAY_TO, value: 10_000n, validAfter: 0n },
      requirements: {
        amount: baseUnits(10_000n),
        asset: USDC,
        payTo: PAY_TO,
        maxTimeoutSeconds: 300,
        name: 'USDC',
        version: '2',
        merchantId: MERCHANT_ID,
        endpointId: ENDPOINT_ID,
      },
    })
  })

  test('understands a refusal', async () => {
    const facilitator = new HTTPFacilitatorClient({ url })
    const payment = { ...(await paymentV2()), payload: {} }
    expect(await facilitator.verify(payment, OURS)).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_payload',
      invalidMessage: expect.stringContaining('paymentPayload.payload.authorization is missing'),
    })
    expect(await facilitator.settle(payment, OURS)).toMatchObject({
      success: false,
      errorReason: 'invalid_payload',
      errorMessage: expect.stringContaining('paymentPayload.payload.authorization is missing'),
      transaction: '',
      network: 'eip155:84532',
    })
  })
})

describe('v1 of the stock client', () => {
  test('is read as it was signed', async () => {
    const facilitator = useFacilitator({ url })
    const payment = decodePayment(await createPaymentHeader(account, 1, V1))
    expect(await facilitator.verify(payment, V1)).toEqual({
      isValid: true,
      payer: PAYER,
    })
    expect(await facilitator.settle(payment, V1)).toMatchObject({
      success: true,
      network: 'base-sepolia',
      transaction: NONCE,
    })
    const request = read(bodies.at(-1))
    expect(await signerOf(request)).toBe(PAYER)
    expect(request).toMatchObject({
      dialect: 'v1',
      network: 'base-sepolia',
      chain: BASE_SEPOLIA,
      requirements: { amount: baseUnits(10_000n), merchantId: null, endpointId: null },
    })
  })

  test('of the newer package is read as it was signed', async () => {
    const client = new x402Client().registerV1('base-sepolia', new ExactEvmSchemeV1(account))
    const challenge = decodePaymentRequiredHeader(header({ x402Version: 1, accepts: [V1] }))
    const payment = await client.createPaymentPayload(challenge)
    const request = read({ x402Version: 1, paymentPayload: payment, paymentRequirements: V1 })
    expect(request.dialect).toBe('v1')
    expect(await signerOf(request)).toBe(PAYER)
  })
})

describe('the payload as the text of the header', () => {
  test('is read when a v2 client made it', async () => {
    const request = read({
      x402Version: 2,
      paymentPayload: encodePaymentSignatureHeader(await paymentV2()),
      paymentRequirements: OURS,
    })
    expect(request.dialect).toBe('remit')
    expect(await signerOf(request)).toBe(PAYER)
  })

  test('is read when a v1 client made it, beside requirements in CAIP-2', async () => {
    const request = read({
      x402Version: 2,
      paymentPayload: await createPaymentHeader(account, 1, V1),
      paymentRequirements: OURS,
    })
    expect(request).toMatchObject({ dialect: 'remit', network: 'eip155:84532' })
    expect(await signerOf(request)).toBe(PAYER)
  })
})
