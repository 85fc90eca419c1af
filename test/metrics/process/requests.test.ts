import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { createApp } from '../../../api/app.ts'
import { observeRequests } from '../../../metrics/process/requests.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** The figures of requests, through the whole API. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
})
afterAll(() => rig?.close())

test('answers are counted by route, never by what a caller can choose', async () => {
  const registry = new Registry()
  const app = createApp({ ...rig.deps, onAnswered: observeRequests(registry) })
  const invoice = await rig.create()
  const headers = { 'x-service-key': rig.merchant.secretKey }
  const ask = (method: string, path: string, init: RequestInit = {}) =>
    app.handle(new Request(`http://localhost${path}`, { method, ...init }))
  await ask('GET', `/v1/invoices/${invoice.id}`, { headers })
  await ask('GET', '/v1/invoices/none', { headers })
  await ask('GET', `/v1/invoices/${invoice.id}`)
  await ask('GET', '/made/up/by/a/caller')
  await ask('PROPFIND', '/v1/invoices')
  await Bun.sleep(50)
  const text = await registry.metrics()
  const counted = text
    .split('\n')
    .filter((line) => line.startsWith('remit_http_request_seconds_count'))
    .map((line) => line.replace('remit_http_request_seconds_count', ''))
  expect(counted.toSorted()).toEqual(
    [
      '{method="GET",route="/v1/invoices/:id",status="200"} 1',
      '{method="GET",route="/v1/invoices/:id",status="400"} 1',
      '{method="GET",route="/v1/invoices/:id",status="401"} 1',
      '{method="GET",route="none",status="404"} 1',
      '{method="other",route="none",status="405"} 1',
    ].toSorted(),
  )
  expect(text).not.toContain(invoice.id)
  expect(text).not.toContain(rig.merchant.merchant.id)
  expect(text).not.toContain('made')
})

test('what fails once a request is answered ends nothing', async () => {
  const before = rig.log.length
  const onAnswered = () => {
    throw new Error('the registry is full')
  }
  const app = createApp({ ...rig.deps, onAnswered })
  const answer = await app.handle(new Request('http://localhost/health'))
  expect(answer.status).toBe(200)
  // `bun test` fails for an error that nothing catches.
  await Bun.sleep(50)
  expect(rig.log.slice(before).map(({ msg }) => msg)).toContain(
    'the end of a request could not be recorded',
  )
})
