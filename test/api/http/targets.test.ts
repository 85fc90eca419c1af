import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { createApp } from '../../../api/app.ts'
import { serverOptions } from '../../../api/http/server.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** Requests over a socket, byte by byte, whose host is none. */

const NOWHERE = { host: '127.0.0.1', port: 0 }
let rig: ApiRig
let port = 0
let stop: () => Promise<unknown> = async () => {}

beforeAll(async () => {
  rig = await openRig()
  const app = createApp(rig.deps).listen(serverOptions(NOWHERE, rig.deps.log))
  port = app.server?.port ?? 0
  stop = () => app.stop(true)
}, 120_000)

afterAll(async () => {
  await stop()
  await rig.close()
})

/** Sends a request as it is, and reads the answer to the end of its connection. */
async function ask(request: string, key?: string): Promise<{ head: string; body: string }> {
  const ended = Promise.withResolvers<string>()
  let text = ''
  const headers = `Connection: close\r\n${key === undefined ? '' : `X-Service-Key: ${key}\r\n`}`
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (socket) => void socket.write(`${request}\r\n${headers}\r\n`),
      data: (_socket, bytes) => {
        text += bytes.toString()
      },
      close: () => ended.resolve(text),
      error: (_socket, error) => ended.reject(error),
    },
  })
  const [head = '', body = ''] = (await ended.promise).split('\r\n\r\n')
  return { head, body }
}

const HOSTS = [
  ['no host', 'HTTP/1.0'],
  ['an empty host', 'HTTP/1.1\r\nHost:'],
  ['a port that there is not', 'HTTP/1.1\r\nHost: x:99999'],
  ['a host that is a path', 'HTTP/1.1\r\nHost: a/b?c'],
] as const

describe.each(HOSTS)('with %s', (_what, rest) => {
  test.each(['/checkout/x', '/pay/x?lang=de'])('the page %s is missing in words', async (path) => {
    const { head, body } = await ask(`GET ${path} ${rest}\r\nAccept: text/html`)
    expect(head).toStartWith('HTTP/1.1 404')
    expect(body).toContain('<html')
  })

  test.each(['/nope?a=1', '//x:99999/nope', '/?a=http://x:99999/'])('%s is 404', async (path) => {
    const { head, body } = await ask(`GET ${path} ${rest}`)
    expect(head).toStartWith('HTTP/1.1 404')
    expect(JSON.parse(body)).toMatchObject({ success: false, error: 'not found' })
  })

  test('a known path with another method is 405', async () => {
    const { head } = await ask(`DELETE /v1/invoices ${rest}`)
    expect(head).toStartWith('HTTP/1.1 405')
    expect(head.toLowerCase()).toContain('allow: get, head, post, options')
  })

  test('lists read their query', async () => {
    const key = rig.merchant.secretKey
    const good = await ask(`GET /v1/invoices?limit=3 ${rest}`, key)
    expect(good.head).toStartWith('HTTP/1.1 200')
    expect(JSON.parse(good.body).metadata.pagination.limit).toBe(3)
    const bad = await ask(`GET /v1/invoices?limit=x ${rest}`, key)
    expect(bad.head).toStartWith('HTTP/1.1 400')
  })
})

test('a fault that nothing caught is answered with the envelope, and nothing else', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) })
  const server = Bun.serve({
    ...serverOptions(NOWHERE, log),
    fetch() {
      throw new Error('what nobody may read')
    },
  })
  const response = await fetch(server.url)
  const body = await response.json()
  await server.stop(true)
  expect(response.status).toBe(500)
  expect(body).toEqual({
    success: false,
    error: 'internal error',
    code: 'internal_error',
    docs: '/docs/errors#internal_error',
    traceId: response.headers.get('x-trace-id'),
  })
  expect(lines.join()).toContain('what nobody may read')
  expect(lines.join()).toContain(body.traceId)
})
