import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { MERCHANT_PLACES } from '../../../web/dashboard/parts/places.ts'
import { fillLedger } from '../../support/api/belongings.ts'
import { followChains } from '../../support/api/ledger.ts'
import { newMember, type SignedIn } from '../../support/api/people.ts'
import { remit } from '../../support/cli/run.ts'
import { openBrowser, PATIENCE_MS } from '../../support/web/browser.ts'
import { strain } from '../../support/web/dashboard/seeds.ts'
import { type DashboardSite, openDashboardSite } from '../../support/web/dashboard/site.ts'
import { enter } from '../../support/web/dashboard/stage.ts'

/**
 * Part of `bun run check:web`: every page of the dashboard, when everything that a payer, a merchant, a server
 * or a token can write is an attack. It goes past the checks of the API, straight into the rows.
 */

const ATTACK = `'"><img src=x onerror=top.ran=1><svg onload=top.ran=1>{{7*7}}`
const SCRIPT = 'javascript:top.ran=1//'

/** Where such texts are kept: table, column, and what is written there. */
const FIELDS: readonly (readonly [string, string, string])[] = [
  ['merchant', 'name', ATTACK],
  ['merchant_page', 'name', ATTACK],
  ['merchant_page', 'support_email', ATTACK],
  ['merchant_page', 'support_url', SCRIPT],
  ['merchant_page', 'return_url', SCRIPT],
  ['price', 'description', ATTACK],
  ['x402_endpoint', 'url', SCRIPT],
  ['x402_endpoint', 'description', ATTACK],
  ['webhook_endpoint', 'description', ATTACK],
  ['webhook_attempt', 'answer', ATTACK],
  ['webhook_attempt', 'error', ATTACK],
  ['saved_view', 'name', ATTACK.slice(0, 60)],
  ['saved_view', 'query', ATTACK],
  ['api_request', 'path', ATTACK],
  ['api_request', 'route', ATTACK],
  ['api_request', 'reason', ATTACK],
  ['relayer_key', 'note', ATTACK],
  ['settlement', 'error', ATTACK],
  ['auth.user', 'name', ATTACK],
  ['auth.passkey', 'name', ATTACK],
  ['audit_entry', 'actor_name', ATTACK],
  ['audit_entry', 'action', ATTACK],
  ['audit_entry', 'object_id', ATTACK],
  ['audit_entry', 'agent', ATTACK],
  ['audit_entry', 'address', ATTACK],
]

let site: DashboardSite
let browser: Browser
let owner: SignedIn
let pages: readonly string[]

beforeAll(async () => {
  site = await openDashboardSite()
  browser = await openBrowser()
  const { rig, url } = site
  const { id } = rig.merchant.merchant
  await followChains(rig)
  owner = await newMember(rig, 'owner', id, { origin: url })
  const variables = { DATABASE_URL: rig.config.databaseUrl, DASHBOARD_URL: url }
  await remit(variables, 'operator', 'add', '--email', owner.email)
  const owned = await fillLedger(rig)
  await strain(rig)
  await owner.browser.api('POST', id, '/v1/views', { name: 'Late', query: 'status=late' })
  await rig.requests?.flush()
  await poison()
  const at = (rest: string) => `/dashboard/merchants/${id}/${rest}`
  pages = [
    ...MERCHANT_PLACES.flat().map(at),
    ...['webhooks', 'events', 'requests', 'quick-start'].map((tab) => at(`developers/${tab}`)),
    at(`developers/webhooks/${owned['/v1/webhooks/endpoints/'].id}`),
    at('invoices/links'),
    at(`invoices/${owned['/v1/invoices/'].id}`),
    at(`x402/${owned['/v1/x402/endpoints/'].id}`),
    ...['', '/relayers', '/work', '/merchants', '/limits', '/log'].map(
      (tab) => `/dashboard/operator${tab}`,
    ),
    '/dashboard/security',
    '/dashboard/mailbox',
  ]
}, PATIENCE_MS)
afterAll(async () => {
  await browser.close()
  await site.close()
})

async function poison(): Promise<void> {
  const { database } = site.rig
  const key = { publicKey: 'x', credentialID: 'x', counter: 0, deviceType: 'x', backedUp: false }
  await database`
    insert into auth.passkey ${database({ ...key, name: 'x' })}`.catch(() => undefined)
  await database`update auth.session set "userAgent" = ${ATTACK}`
  await database`update invoice set external_ref = ${ATTACK} || id`
  await database`
    update invoice set metadata = jsonb_build_object(${ATTACK.slice(0, 40)}::text, ${ATTACK}::text)`
  await database`
    update audit_entry set before = jsonb_build_object(${ATTACK}::text, ${ATTACK}::text),
      after = jsonb_build_object(${ATTACK}::text, ${ATTACK}::text)`
  await database`update work_item set result = jsonb_build_object('error', ${ATTACK}::text)`
  await database`
    insert into mail (id, recipient, subject, body)
    values (gen_random_uuid(), ${ATTACK}, ${ATTACK}, ${`${ATTACK} ${SCRIPT}`})`
  await database`
    insert into invitation (id, merchant_id, email, role, token_hash, expires_at)
    values (gen_random_uuid(), ${site.rig.merchant.merchant.id}, ${ATTACK.toLowerCase()}, 'reader',
      sha256('x'), now() + interval '1 day')`
  const refused: string[] = []
  for (const [table, column, text] of FIELDS) {
    await database`update ${database(table)} set ${database(column)} = ${text}`.catch((error) =>
      refused.push(`${table}.${column}: ${error.message}`),
    )
  }
  expect(refused).toEqual([])
}

/** What of an attack has come to life in a page. */
function aliveIn(page: Page) {
  return page.evaluate(() => ({
    ran: 'ran' in window,
    images: document.querySelectorAll('img[src="x"]').length,
    links: [...document.querySelectorAll('[href], [src], [action]')].filter((one) =>
      ['href', 'src', 'action'].some((name) =>
        /^\s*javascript:/i.test(one.getAttribute(name) ?? ''),
      ),
    ).length,
    handlers: document.querySelectorAll('[onerror], [onload], [onclick]').length,
  }))
}

test(
  'runs nothing, links nowhere, and shows it as the text that it is',
  async () => {
    const { page, complaints, leave } = await enter(browser, site.url, owner, 'en-GB')
    const showing: string[] = []
    for (const path of pages) {
      await page.goto(`${site.url}${path}`)
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      for (const summary of await page.locator('main summary').all()) await summary.click()
      expect({ path, ...(await aliveIn(page)) }).toEqual({
        path,
        ...{ ran: false, images: 0, links: 0, handlers: 0 },
      })
      const text = await page.locator('main').first().textContent()
      if (text?.includes('onerror=top.ran=1')) showing.push(path)
    }
    expect(complaints).toEqual([])
    // Not because nothing of it was there.
    const last = (path: string) => path.replace(/^.*merchants\/[0-9a-f-]{36}\//, '')
    expect(showing.map(last)).toEqual(
      expect.arrayContaining(['invoices', 'members', 'audit', 'developers/requests']),
    )
    expect(showing.length).toBeGreaterThan(10)
    await leave()
  },
  PATIENCE_MS,
)
