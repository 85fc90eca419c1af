import { expect } from 'bun:test'
import pino from 'pino'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Role } from '../../../../core/access/roles.ts'
import { parseNotifierConfig } from '../../../../core/config/processes.ts'
import type { Actor } from '../../../../workers/turns/loop.ts'
import { startNotifier } from '../../../../workers/webhook/actor.ts'
import { newMember, type SignedIn } from '../../api/people.ts'
import { HUB, type RigOptions } from '../../api/rig.ts'
import { openAs } from '../../servers/roles.ts'
import { expectAccessibleInBothColours } from '../accessibility.ts'
import { openBrowser, STEP_MS } from '../browser.ts'
import { type DashboardSite, openDashboardSite } from './site.ts'

/** The dashboard in a browser, with a notifier behind it that may send to this machine. */
export interface Stage {
  readonly site: DashboardSite
  /** A page of somebody who is signed in; what it complains of is in `complaints`. */
  enter(who: SignedIn, locale?: string): Promise<Visit>
  member(role: Role): Promise<SignedIn>
  /** The path of a page of the merchant. */
  at(rest: string): string
  close(): Promise<void>
}

export interface Visit {
  readonly page: Page
  readonly complaints: readonly string[]
  leave(): Promise<void>
}

export async function openStage(options: RigOptions = {}): Promise<Stage> {
  const site = await openDashboardSite(options)
  const { rig, url } = site
  const browser = await openBrowser()
  const notifier = await notify(site)
  return {
    site,
    enter: (who, locale = 'en-GB') => enter(browser, url, who, locale),
    member: (role) => newMember(rig, role, rig.merchant.merchant.id, { origin: url }),
    at: (rest) => `${url}/dashboard/merchants/${rig.merchant.merchant.id}/${rest}`,
    async close() {
      await notifier.stop()
      await browser.close()
      await site.close()
    },
  }
}

async function notify({ rig }: DashboardSite): Promise<Actor> {
  const { databaseUrl, redisUrl } = rig.config
  const parsed = parseNotifierConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    HUB_ADDRESS: HUB,
    FEE_COLLECTOR: HUB,
    RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const database = await openAs(databaseUrl, 'notifier', 4)
  const actor = startNotifier({
    // Webhooks are signed by secrets that the API has encrypted.
    config: { ...parsed.config, secretKeys: rig.config.secretKeys },
    database,
    workerId: 'test-notifier',
    log: pino({ level: 'silent' }),
    onFatal(error) {
      throw error
    },
  })
  return {
    ready: actor.ready,
    wake: actor.wake,
    async stop() {
      await actor.stop()
      await database.end({ timeout: 1 })
    },
  }
}

export async function enter(
  browser: Browser,
  url: string,
  who: SignedIn,
  locale: string,
): Promise<Visit> {
  const context: BrowserContext = await browser.newContext({ locale })
  context.setDefaultTimeout(STEP_MS)
  const cookies = [...who.browser.cookies].map(([name, value]) => ({ name, value, url }))
  await context.addCookies(cookies)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const isPolicy = /Content Security Policy|Trusted/.test(message.text())
    if (isPolicy) complaints.push(message.text())
  })
  return { page, complaints, leave: () => context.close() }
}

/** Nothing is wrong with the page as it stands, in either colours, and nothing sticks out of a phone. */
export async function inspect(page: Page): Promise<void> {
  await expectAccessibleInBothColours(page)
  const usual = page.viewportSize()
  for (const width of [320, 2560]) {
    await page.setViewportSize({ width, height: 800 })
    const { wide, room } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      room: innerWidth,
    }))
    expect({ width, isWithin: wide <= room }).toEqual({ width, isWithin: true })
  }
  if (usual) await page.setViewportSize(usual)
}
