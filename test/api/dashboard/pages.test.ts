import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDashboardRig } from '../../support/api/people.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** The pages as the server sends them, regardless of who asks. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
}, 120_000)
afterAll(() => rig.close())

test('run no script but ours, make none of text, and stand in no frame', async () => {
  const { headers, status } = await rig.fetch('/dashboard')
  expect(status).toBe(200)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy.split('; ')).toContain("default-src 'none'")
  expect(policy.split('; ')).toContain("script-src 'self'")
  expect(policy.split('; ')).toContain("frame-ancestors 'none'")
  expect(policy.split('; ')).toContain("require-trusted-types-for 'script'")
  expect(policy.split('; ')).toContain("trusted-types 'none'")
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.getSetCookie()).toEqual([])
})

test('show the checkout in a frame of the dashboard alone, in which nothing runs', async () => {
  const { headers, status } = await rig.fetch('/dashboard/checkout-preview')
  expect(status).toBe(200)
  const policy = (headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy.some((rule) => rule.startsWith('script-src'))).toBe(false)
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
})

test('speak the language of the user who asks', async () => {
  const german = await rig.fetch('/dashboard', { headers: { 'accept-language': 'de-AT' } })
  expect(await german.text()).toContain('Rechnungen')
  const other = await rig.fetch('/dashboard', { headers: { 'accept-language': 'ja' } })
  expect(await other.text()).toContain('Invoices')
})

test('are not there for paths that have none', async () => {
  for (const path of ['/dashboard/x', '/dashboard/api/x', '/dashboard/assets/x.js']) {
    expect((await rig.fetch(path)).status).toBe(404)
  }
})

test('show emails only where the configuration says so', async () => {
  expect((await rig.fetch('/dashboard/mailbox')).status).toBe(404)
})

test('and everything else of the dashboard is not there without its secret', async () => {
  const plain = await openRig()
  for (const path of ['/dashboard', '/dashboard/api/me', '/dashboard/auth/list-sessions']) {
    expect((await plain.fetch(path)).status).toBe(404)
  }
  await plain.close()
})

test('have a sandbox only where money is a test network’s', async () => {
  const path = `/dashboard/merchants/${crypto.randomUUID()}/sandbox`
  expect((await rig.fetch(path)).status).toBe(200)
  const live = await openDashboardRig({
    variables: {
      REMIT_ENV: 'live',
      RPC_URL_BASE: 'http://127.0.0.1:1',
      DASHBOARD_URL: 'https://pay.example',
      SMTP_URL: 'smtp://127.0.0.1:1',
      PUBLIC_URL: 'https://pay.example',
    },
  })
  expect((await live.fetch(path)).status).toBe(404)
  const api = `/dashboard/api/merchants/${crypto.randomUUID()}/v1/sandbox`
  expect((await live.fetch(api)).status).toBe(404)
  await live.close()
})
