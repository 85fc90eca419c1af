import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { encodeFunctionData, erc20Abi } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { checksumAddress, type Hex, lowerCaseAddress } from '../../../../core/chain/evm.ts'
import type { RequirementsJson } from '../../../../core/x402/requirements.ts'
import { TOKEN_ABI } from '../../../../dev/stack/artifacts.ts'
import { transact } from '../../../support/relayer/transactions.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { EURC, seeIndexed } from '../../../support/servers/eurc.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { openFlowShop, REPORT } from '../../../support/x402/stockShops.ts'

/** Requests paid in EURC by a stock client, whose domain the service has read from the contract. */

let stack: X402Stack
let facilitator: ReturnType<typeof Bun.serve>

beforeAll(async () => {
  stack = await startX402Stack()
  await seeIndexed(stack.database)
  facilitator = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0 },
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = method === 'GET' ? null : await request.text()
      return stack.fetch(pathname + search, { method, headers, body })
    },
  })
}, 120_000)
afterAll(async () => {
  facilitator?.stop(true)
  await stack?.close()
}, 60_000)

const endpoint = {
  ...{ endpointUrl: 'http://127.0.0.1/report', asset: 'EURC', network: 'eip155:84532' },
  amount: '10000',
}

/** Registers the price as soon as it is offered: the worker has to see the hub, and the API the contract. */
async function priced(): Promise<RequirementsJson> {
  const headers = { 'x-service-key': stack.merchant.secretKey, 'content-type': 'application/json' }
  const body = JSON.stringify(endpoint)
  const answer = await eventually(
    async () => {
      const response = await stack.fetch('/v1/x402/endpoints', { method: 'POST', headers, body })
      return JSON.parse(await response.text())
    },
    ({ success }) => success === true,
  )
  return answer.payment_requirements
}

async function newPayer(): Promise<PrivateKeyAccount> {
  const payer = privateKeyToAccount(generatePrivateKey())
  const data = encodeFunctionData({
    ...{ abi: TOKEN_ABI, functionName: 'mint', args: [payer.address, 1_000_000n] },
  })
  const { chain } = stack
  const { status } = await transact(chain, chain.ownerKey, EURC, data)
  if (status !== 'success') throw new Error('nothing was minted')
  return payer
}

const balance = (holder: Hex) =>
  stack.chain.client.readContract({
    ...{ address: EURC, abi: erc20Abi, functionName: 'balanceOf', args: [holder] },
  })

describe('a price in EURC', () => {
  test('is paid by a stock client at a stock server, and reaches the merchant', async () => {
    const requirements = await priced()
    expect(requirements).toMatchObject({
      ...{ amount: '10000', asset: checksumAddress(EURC), extra: { name: 'EURC', version: '2' } },
    })
    const url = `http://127.0.0.1:${facilitator.port}/v1/x402`
    const shop = openFlowShop(url, requirements, 'authorization')
    const payer = await newPayer()
    const { recipient } = stack.merchant
    if (recipient === null) throw new Error('the merchant has a recipient')
    // Stock clients pay the tokens that they know, unless their owner says otherwise.
    const pay = wrapFetchWithPaymentFromConfig(fetch, {
      schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(payer) }],
      spendControls: false,
    })
    const response = await pay(shop.url)
    shop.close()
    expect([response.status, await response.json()]).toEqual([200, REPORT])
    expect(await balance(payer.address)).toBe(990_000n)
    // Half a per cent is the fee, and the forwarder keeps one base unit.
    await eventually(
      () => balance(recipient),
      (paid) => paid >= 9_940n,
    )
    const [row] = await stack.database<{ asset: string; status: string }[]>`
      select asset, status from x402_payment where payer = ${lowerCaseAddress(payer.address)}`
    expect(row).toEqual({ asset: EURC, status: 'settled' })
  }, 60_000)

  test('is refused in another domain than the contract tells', async () => {
    const requirements = await priced()
    const payer = await newPayer()
    const client = new ExactEvmScheme(payer)
    const pay = async (extra: Partial<RequirementsJson['extra']>) => {
      const asked = { ...requirements, extra: { ...requirements.extra, ...extra } }
      const { payload } = await client.createPaymentPayload(2, asked)
      return stack.verify({
        ...{ x402Version: 2, paymentRequirements: asked },
        paymentPayload: { x402Version: 2, accepted: asked, payload },
      })
    }
    expect(await pay({ version: '1' })).toMatchObject({
      ...{ isValid: false, invalidReason: 'invalid_payment_requirements' },
      invalidMessage: `extra.version must be the token's EIP-712 version, "2"`,
    })
    expect(await pay({})).toMatchObject({ isValid: true })
  }, 60_000)
})
