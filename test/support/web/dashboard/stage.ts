import pino from 'pino'
import type { Browser, Page } from 'playwright-core'
import type { Role } from '../../../../core/access/roles.ts'
import { parseNotifierConfig } from '../../../../core/config/processes.ts'
import type { Actor } from '../../../../workers/turns/loop.ts'
import { startNotifier } from '../../../../workers/webhook/actor.ts'
import { newMember, type SignedIn } from '../../api/people.ts'
import { HUB, type RigOptions } from '../../api/rig.ts'
import { openAs } from '../../servers/roles.ts'
import { openBrowser, STEP_MS } from '../browser.ts'
import { enterAs, hearFaults, inspect as inspectAt } from './page.ts'
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
  const context = await browser.newContext({ locale })
  context.setDefaultTimeout(STEP_MS)
  await enterAs(context, url, who)
  const page = await context.newPage()
  return { page, complaints: hearFaults(page), leave: () => context.close() }
}

/** As `inspect` of a page, on a phone and on a wide screen. */
export function inspect(page: Page): Promise<void> {
  return inspectAt(page, [320, 2_560])
}
