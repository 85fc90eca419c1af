import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { networks } from '../../../core/base/network.ts'
import type { Resolve } from '../../../workers/webhook/destination.ts'
import { createSender, type SenderOptions } from '../../../workers/webhook/sender.ts'
import { newCertificate } from '../../support/certificate.ts'
import { type Receiver, startReceiver } from '../../support/webhooks.ts'

/** Which address a webhook is really sent to, regardless of what its URL says and its name resolves to. */

let receiver: Receiver

beforeEach(() => {
  receiver = startReceiver()
})
afterEach(() => receiver.stop())

const LOOPBACK = networks(['127.0.0.1/32'])

async function send(url: string, options: Partial<SenderOptions> = {}) {
  const sender = createSender({
    environment: 'sandbox',
    allowed: LOOPBACK,
    limitMs: 2_000,
    ...options,
  })
  return (await sender.send(url, { 'webhook-id': 'e' }, '{}')).answer
}

/** A resolver that gives one answer after the other, and the last one for ever. */
function answering(...answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  const resolve: Resolve = async (host) => {
    asked.push(host)
    return answers[Math.min(asked.length, answers.length) - 1] ?? []
  }
  return { resolve, asked }
}

function named(host: string, target: Receiver = receiver): string {
  const url = new URL(target.url)
  return `http://${host}:${url.port}/hook`
}

const REFUSED = { type: 'failed', error: 'address_not_allowed' } as const

describe('a webhook', () => {
  test('is sent to the address of its host, which still hears its own name', async () => {
    const { resolve } = answering(['127.0.0.1'])
    const answer = await send(named('shop.example'), { resolve })
    expect(answer).toMatchObject({ type: 'answered', status: 204 })
    expect(receiver.received[0]?.headers.host).toStartWith('shop.example:')
  })

  test.each([
    ['a private one', ['10.1.2.3']],
    ['loopback', ['127.0.0.2']],
    ['loopback in IPv6', ['::1']],
    ['loopback, mapped into IPv6', ['::ffff:127.0.0.2']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['a link-local one', ['fe80::1']],
    ['a unique local one', ['fd00:ec2::254']],
    ['one of a carrier', ['100.64.0.1']],
    ['multicast', ['224.0.0.1']],
    ['nowhere', ['0.0.0.0']],
    ['a public and a private one', ['203.0.114.1', '192.168.1.1']],
    ['something that is no address', ['nonsense']],
  ])('is not sent to a host that resolves to %s', async (_what, addresses) => {
    const { resolve } = answering(addresses)
    expect(await send(named('shop.example'), { resolve })).toEqual(REFUSED)
    expect(receiver.received).toEqual([])
  })

  test.each([
    'http://127.0.0.2/',
    'http://0x7f.0.0.2/',
    'http://2130706434/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
  ])('is not sent to %s', async (url) => {
    expect(await send(url, { allowed: [] })).toEqual(REFUSED)
  })

  test('goes to the address that was checked, although the name leads elsewhere by then', async () => {
    const other = startReceiver('127.0.0.2')
    const { resolve, asked } = answering(['127.0.0.1'], ['127.0.0.2'])
    const { port } = new URL(other.url)
    expect(await send(named('rebinding.example'), { resolve })).toMatchObject({ status: 204 })
    expect(asked).toEqual(['rebinding.example'])
    expect(await send(`http://rebinding.example:${port}/`, { resolve })).toEqual(REFUSED)
    expect(other.received).toEqual([])
    await other.stop()
  })

  test('is refused by the first answer, although the next one would be allowed', async () => {
    const { resolve, asked } = answering(['10.0.0.1'], ['127.0.0.1'])
    expect(await send(named('rebinding.example'), { resolve })).toEqual(REFUSED)
    expect(asked).toHaveLength(1)
    expect(receiver.received).toEqual([])
  })

  test('goes to the next address when one refuses the connection', async () => {
    const { resolve } = answering(['127.0.0.3', '127.0.0.1'])
    const allowed = networks(['127.0.0.0/8'])
    expect(await send(named('shop.example'), { resolve, allowed })).toMatchObject({ status: 204 })
  })

  test('goes over the connection of the one before it', async () => {
    const ports: (number | undefined)[] = []
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request, self) {
        ports.push(self.requestIP(request)?.port)
        return new Response('thanks')
      },
    })
    for (let i = 0; i < 3; i += 1) await send(server.url.href)
    expect(ports).toHaveLength(3)
    expect(new Set(ports).size).toBe(1)
    await server.stop(true)
  })

  test('is sent once more when the connection that was kept is closed just then', async () => {
    const asked: number[] = []
    const server = Bun.listen<{ requests: number }>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open(socket) {
          socket.data = { requests: 0 }
        },
        data(socket) {
          socket.data.requests += 1
          asked.push(socket.data.requests)
          if (socket.data.requests > 1) socket.terminate()
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        },
      },
    })
    const url = `http://127.0.0.1:${server.port}/`
    expect(await send(url)).toMatchObject({ status: 200 })
    expect(await send(url)).toMatchObject({ status: 200 })
    expect(asked).toEqual([1, 2, 1])
    server.stop(true)
  })

  test('to a host that no one knows, or that no one listens at, says so', async () => {
    const { resolve } = answering([])
    const unknown = { type: 'failed', error: 'unknown_host' } as const
    expect(await send(named('nowhere.example'), { resolve })).toEqual(unknown)
    expect(await send('http://127.0.0.1:1/')).toEqual({
      type: 'failed',
      error: 'connection_refused',
    })
  })

  test('whose host takes for ever to resolve is given up', async () => {
    const resolve = () => new Promise<never>(() => {})
    const answer = await send(named('slow.example'), { resolve, limitMs: 200 })
    expect(answer).toEqual({ type: 'failed', error: 'timeout' })
  })

  test('is sent by https only in live', async () => {
    const answer = await send(receiver.url, { environment: 'live' })
    expect(answer).toEqual({ type: 'failed', error: 'https_required' })
  })
})

describe('over TLS', () => {
  /** A server whose certificate is for hook.example only. */
  function startTlsServer() {
    const { key, cert: authorities } = newCertificate('DNS:hook.example')
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { key, cert: authorities },
      fetch: (request) => new Response(request.headers.get('host')),
    })
    return { server, authorities }
  }

  test('the certificate must be for the name of the host, at whatever address', async () => {
    const { server, authorities } = startTlsServer()
    const { resolve } = answering(['127.0.0.1'])
    const url = (host: string) => `https://${host}:${server.port}/`
    const options = { resolve, authorities, environment: 'live' } as const
    expect(await send(url('hook.example'), options)).toMatchObject({ status: 200 })
    // Not over the connection that is open by now either.
    const failed = { type: 'failed', error: 'tls_error' } as const
    expect(await send(url('shop.example'), options)).toEqual(failed)
    expect(await send(url('127.0.0.1'), options)).toEqual(failed)
    expect(await send(url('hook.example'), { resolve, environment: 'live' })).toEqual(failed)
    await server.stop(true)
  })
})
