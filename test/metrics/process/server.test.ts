import { afterEach, expect, test } from 'bun:test'
import pino from 'pino'
import { openRegistry } from '../../../metrics/process/registry.ts'
import { type MetricsServer, serveMetrics } from '../../../metrics/process/server.ts'
import { eventually } from '../../support/servers/devStack.ts'

const log = pino({ level: 'silent' })
const ANYWHERE = { host: '127.0.0.1', port: 0 }

let server: MetricsServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${server?.port}${path}`, init)
}

test('a process shows itself and the release that runs', async () => {
  server = serveMetrics(openRegistry('worker'), ANYWHERE, log)
  const answer = await get('/metrics')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  const text = await answer.text()
  expect(text).toMatch(/^remit_build_info\{process="worker",version="[0-9.]+"\} 1$/m)
  expect(text).toMatch(/^process_resident_memory_bytes [0-9]+$/m)
})

test('nothing else is served there', async () => {
  server = serveMetrics(openRegistry('api'), ANYWHERE, log)
  expect((await get('/')).status).toBe(404)
  expect((await get('/v1/invoices')).status).toBe(404)
  expect((await get('/metrics', { method: 'POST' })).status).toBe(405)
})

test('scrapes that come together share one reading', async () => {
  let readings = 0
  let end = () => {}
  const refresh = () => {
    readings += 1
    return new Promise<void>((resolve) => {
      end = resolve
    })
  }
  server = serveMetrics(openRegistry('api'), ANYWHERE, log, refresh)
  const scrapes = [get('/metrics'), get('/metrics'), get('/metrics')]
  await eventually(
    async () => readings,
    (count) => count === 1,
  )
  // The others have come by then, and share it.
  await Bun.sleep(500)
  end()
  for (const answer of await Promise.all(scrapes)) expect(answer.status).toBe(200)
  expect(readings).toBe(1)
  const next = get('/metrics')
  await eventually(
    async () => readings,
    (count) => count === 2,
  )
  end()
  expect((await next).status).toBe(200)
  expect(readings).toBe(2)
})

test('a reading that fails is a 500 without a word of why, and the next one is tried', async () => {
  let fails = true
  const refresh = async () => {
    if (fails) throw new Error('postgres://secret@host')
  }
  server = serveMetrics(openRegistry('api'), ANYWHERE, log, refresh)
  const failed = await get('/metrics')
  expect(failed.status).toBe(500)
  expect(await failed.text()).toBe('')
  fails = false
  expect((await get('/metrics')).status).toBe(200)
})
