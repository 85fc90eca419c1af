import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { approvalEmail } from '../../../core/merchant/approval.ts'
import { openBrowser, PATIENCE_MS, STEP_MS } from '../../support/web/browser.ts'
import { answerWith } from '../../support/web/dashboard/answers.ts'
import { NOW } from '../../support/web/dashboard/fixtures.ts'
import { hearFaults, inspect } from '../../support/web/dashboard/page.ts'
import { CASES, type ShownPage } from '../../support/web/dashboard/pages.ts'
import { type DashboardSite, openDashboardSite } from '../../support/web/dashboard/site.ts'
import { goldenFile, matchesGolden, SIZES, THEMES, wholePage } from '../../support/web/pictures.ts'

/**
 * A part of `bun run check:web`: every page of the dashboard with data and without, in both languages, at every
 * width, and its golden pictures.
 */

const WIDTHS = [320, 390, 768, 1_280, 2_560]
/** What pages show last of their data, after their skeletons are gone: by the end of their paths. */
const LAST: Readonly<Record<string, string>> = {
  '/overview': '.chart svg',
  '/links': 'main:has(dd):not(:has(dd:text-is("–")))',
  '/x402': '#refusals',
}

let site: DashboardSite
let browser: Browser
beforeAll(async () => {
  site = await openDashboardSite({ variables: { DASHBOARD_SIGN_UP: 'on' } })
  browser = await openBrowser()
  await fillMailbox()
}, PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** What the mailbox of a development stack shows: the one page that the server fills itself. */
async function fillMailbox(): Promise<void> {
  const { subject, body } = approvalEmail(
    'Tea & Sons of Greenwich',
    'Grace Hopper <grace@teas-and-more.example>',
    'http://localhost:3000/dashboard/merchants/0198c5b4-7f1e-7000-8000-000000000001/overview',
  )
  await site.rig.database`
    insert into mail (id, recipient, subject, body)
    values (${Bun.randomUUIDv7()}, 'ada@teas-and-more.example', ${subject}, ${body})`
}

async function open(page: Page, shown: ShownPage, hasData: boolean): Promise<void> {
  await answerWith(page, { ...shown, hasData })
  await page.goto(`${site.url}${shown.path}`)
  await page.locator('main h1').waitFor()
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
  for (const [end, last] of Object.entries(LAST)) {
    if (hasData && shown.path.endsWith(end)) await page.locator(last).first().waitFor()
  }
  if (shown.path.endsWith('/settings/checkout')) {
    await page.frameLocator('.preview iframe').locator('.choose').waitFor()
  }
  if (shown.path.endsWith('/mailbox')) {
    await page.evaluate((now) => document.querySelector('time')?.replaceChildren(now), NOW)
  }
  await page.evaluate(() => document.fonts.ready)
}

describe.each(['en-GB', 'de-DE'])('in %s', (locale) => {
  test.each(CASES)(
    'the page $name, data: $hasData, is sound at every width',
    async ({ page: shown, hasData }) => {
      const context = await browser.newContext({ locale, timezoneId: 'UTC' })
      context.setDefaultTimeout(STEP_MS)
      const page = await context.newPage()
      const faults = hearFaults(page)
      await open(page, shown, hasData)
      await inspect(page, WIDTHS)
      await context.close()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

test.each(THEMES.filter(({ locale }) => locale === 'en'))(
  'every page looks as it did: $theme',
  async ({ theme, screen, colorScheme }) => {
    const context = await browser.newContext({
      ...{ viewport: SIZES[screen], colorScheme, reducedMotion: 'reduce' },
      ...{ locale: 'en-GB', timezoneId: 'UTC' },
    })
    context.setDefaultTimeout(STEP_MS)
    const changed: string[] = []
    for (const { name, page: shown, hasData } of CASES) {
      const page = await context.newPage()
      await open(page, shown, hasData)
      const file = goldenFile('dashboard', `${name}${hasData ? '' : '-empty'}-${theme}`)
      if (!(await matchesGolden(file, await wholePage(page)))) changed.push(file)
      await page.close()
    }
    await context.close()
    expect(changed).toEqual([])
  },
  PATIENCE_MS,
)
