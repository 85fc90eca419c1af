import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { STATES, session, transfer } from '../../support/web/checkoutStates.ts'
import { untilAlive } from '../../support/web/sound.ts'
import { useCheckout } from '../../support/web/useCheckout.ts'

/** What the page recommends, and what it says when a payment went wrong. */

const checkout = useCheckout()
const { lastPosted, withPage } = checkout

const heading = (page: Page) => page.locator('#state').textContent()

describe('the choice', () => {
  test('begins with the cheapest network that works normally, and the button says it', async () => {
    await withPage(async (page) => {
      await page.goto(`${checkout.site.show(STATES.choosing)}?lang=en`)
      const base = page.getByRole('radio', { name: /^Base/ })
      expect(await base.isChecked()).toBe(true)
      await page.getByText('network fee about 0.006 USD · usually 24 seconds').waitFor()
      // Polygon costs less, and is delayed.
      expect(await page.locator('.best').first().textContent()).toBe('Recommended')
      expect(await page.locator('.card', { has: page.locator('.best') }).allTextContents()).toEqual(
        [expect.stringContaining('Base'), expect.stringContaining('Ethereum')],
      )
      await page.getByRole('button', { name: 'Continue with USDC on Base' }).waitFor()
      await page.locator('input[value="USDT ethereum"]').check()
      await page.getByRole('button', { name: 'Continue with USDT on Ethereum' }).click()
      await lastPosted((body) => body.includes('USDT') && body.includes('ethereum'))
    })
  }, 60_000)

  test('that is no longer offered is asked for in words', async () => {
    await withPage(async (page) => {
      await page.goto(`${checkout.site.show({ ...STATES.choosing, version: 1 })}?lang=en`)
      await page.getByRole('button', { name: 'Continue with USDC on Base' }).waitFor()
      const tokens = STATES.choosing.tokens.map((token) => ({
        ...token,
        networks: token.networks.filter(({ networkId }) => networkId !== 'base'),
      }))
      const posts = checkout.site.posted.length
      checkout.site.show({ ...STATES.choosing, version: 2, tokens })
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await page.locator('.problem', { hasText: 'Choose a token and a network first.' }).waitFor()
      expect(checkout.site.posted.length).toBe(posts)
    })
  }, 60_000)

  test('is where Back leads from the payment, and Forward to the payment again', async () => {
    await withPage(async (page) => {
      await page.goto(`${checkout.site.show(STATES.choosingNetwork)}?lang=en`)
      await page.getByRole('button', { name: 'Continue with USDC on Base' }).click()
      const payment = page.getByRole('heading', { name: 'USDC on Base' })
      await payment.waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Choose how to pay' }).waitFor()
      await page.goForward()
      await payment.waitFor()
    })
  }, 60_000)

  test('of before is remembered where the address says nothing', async () => {
    await withPage(async (page) => {
      await page.goto(
        `${checkout.site.show({ ...STATES.choosingNetwork, chosenNetwork: 'polygon' })}?lang=en`,
      )
      await page.getByRole('heading', { name: 'USDC on Polygon' }).waitFor()
    })
  }, 60_000)
})

describe('money that does not count', () => {
  test('is the headline: what arrived, that it is safe, who decides, and what to do', async () => {
    await withPage(async (page) => {
      await page.goto(`${checkout.site.show({ ...STATES.waiting, version: 1 })}?lang=en`)
      await untilAlive(page)
      checkout.site.show({ ...STATES.wrongToken, version: 2 })
      await page.getByText('49.90 USDT received, but in the wrong token').first().waitFor()
      const next = (await page.locator('.status .next').textContent()) ?? ''
      expect(next).toContain('Your money on Base is safe')
      expect(next).toContain('Northwind Coffee decides whether to refund it')
      expect(next).toContain('Don’t send it again')
      // The address for refunds is open, and paying again is not what the page begins with.
      expect(await page.getByLabel('Your address').isVisible()).toBe(true)
      expect(await page.locator('.pay').isVisible()).toBe(false)
      await page.getByText('Pay 49.90 USDC now').click()
      expect(await page.locator('.pay').isVisible()).toBe(true)
    })
  }, 60_000)

  test('no longer is once it is being refunded, or what counts has come', async () => {
    await withPage(async (page) => {
      const other = transfer({ kind: 'other', tokenSymbol: 'USDT', returning: '49.9' })
      await page.goto(
        `${checkout.site.show(session({ state: 'waiting' }, { transfers: [other] }))}?lang=en`,
      )
      expect(await heading(page)).toBe('Waiting for your payment')
      const both = { received: '30', due: '19.9', transfers: [{ ...other, returning: '0' }] }
      await page.goto(`${checkout.site.show(session({ state: 'partial' }, both))}?lang=en`)
      expect(await heading(page)).toBe('19.90\u00a0USDC still due')
    })
  }, 60_000)

  test('that came late is said instead of the end', async () => {
    await withPage(async (page) => {
      await page.goto(`${checkout.site.show(STATES.late)}?lang=en`)
      expect(await heading(page)).toBe('Late payment received')
      expect(await page.getByText('Don’t send').count()).toBe(0)
      expect(await page.getByText('Late payment received').count()).toBe(1)
    })
  }, 60_000)
})

test('a session that has ended without money leads to another one', async () => {
  await withPage(async (page) => {
    await page.goto(`${checkout.site.show(STATES.expiredAgain)}?lang=en`)
    await page.getByText('Start again to get a new one.').waitFor()
    await page.getByRole('button', { name: 'Start again' }).click()
    await lastPosted((body) => body === '')
    expect(checkout.site.posted.at(-1)?.path).toBe(`/checkout/${STATES.expired.id}/again`)
    await page.goto(`${checkout.site.show(STATES.expired)}?lang=en`)
    expect(await page.getByRole('button', { name: 'Start again' }).count()).toBe(0)
  })
}, 60_000)

test('a receipt names the payer and the merchant, and its hash is copied and printed whole', async () => {
  await withPage(async (page) => {
    await page.goto(`${checkout.site.show(STATES.completed)}?lang=en`)
    await untilAlive(page)
    const receipt = page.locator('.receipt')
    await receipt.getByText('Paid from').waitFor()
    await receipt.getByText('help@northwind.example').waitFor()
    await receipt.getByRole('button', { name: 'Copy transaction hash' }).click()
    const { hash } = transfer()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(hash)
    const email = receipt.getByLabel('Email for the receipt')
    expect(await email.isVisible()).toBe(true)
    expect(await receipt.getByText('Paid', { exact: true }).isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await email.isVisible()).toBe(false)
    expect(await receipt.getByText('Paid', { exact: true }).isVisible()).toBe(true)
    const gaps = await receipt
      .locator('.grouped span')
      .evaluateAll((spans) => spans.map((span) => getComputedStyle(span).marginInlineEnd))
    expect(new Set(gaps)).toEqual(new Set(['0px']))
  })
}, 60_000)
