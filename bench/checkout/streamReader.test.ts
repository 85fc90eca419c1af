import { afterAll, expect, test } from 'bun:test'
import { eventually } from '../../test/support/servers/devStack.ts'
import { openStream } from './streamReader.ts'

const clients: string[] = []
const streams = new Map<string, ReadableStreamDefaultController<string>>()
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 60,
  fetch(request) {
    clients.push(request.headers.get('x-forwarded-for') ?? '')
    const session = new URL(request.url).pathname.split('/')[4] ?? ''
    if (session === 'unknown') return new Response('{}', { status: 404 })
    const body = new ReadableStream<string>({
      start(controller) {
        streams.set(session, controller)
        controller.enqueue('retry: 2000\n\n')
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  },
})
const port = server.port ?? 0

afterAll(() => server.stop(true))

async function open(sessionId: string) {
  const heard = { views: 0, ended: [] as string[] }
  const reader = await openStream({
    port,
    sessionId,
    client: '198.18.0.7',
    onView: () => (heard.views += 1),
    onEnd: (reason) => void heard.ended.push(reason),
  })
  return { reader, heard }
}

const until = (holds: () => boolean) => eventually(async () => holds(), Boolean, 5_000)

test('a page counts its views and nothing else, however they are cut', async () => {
  const { reader, heard } = await open('cs_1')
  await until(() => streams.has('cs_1'))
  const stream = streams.get('cs_1')
  stream?.enqueue(': beat\n\n')
  stream?.enqueue('event: view\nid: 1\ndata: {"description":"event: view"}\n\n')
  await until(() => heard.views === 1)
  stream?.enqueue(`event: view\nid: 2\ndata: ${'x'.repeat(500_000)}`)
  await Bun.sleep(50)
  expect(heard.views).toBe(1)
  stream?.enqueue('\n\nevent: view\nid: 3\ndata: {}\n\n')
  await until(() => heard.views === 3)
  expect(heard.ended).toEqual([])
  expect(clients).toContain('198.18.0.7')
  reader.close()
  await Bun.sleep(50)
  expect(heard.ended).toEqual([])
})

test('a stream that ends says so once', async () => {
  const { heard } = await open('cs_2')
  await until(() => streams.has('cs_2'))
  streams.get('cs_2')?.close()
  await until(() => heard.ended.length > 0)
  await Bun.sleep(50)
  expect(heard.ended).toEqual(['the stream has ended'])
})

test('a refused caller has no stream', async () => {
  const { heard } = await open('unknown')
  await until(() => heard.ended.length > 0)
  expect(heard.ended).toEqual(['HTTP/1.1 404 Not Found'])
})
