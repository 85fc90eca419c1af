import { afterAll, expect, test } from 'bun:test'
import { openConnection } from './connection.ts'

const clients = new Set<number>()
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request, own) {
    clients.add(own.requestIP(request)?.port ?? 0)
    const { pathname } = new URL(request.url)
    if (pathname === '/silence') await Bun.sleep(60_000)
    const body = await request.text()
    return Response.json({ pathname, body }, { status: pathname === '/refused' ? 402 : 200 })
  },
})
const port = server.port ?? 0

afterAll(() => server.stop(true))

test('a caller keeps its connection from one request to the next', async () => {
  clients.clear()
  const connection = openConnection(port)
  for (const body of ['{"n":1}', '{"n":2}', '{"n":"grüße"}']) {
    const answer = await connection.post('/echo', body, 5_000)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toEqual({ pathname: '/echo', body })
  }
  expect(clients.size).toBe(1)
  connection.close()
})

test('long answers arrive whole', async () => {
  const connection = openConnection(port)
  const body = JSON.stringify('x'.repeat(1_000_000))
  const { text } = await connection.post('/echo', body, 5_000)
  expect(JSON.parse(text).body).toBe(body)
  connection.close()
})

test('the status is passed on as it is', async () => {
  const connection = openConnection(port)
  expect((await connection.post('/refused', '{}', 5_000)).status).toBe(402)
  connection.close()
})

test('a server that stays silent is given up, and the caller can continue', async () => {
  const connection = openConnection(port)
  await expect(connection.post('/silence', '{}', 50)).rejects.toThrow('no answer')
  expect((await connection.post('/echo', '{}', 5_000)).status).toBe(200)
  connection.close()
})

test('a closed port is an error', async () => {
  const closed = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('') })
  const connection = openConnection(closed.port ?? 0)
  await closed.stop(true)
  await expect(connection.post('/echo', '{}', 1_000)).rejects.toThrow()
})
