import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { PASSWORD, totp } from '../../support/api/people.ts'
import { MACHINE } from '../../support/clock.ts'
import { createHome, type DevStack, remit, startDevStack } from '../../support/servers/devStack.ts'
import { openBrowser, PATIENCE_MS } from '../../support/web/browser.ts'
import { press } from '../../support/web/dashboard/keys.ts'
import { hearFaults } from '../../support/web/dashboard/page.ts'
import { inspect } from '../../support/web/dashboard/stage.ts'
import { startReceiver } from '../../support/webhooks.ts'

/**
 * Part of `bun run check:web`: a developer on the whole product, in a real browser. They come by an invitation,
 * replace the secret key while two processes serve the API, add a webhook, and play every scenario to its end.
 */

const ROOT = join(import.meta.dirname, '../../..')
/** How each scenario ends: the states of its invoice. */
const ENDS = {
  exact: 'Completed',
  partial: 'Partially paid',
  over: 'Completed',
  signature: 'Completed',
  x402: 'Completed',
  late: 'Expired',
  'wrong-token': 'Open',
  'wrong-chain': 'Open',
  'two-chains': 'Completed',
  reorganisation: 'Completed',
  'unblock-recipient': 'Completed',
} as const

const { home, remove } = createHome()
let stack: DevStack
let browser: Browser
let page: Page
let faults: string[]
let second: { readonly url: string; stop(): void }

beforeAll(async () => {
  stack = await startDevStack(home)
  browser = await openBrowser()
  second = await startSecondApi()
}, PATIENCE_MS)
afterAll(async () => {
  second?.stop()
  await browser?.close()
  await stack?.stop()
  remove()
}, PATIENCE_MS)
afterEach(() => {
  expect(faults).toEqual([])
})

/** Another process of the API, on the same database. */
async function startSecondApi(): Promise<{ url: string; stop(): void }> {
  const { databaseUrl, redisUrl, hub, feeCollector, chains } = stack.description
  const rpc = chains.map(({ networkId, rpcUrl }) => {
    return [`RPC_URL_${networkId.toUpperCase().replaceAll('-', '_')}`, rpcUrl] as const
  })
  const child = Bun.spawn([process.execPath, join(ROOT, 'api/main.ts')], {
    cwd: ROOT,
    env: {
      ...{ ...MACHINE, REMIT_ENV: 'sandbox', REMIT_HOME: '/nonexistent', PORT: '0' },
      ...{ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
      ...{ HUB_ADDRESS: hub, FEE_COLLECTOR: feeCollector },
      ...Object.fromEntries(rpc),
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true })
    const url = /"url":"(http:[^"]+)"/.exec(text)?.[1]
    if (url !== undefined) return { url, stop: () => child.kill() }
  }
  throw new Error(`the second API did not start: ${text}`)
}

const origin = () => stack.description.apiUrl.replace('127.0.0.1', 'localhost')
const at = (rest: string) =>
  `${origin()}/dashboard/merchants/${stack.description.merchantId}/${rest}`

async function statusOf(apiUrl: string, key: string): Promise<number> {
  const headers = { 'X-Service-Key': key }
  return (await fetch(`${apiUrl}/v1/invoices?limit=1`, { headers })).status
}

test(
  'by an invitation to a second factor',
  async () => {
    const { merchantId } = stack.description
    const email = 'ada@example.com'
    const invited = await remit(
      stack,
      ...['merchant', 'invite', merchantId, '--email', email, '--role', 'owner', '--json'],
    )
    const context = await browser.newContext({ locale: 'en-GB' })
    page = await context.newPage()
    faults = hearFaults(page)
    await page.goto(String(JSON.parse(invited.out).url))
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(`${origin()}/dashboard/mailbox`)
    await page.locator('article', { hasText: 'Confirm your' }).first().getByRole('link').click()
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Turn on two-factor authentication' }).waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    const secret = (await page.locator('.secret').textContent()) ?? ''
    await page.getByRole('textbox', { name: 'Code' }).fill(totp(secret))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
    await page.getByLabel('I saved these codes').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  },
  PATIENCE_MS,
)

test(
  'a replaced key is refused by both processes, and the snippets run with the new one',
  async () => {
    const old = stack.description.secretKey
    const apis = [stack.description.apiUrl, second.url]
    for (const api of apis) expect(await statusOf(api, old)).toBe(200)
    await page.goto(at('developers'))
    const secretRow = page.getByRole('row', { name: /Full access/ })
    await secretRow.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByText('able to see it again').waitFor()
    const key = (await page.locator('.callout code').textContent()) ?? ''
    for (const api of apis) {
      expect(await statusOf(api, old)).toBe(401)
      expect(await statusOf(api, key)).toBe(200)
    }
    await page.reload()
    await page.getByRole('heading', { name: 'Revoked keys' }).waitFor()
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByRole('cell', { name: 'GET /v1/invoices' }).first().waitFor()
    await page.getByRole('link', { name: 'Quick start' }).click()
    await page.getByRole('heading', { name: 'Create an invoice' }).waitFor()
    for (const name of ['Create an invoice', 'Retrieve the invoice', 'List events']) {
      const snippet = page.getByRole('region', { name: `Code for “${name}”` })
      const command = (await snippet.textContent()) ?? ''
      const ran = Bun.spawnSync(['bash', '-c', command], {
        env: { REMIT_SECRET_KEY: key, PATH: process.env.PATH },
      })
      expect({ name, code: ran.exitCode, err: ran.stderr.toString() }).toEqual({
        name,
        code: 0,
        err: '',
      })
      expect(JSON.parse(ran.stdout.toString()).success).toBe(true)
    }
  },
  PATIENCE_MS,
)

test(
  'a webhook hears of every scenario, and each is watched to its end',
  async () => {
    const receiver = startReceiver()
    await page.goto(at('developers/webhooks'))
    await page.getByText('New endpoint').click()
    await page.getByLabel('URL', { exact: true }).fill(receiver.url)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByText('test_whsec_').waitFor()
    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('Delivered', { exact: true }).last().waitFor()

    await page.goto(at('sandbox'))
    await page.getByLabel('Address').fill('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65')
    await page.getByRole('button', { name: 'Get tokens' }).click()
    await page.getByText('100.00 USDC sent').waitFor()
    await page.getByLabel('Event type').selectOption('settlement.failed')
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText(/^Event .* sent\.$/).waitFor()

    // By the keyboard, as everything of the portal can be done.
    await press(page, page.getByRole('button', { name: 'Run all' }))
    await page
      .getByRole('region', { name: 'unblock-recipient, invoice' })
      .waitFor({ timeout: PATIENCE_MS })
    for (const [name, status] of Object.entries(ENDS)) {
      const watched = page.getByRole('region', { name: `${name}, invoice` })
      await watched
        .locator('.pill')
        .getByText(status, { exact: true })
        .waitFor({ timeout: PATIENCE_MS })
      await watched.getByText('Delivered', { exact: true }).first().waitFor()
    }
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(receiver.received.length).toBeGreaterThan(20)
    await inspect(page)
    await page.goto(at('developers/events'))
    await page.getByText('Newest', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Copy', exact: false }).first().waitFor()
    await page.goto(at('sandbox'))
    await page.getByRole('heading', { name: 'Clocks' }).waitFor()
    receiver.stop()
  },
  PATIENCE_MS,
)

test(
  'a clock goes ahead, and the sandbox begins anew',
  async () => {
    const timeOf = async () => {
      const text = await page.locator('#clocks ~ ul time').first().getAttribute('datetime')
      return Date.parse(text ?? '')
    }
    const before = await timeOf()
    await page.getByRole('button', { name: '+1 h' }).first().click()
    while ((await timeOf()) - before < 3_600_000) await Bun.sleep(100)
    await page.getByRole('button', { name: 'Reset sandbox' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset sandbox' }).click()
    await page.getByText('invoices voided').waitFor()
    await page.goto(at('developers/webhooks'))
    await page.getByRole('heading', { name: 'No webhook endpoints yet' }).waitFor()
  },
  PATIENCE_MS,
)
