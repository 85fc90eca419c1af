import { afterAll, beforeAll, expect, test } from 'bun:test'
import { remit } from '../../support/cli/run.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { sellAnother, sellRequests, strain } from '../../support/web/dashboard/seeds.ts'
import { inspect, openStage, type Stage } from '../../support/web/dashboard/stage.ts'

/**
 * Part of `bun run check:web`: the pages of x402, of the sandbox and of those who run the deployment, in a real
 * browser.
 */

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, PATIENCE_MS)
afterAll(() => stage.close())

test(
  'an x402 endpoint is added; its revenue, its failures and its payers are seen',
  async () => {
    const { page, complaints, leave } = await stage.enter(await stage.member('developer'))
    await page.goto(stage.at('x402'))
    await page.getByRole('heading', { name: 'No x402 endpoints yet' }).waitFor()
    await inspect(page)
    await page.getByText('New endpoint').click()
    await page.getByLabel('URL').fill('https://api.shop.example/forecast')
    await page.getByLabel('Price').fill('0.02')
    await page.getByLabel('Network').selectOption('base-sepolia')
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByRole('heading', { name: 'https://api.shop.example/forecast' }).waitFor()

    for (let n = 0; n < 26; n++) await sellAnother(stage.site.rig, n)
    await page.reload()
    await page.getByText('25 endpoints shown').waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('2 endpoints shown').waitFor()
    await page.getByRole('heading', { name: 'https://api.shop.example/forecast' }).waitFor()
    await inspect(page)
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByText('25 endpoints shown').waitFor()

    await sellRequests(stage.site.rig)
    await page.goto(stage.at('x402'))
    await page.getByText('0.15 USDC').waitFor()
    await page.getByText('Failure reasons').click()
    await page.getByText('payment_expired').waitFor()
    await page.getByText('Payment requirements').first().click()
    await page.getByText('"maxTimeoutSeconds"').first().waitFor()
    await inspect(page)
    await page.reload()
    await page.getByText('0.15 USDC').waitFor()
    await page.getByRole('link', { name: 'Top payers' }).click()
    await page.getByText('0.10 USDC').waitFor()
    await inspect(page)
    await page.getByRole('link', { name: 'View payments' }).first().click()
    await page.getByRole('row').nth(2).waitFor()
    expect(await page.getByRole('row').count()).toBe(3)
    await inspect(page)
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'keys, webhooks, events and requests are sound when there is nothing, and in German',
  async () => {
    const { page, complaints, leave } = await stage.enter(await stage.member('developer'), 'de-DE')
    for (const [path, shown] of [
      ['developers', 'API-Schlüssel'],
      ['developers/webhooks', 'Noch keine Webhook-Endpunkte'],
      ['developers/events', 'Ereignisse'],
      ['developers/requests', 'Anfragen'],
      ['developers/quick-start', 'Erste Schritte'],
      ['x402', 'Endpunkte'],
      ['sandbox', 'Szenarien'],
    ] as const) {
      await page.goto(stage.at(path))
      await page.getByText(shown).first().waitFor()
      await page.locator('.skeleton').waitFor({ state: 'detached' })
      await inspect(page)
    }
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'the portal of a sandbox sends any test event, and says that no chain answers',
  async () => {
    const { page, complaints, leave } = await stage.enter(await stage.member('owner'))
    await page.goto(stage.at('sandbox'))
    await page.getByText('No development chain is reachable').waitFor()
    await inspect(page)
    await page.getByLabel('Event type').selectOption('settlement.failed')
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('No endpoint subscribes to this event type').waitFor()
    await stage.site.rig.create()
    await page.getByRole('button', { name: 'Reset sandbox' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset sandbox' }).click()
    await page.getByText('1 invoice voided').waitFor()
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'an operator sees how everything stands, and orders work; nobody else finds the page',
  async () => {
    const { rig, url } = stage.site
    await strain(rig)
    const stranger = await stage.enter(await stage.member('owner'))
    await stranger.page.goto(`${url}/dashboard/operator`)
    await stranger.page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await stranger.leave()

    const operator = await stage.member('reader')
    const variables = { DATABASE_URL: rig.config.databaseUrl, DASHBOARD_URL: url }
    await remit(variables, 'operator', 'add', '--email', operator.email)
    const { page, complaints, leave } = await stage.enter(operator)
    await page.goto(`${url}/dashboard/operator`)
    await page.getByRole('heading', { name: 'System status' }).waitFor()
    await inspect(page)
    await page.getByRole('link', { name: 'Relayers' }).click()
    await page.getByText('Quarantined').waitFor()
    await inspect(page)
    await page.getByRole('button', { name: 'Reactivate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click()
    const ordered = page.getByRole('row').filter({ hasText: 'revive base-sepolia' })
    await ordered.getByText('Pending').waitFor()
    await page.getByRole('link', { name: 'Review queue' }).click()
    await page.getByText('the hub refused it three times').waitFor()
    await inspect(page)
    for (const [tab, shown] of [
      ['Merchants', 'New merchant'],
      ['Limits', 'Limits'],
      ['Operators', 'Recent changes'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      await page.getByRole('heading', { name: shown }).first().waitFor()
      await inspect(page)
    }
    const changes = page.getByRole('region', { name: 'Recent changes' })
    const entryOf = (action: string) => changes.getByRole('row').filter({ hasText: action })
    await entryOf('Operator added').waitFor()
    await changes.getByLabel('Action').selectOption('Operator action requested')
    await page.waitForURL(/action=orderWork/)
    await entryOf('Operator added').waitFor({ state: 'detached' })
    await entryOf('Operator action requested').waitFor()
    await inspect(page)
    await page.goto(`${url}/dashboard/operator/queues`)
    await page.getByText('notifier').first().waitFor()
    await leave()
    // Bull Board asks for a font of another host, which its page may not load.
    expect(complaints.filter((text) => !text.includes('fonts.googleapis.com'))).toEqual([])
  },
  PATIENCE_MS,
)
