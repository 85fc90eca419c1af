import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { LinkJson } from '../../../web/dashboard/invoices/OneLink.tsx'
import { dataOf, type PriceJson } from '../../support/api/checkoutCalls.ts'
import { press, write } from '../../support/web/dashboard/keys.ts'
import { inspect, openStage, type Stage } from '../../support/web/dashboard/stage.ts'

/** Part of `bun run check:web`: payment links, made without a line of code, in a real browser. */

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 120_000)
afterAll(() => stage?.close())

async function links(): Promise<readonly LinkJson[]> {
  return dataOf(await stage.site.rig.call('GET', '/v1/payment-links'))
}

test('a link is made by keyboard, is once however often it is sent, and is switched off and on', async () => {
  const { rig } = stage.site
  const { page, complaints, leave } = await stage.enter(await stage.member('finance'))
  await page.goto(stage.at('invoices'))
  await press(page, page.getByRole('link', { name: 'Payment links' }))
  await page.getByRole('heading', { name: 'No payment links yet' }).waitFor()
  await inspect(page)
  await press(page, page.getByRole('button', { name: 'New payment link' }))
  await write(page, page.getByLabel('Amount'), '12.5')
  await write(page, page.getByLabel('Description'), 'Three months of tea')
  await write(page, page.getByLabel('Payment limit'), '3')
  await page.getByLabel('To', { exact: true }).fill('2031-05-01')
  await inspect(page)

  // The answer to the first request is lost on its way.
  let lost = 0
  await page.route('**/v1/payment-links', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    return route.abort()
  })
  const make = page.getByRole('button', { name: 'Create link' })
  await press(page, make)
  await page.getByRole('alert').waitFor()
  await press(page, make)
  await page.getByText('1 payment link shown').waitFor()
  expect(lost).toBe(1)
  const [link] = await links()
  expect(await links()).toHaveLength(1)
  expect(link).toMatchObject({ usesLimit: 3, uses: 0, open: true })
  expect(link?.endsAt).toStartWith('2031-05-0')
  const price = dataOf<PriceJson>(await rig.call('GET', `/v1/prices/${link?.price}`))
  expect(price).toMatchObject({
    ...{ amount: '12.5', tokens: ['USDC', 'USDT'], description: 'Three months of tea' },
  })
  const card = page.getByRole('region', { name: 'Three months of tea' })
  await card.getByText('12.50 USDC/USDT').waitFor()
  await card.getByText('0 of 3').waitFor()
  expect(await card.getByRole('link', { name: link?.url ?? '' }).count()).toBe(1)
  expect(await card.getByRole('link', { name: 'QR code' }).getAttribute('href')).toBe(
    `${link?.url}/qr`,
  )
  await inspect(page)

  await press(page, card.getByRole('button', { name: 'Deactivate' }))
  await card.getByText('Inactive').waitFor()
  expect((await links())[0]).toMatchObject({ active: false, open: false })
  await press(page, card.getByRole('button', { name: 'Activate' }))
  await card.getByText('Active').waitFor()
  await leave()

  const reader = await stage.enter(await stage.member('reader'), 'de-DE')
  await reader.page.goto(stage.at('invoices/links'))
  await reader.page.getByText('1 Zahlungslink angezeigt').waitFor()
  await reader.page.getByText('Three months of tea').waitFor()
  expect(await reader.page.getByText('Neuer Zahlungslink').count()).toBe(0)
  expect(await reader.page.getByRole('button', { name: 'Deaktivieren' }).count()).toBe(0)
  await inspect(reader.page)
  await reader.leave()
  expect([...complaints, ...reader.complaints]).toEqual([])
}, 120_000)
