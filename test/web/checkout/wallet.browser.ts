import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addressOn, STATES, session, transfer } from '../../support/web/checkoutStates.ts'
import { useCheckout } from '../../support/web/useCheckout.ts'
import { callsOf, installWallet, type WalletPlan } from '../../support/web/wallet.ts'

/** What the page asks a payer's wallet for, and what it says when that refuses. */

const checkout = useCheckout()
const { lastPosted, withPage } = checkout

describe('a wallet in the browser', () => {
  const pay = async (plan: WalletPlan, look: (page: Page) => Promise<void>) =>
    withPage(async (page) => {
      await installWallet(page, plan)
      await page.goto(checkout.site.show(STATES.partial))
      await page.getByRole('button', { name: 'Pay with Test Wallet' }).click()
      await look(page)
    })

  test('is told of the network, asked again, and sends exactly what is due', async () => {
    await pay({ chainId: 1, knows: [1] }, async (page) => {
      await page.getByText('Test Wallet sent the payment.').first().waitFor()
      const calls = await callsOf(page)
      expect(calls.map(({ method }) => method)).toEqual([
        'eth_requestAccounts',
        'eth_chainId',
        'wallet_switchEthereumChain',
        'wallet_addEthereumChain',
        'eth_chainId',
        'eth_sendTransaction',
      ])
      expect(calls[3]?.params?.[0]).toMatchObject({ chainId: '0x2105', chainName: 'Base' })
      const { address, tokenAddress } = addressOn('base')
      const amount = (19_900_000).toString(16).padStart(64, '0')
      expect(calls[5]?.params?.[0]).toMatchObject({
        to: tokenAddress,
        data: `0xa9059cbb${address.slice(2).padStart(64, '0')}${amount}`,
        chainId: '0x2105',
      })
      await lastPosted((body) => body.includes('abab'))
      // What was sent isn't sent again while the network doesn't have it yet.
      expect(await page.getByRole('button', { name: 'Pay with' }).isEnabled()).toBe(false)
    })
  }, 120_000)

  test.each([
    [{ refuses: { eth_sendTransaction: 4001 } }, 'You declined the payment in Test Wallet.'],
    [{ refuses: { eth_requestAccounts: -32002 } }, 'Test Wallet has an open request.'],
    [{ refuses: { eth_sendTransaction: -32000 } }, 'Test Wallet couldn’t send the payment.'],
    [{ chainId: 1, isStubborn: true }, 'Test Wallet is on another network.'],
  ])(
    'that does otherwise is explained: %p',
    async (plan, sentence) => {
      await pay({ chainId: 8453, knows: [1, 8453], ...plan }, async (page) => {
        await page.locator('.attempt', { hasText: sentence }).waitFor()
        expect(await page.getByRole('button', { name: 'Pay with' }).isEnabled()).toBe(true)
      })
    },
    120_000,
  )

  test('that only is in the window pays like any other', async () => {
    await withPage(async (page) => {
      await installWallet(page, { chainId: 8453, knows: [8453], isOnlyInjected: true })
      await page.goto(checkout.site.show(STATES.partial))
      await page.getByRole('button', { name: 'Pay with your wallet' }).click()
      await page.getByText('your wallet sent the payment.').first().waitFor()
      expect((await callsOf(page)).at(-1)?.method).toBe('eth_sendTransaction')
    })
  }, 120_000)

  test('of a phone is opened with this page, and comes before a folded QR code', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const context = await checkout.browser.newContext(phone)
    const page = await context.newPage()
    const url = `${checkout.site.show(STATES.waiting)}?lang=en`
    await page.goto(url)
    const hrefs = await page
      .locator('.apps a')
      .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]))
    const whole = encodeURIComponent(url)
    expect(Object.fromEntries(hrefs)).toEqual({
      MetaMask: `https://metamask.app.link/dapp/${url.replace('http://', '')}`,
      'Coinbase Wallet': `https://go.cb-w.com/dapp?cb_url=${whole}`,
      'Trust Wallet': `https://link.trustwallet.com/open_url?coin_id=60&url=${whole}`,
      Rainbow: `https://rnbwapp.com/dapp?url=${whole}`,
      'OKX Wallet': `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${whole}`)}`,
    })
    const code = page.locator('.qr')
    expect(await code.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Show QR code' }).click()
    const [apps, qr] = [await page.locator('.apps').boundingBox(), await code.boundingBox()]
    expect(apps?.y).toBeLessThan(qr?.y ?? 0)
    await context.close()
  }, 120_000)

  test('and a QR code say the same as the page', async () => {
    await withPage(async (page) => {
      const payment = { due: '19.9', transfers: [transfer({ amount: '30' })] }
      await page.goto(checkout.site.show(session({ state: 'partial' }, payment)))
      const link = await page.locator('a.touch').getAttribute('href')
      const { address, tokenAddress } = addressOn('base')
      expect(link).toBe(
        `ethereum:${tokenAddress}@8453/transfer?address=${address}&uint256=19900000`,
      )
      await page.getByRole('img', { name: 'QR code of the address', exact: true }).waitFor()
      await page.getByText('With amount').click()
      await page.getByRole('img', { name: /token and the amount/ }).waitFor()
    })
  }, 120_000)
})
