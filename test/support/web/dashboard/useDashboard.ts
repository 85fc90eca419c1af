import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { followChains } from '../../api/ledger.ts'
import { newMember, PASSWORD, type SignedIn } from '../../api/people.ts'
import type { RigOptions } from '../../api/rig.ts'
import { openBrowser } from '../browser.ts'
import * as pages from './page.ts'
import { type DashboardSite, openDashboardSite } from './site.ts'

/** The dashboard for a file of tests, and for each of them a page in which nothing may go wrong. */
export function useDashboard(options: RigOptions = {}) {
  let site: DashboardSite
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let faults: string[] = []

  beforeAll(async () => {
    site = await openDashboardSite(options)
    browser = await openBrowser()
    await followChains(site.rig)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })
  beforeEach(() => visitIn('en-GB'))
  afterEach(async () => {
    await context.close()
    expect(faults).toEqual([])
  })

  async function visitIn(locale: string): Promise<void> {
    context = await browser.newContext({ locale })
    page = await context.newPage()
    faults = pages.hearFaults(page)
  }

  const heading = (text: string) => pages.heading(page, text)

  return {
    get rig() {
      return site.rig
    },
    get url() {
      return site.url
    },
    get page() {
      return page
    },
    visitIn: async (locale: string) => {
      await context.close()
      await visitIn(locale)
    },
    at: (place: string) =>
      `${site.url}/dashboard/merchants/${site.rig.merchant.merchant.id}/${place}`,
    member: (role: 'owner' | 'reader', settings = {}) =>
      newMember(site.rig, role, undefined, { ...settings, origin: site.url }),
    /** Signs in without the page for it. */
    async enterAs(person: SignedIn): Promise<void> {
      await context.clearCookies()
      await pages.enterAs(context, site.url, person)
    },
    async signIn(email: string): Promise<void> {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    },
    async signOut(): Promise<void> {
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click()
      await heading('Sign in')
    },
    heading,
    inspect: () => pages.inspect(page),
  }
}
