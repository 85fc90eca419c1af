import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { getAddress } from 'viem'
import { baseUnits } from '../../../core/base/money.ts'
import { depositAddress } from '../../../core/hub/deposit.ts'
import { read } from '../../support/api/ledger.ts'
import { type ApiRig, HUB, openRig } from '../../support/api/rig.ts'

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
})
afterAll(() => rig.close())

const USDC_BASE_SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

describe('an address element has', () => {
  async function element() {
    const invoice = await rig.create({ chains: ['base-sepolia'] })
    const [first] = invoice.addresses
    if (!first) throw new Error('the invoice has no address')
    return { invoice, element: first }
  }

  test('networkId, the chain', async () => {
    expect((await element()).element.networkId).toBe('base-sepolia')
  })

  test('network, the readable name of the chain', async () => {
    expect((await element()).element.network).toBe('Base Sepolia')
  })

  test('networkName, the same name', async () => {
    expect((await element()).element.networkName).toBe('Base Sepolia')
  })

  test("networkSymbol, the symbol of the chain's own coin", async () => {
    expect((await element()).element.networkSymbol).toBe('ETH')
  })

  test('tokenAddress, the token on that chain', async () => {
    expect<string>((await element()).element.tokenAddress).toBe(USDC_BASE_SEPOLIA)
  })

  test('address, with checksum, the one that the settlement contract will deploy', async () => {
    const { invoice, element: first } = await element()
    const computed = depositAddress(HUB, {
      merchantId: invoice.merchantId,
      invoiceId: invoice.id,
      recipient: null,
      feeCap: baseUnits(50_000n),
    })
    expect<string>(first.address).toBe(getAddress(computed))
  })

  test('an address of its own for each invoice, watched before the answer', async () => {
    const [one, two] = [await element(), await element()]
    expect(one.element.address).not.toBe(two.element.address)
    const rows = await rig.database`
      select kind, merchant_id, invoice_id from watched
      where address = ${one.element.address.toLowerCase()}`
    expect(rows[0]).toMatchObject({ kind: 'deposit', invoiceId: one.invoice.id })
  })

  test('the same shape in answers to creating, reading and listing', async () => {
    const { invoice, element: first } = await element()
    expect((await read(rig, invoice)).addresses).toEqual([first])
    const listed = await rig.call('GET', '/v1/invoices?limit=1')
    expect(listed.list.data[0]?.addresses).toEqual([first])
  })
})
