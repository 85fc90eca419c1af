import { describe, expect, test } from 'bun:test'
import { recoverTypedDataAddress } from 'viem'
import type { SigningWallet } from '../../support/web/signingWallet.ts'
import { expectSound, hearComplaints } from '../../support/web/sound.ts'
import {
  ASSET,
  account,
  chainWith,
  HOSTILE_PATH,
  payButton,
  price,
  reads,
  SETTLED,
  SHOP_URL,
  usePaywall,
} from '../../support/web/usePaywall.ts'
import { TRANSFER_WITH_AUTHORIZATION } from '../../support/x402/authorizations.ts'
import { hex } from '../../support/x402/payer.ts'

/** What a payer's wallet signs on the page of a paywall. The payment itself, on a chain: paywall.ts. */

const { api, visit } = usePaywall()

describe('a payer with a wallet', () => {
  test('signs exactly what was shown, and the resource opens as any page does', async () => {
    await visit({}, async (page) => {
      await page.getByRole('heading', { level: 1, name: '0.01 USDC' }).waitFor()
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      const [header = ''] = api.payments
      const { accepted, payload, resource } = JSON.parse(Buffer.from(header, 'base64').toString())
      expect(accepted).toEqual(api.prices[0])
      expect(resource).toEqual({ url: SHOP_URL })
      const { authorization, signature } = payload
      expect(authorization).toMatchObject({ from: account.address, value: '10000' })
      const left = Number(authorization.validBefore) - Date.now() / 1000
      expect(left).toBeWithin(200, 301)
      const signer = await recoverTypedDataAddress({
        domain: { name: 'USDC', version: '2', chainId: 84_532, verifyingContract: ASSET },
        types: TRANSFER_WITH_AUTHORIZATION,
        primaryType: 'TransferWithAuthorization',
        message: {
          from: hex(authorization.from),
          to: hex(authorization.to),
          value: BigInt(authorization.value),
          validAfter: 0n,
          validBefore: BigInt(authorization.validBefore),
          nonce: hex(authorization.nonce),
        },
        signature,
      })
      expect(signer).toBe(account.address)
      expect(api.payments).toHaveLength(1)
    })
  })

  test('pays where the path has semicolons, by a cookie that says nothing of hosts', async () => {
    const pending = { ...SETTLED, success: false, error: 'settlement_pending' }
    await visit({ path: HOSTILE_PATH, settled: pending }, async (page) => {
      await payButton(page).click()
      await reads(page, 'Your payment is pending')
      const cookies = await page.context().cookies()
      expect(cookies.map(({ domain, path }) => `${domain}${path}`)).toEqual(['127.0.0.1/reports/'])
      api.settled = SETTLED
      await page.getByRole('link', { name: 'Reload this page' }).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
    })
  })

  test('on another network switches first, and one that only injects itself is found, too', async () => {
    await visit({ wallet: { chainId: 1, by: 'EIP-1193' } }, async (page, asked) => {
      await page.getByRole('button', { name: 'Pay with this browser’s wallet' }).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      expect(asked).toContain('wallet_switchEthereumChain')
    })
  })

  test('chooses between networks', async () => {
    const wallet = { chainId: 1, knows: [1, 84_532] }
    await visit({ prices: [price(1, '50000'), price(84_532)], wallet }, async (page) => {
      await page.getByRole('heading', { level: 1, name: '0.05 USDC' }).waitFor()
      await page.getByRole('radio', { name: 'Base Sepolia 0.01 USDC' }).check()
      await page.getByRole('heading', { level: 1, name: '0.01 USDC' }).waitFor()
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      const payment = JSON.parse(Buffer.from(api.payments[0] ?? '', 'base64').toString())
      expect(payment.accepted.network).toBe('eip155:84532')
    })
  })

  const problems: [string, Partial<SigningWallet>, RegExp][] = [
    [
      'declines',
      { refuses: { eth_signTypedData_v4: 4001 } },
      /You declined the request in Test Wallet\. Nothing/,
    ],
    [
      'is on a network that it can’t leave',
      { chainId: 1, knows: [1] },
      /Base Sepolia is not set up in Test Wallet/,
    ],
    [
      'has too little',
      { rpc: chainWith(9_999n) },
      /0\.009999 USDC on Base Sepolia\. You need 0\.01/,
    ],
    ['would sign another amount', { rpc: chainWith(10n ** 30n, 18n) }, /Nothing was signed/],
  ]
  test.each(problems)('that %s reads so, and nothing is sent', async (_, wallet, sentence) => {
    await visit({ wallet }, async (page) => {
      const complaints = hearComplaints(page)
      await payButton(page).click()
      await reads(page, sentence)
      expect(await payButton(page).isEnabled()).toBe(true)
      await expectSound(page, complaints)
      expect(api.payments).toEqual([])
    })
  })

  test('whose payment is refused reads why, in words, and may pay again', async () => {
    const errorMessage = 'The payer has <b>too little</b>.'
    const settled = { ...SETTLED, success: false, error: 'insufficient_funds', errorMessage }
    await visit({ settled }, async (page) => {
      await payButton(page).click()
      await reads(page, `Your last payment was not accepted. ${errorMessage}`)
      api.settled = SETTLED
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      expect(api.payments).toHaveLength(2)
    })
  })

  test('whose payment takes long, or meets a server that is busy, shows the same one again', async () => {
    const pending = { ...SETTLED, success: false, error: 'settlement_pending' }
    await visit({ settled: pending }, async (page) => {
      await payButton(page).click()
      await reads(page, 'Your payment is pending')
      expect(await payButton(page).count()).toBe(0)
      api.isAway = true
      await page.getByRole('link', { name: 'Reload this page' }).click()
      await page.getByRole('heading', { name: 'Payments are currently unavailable' }).waitFor()
      Object.assign(api, { isAway: false, settled: SETTLED })
      await page.getByRole('link', { name: 'Reload this page' }).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      expect(new Set(api.payments).size).toBe(1)
    })
  })

  test('whose contract signs at length pays by more than one cookie', async () => {
    const long = { ...account, signTypedData: async () => `0x${'ab'.repeat(3_000)}` as const }
    await visit({ wallet: { account: long } }, async (page) => {
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      const payment = JSON.parse(Buffer.from(api.payments[0] ?? '', 'base64').toString())
      expect(payment.payload.signature).toHaveLength(6_002)
    })
  })
})
