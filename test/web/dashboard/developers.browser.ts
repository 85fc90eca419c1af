import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { inspect, openStage, type Stage } from '../../support/web/dashboard/stage.ts'
import { startReceiver } from '../../support/webhooks.ts'

/** What a developer does alone, in a real browser: keys, a webhook, and a test event that arrives. */

let stage: Stage
/** Another API on the same database, with connections of its own. */
let other: ApiRig
beforeAll(async () => {
  stage = await openStage()
  other = await openRig({ databaseUrl: stage.site.rig.config.databaseUrl })
}, 120_000)
afterAll(async () => {
  await other.close()
  await stage.close()
})

test('a key is replaced, shown once, and the old one refused by every API', async () => {
  const { rig } = stage.site
  const old = rig.merchant.secretKey
  expect((await other.call('GET', '/v1/invoices', { key: old })).status).toBe(200)
  const { page, complaints, leave } = await stage.enter(await stage.member('developer'))
  await page.goto(stage.at('developers'))
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await page.getByText(rig.merchant.publishableKey).waitFor()
  const secretRow = page.getByRole('row', { name: /Full access/ })
  await secretRow.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('dialog').waitFor()
  await inspect(page)
  await page.keyboard.press('Escape')
  await secretRow.getByRole('button', { name: 'Rotate' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByText('able to see it again').waitFor()
  const key = (await page.locator('.callout code').textContent()) ?? ''
  expect(key).toStartWith('sk_test_')
  for (const api of [rig, other]) {
    expect((await api.call('GET', '/v1/invoices', { key: old })).status).toBe(401)
    expect((await api.call('GET', '/v1/invoices', { key })).status).toBe(200)
  }
  await page.reload()
  await page.getByRole('heading', { name: 'Revoked keys' }).waitFor()
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Name').fill('Back office')
  await page.getByLabel('Secret key with selected scopes').check()
  await page.getByRole('button', { name: 'Create key' }).last().click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Refund payments').check()
  await inspect(page)
  await page.getByRole('button', { name: 'Create key' }).last().click()
  await page.getByRole('heading', { name: 'New key: Back office' }).waitFor()
  const limited = (await page.locator('.callout code').textContent()) ?? ''
  const recoveries = () => other.call('GET', '/v1/recoveries', { key: limited })
  expect((await recoveries()).status).toBe(200)
  expect((await other.call('GET', '/v1/invoices', { key: limited })).status).toBe(403)
  const row = page.getByRole('row', { name: /Back office/ })
  expect(await row.textContent()).toContain('refunds')
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('heading', { name: 'New key: Back office' }).waitFor({ state: 'detached' })
  expect((await recoveries()).status).toBe(401)

  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await page.getByRole('cell', { name: 'GET /v1/invoices' }).first().waitFor()
  await inspect(page)
  await page.getByLabel('Trace ID').fill(crypto.randomUUID())
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No requests match these filters' }).waitFor()
  await leave()
  expect(complaints).toEqual([])
}, 120_000)

test('a webhook is added, a test event sent, and its attempt and answer seen', async () => {
  const receiver = startReceiver()
  receiver.answer = () => new Response('thank you', { status: 200 })
  const { page, complaints, leave } = await stage.enter(await stage.member('developer'))
  await page.goto(stage.at('developers/webhooks'))
  await page.getByRole('heading', { name: 'No webhook endpoints yet' }).waitFor()
  await page.getByText('New endpoint').click()
  await page.getByLabel('URL', { exact: true }).fill('ftp://nowhere')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('URL', { exact: true }).fill(receiver.url)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByText('test_whsec_').waitFor()
  await page.getByRole('link', { name: receiver.url }).click()

  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByText(/^Test event .* sent/).waitFor()
  await page.getByText('Delivered', { exact: true }).last().waitFor()
  expect(receiver.received).toHaveLength(1)
  await page.locator('details.delivery summary').first().click()
  await page.getByText('HTTP 200').waitFor()
  await page.getByText('thank you').waitFor()
  await inspect(page)

  receiver.answer = () => new Response('not now', { status: 500 })
  await page.getByRole('button', { name: 'Resend', exact: true }).click()
  await page.getByText('HTTP 500').waitFor()
  await page.getByText('not now').waitFor()

  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByLabel('Expire the old secret now').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByText('test_whsec_').waitFor()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('button', { name: 'Enable' }).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete endpoint' }).click()
  await page.getByRole('heading', { name: 'No webhook endpoints yet' }).waitFor()
  receiver.stop()
  await leave()
  expect(complaints).toEqual([])
}, 120_000)

test('a reader sees the keys and changes none, and German is German', async () => {
  const { page, complaints, leave } = await stage.enter(await stage.member('reader'), 'de-DE')
  await page.goto(stage.at('developers'))
  await page.getByText('Nur Inhaber und Entwickler können Schlüssel verwalten.').first().waitFor()
  expect(await page.getByRole('button', { name: 'Rotieren' }).count()).toBe(0)
  await leave()
  expect(complaints).toEqual([])
}, 60_000)
