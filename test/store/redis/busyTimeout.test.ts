import { expect, test } from 'bun:test'
import { openBusyTimeout } from '../../../store/redis/busyTimeout.ts'

/** What a time limit counts. */

const patience = openBusyTimeout(4, 5, () => new Error('too late'))

function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('work that takes too long is given up', async () => {
  const started = performance.now()
  await expect(patience(new Promise(() => {}))).rejects.toThrow('too late')
  expect(performance.now() - started).toBeGreaterThan(19)
})

test('an answer that arrived while the process was blocked is taken, however long that was', async () => {
  const socket = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(connection, bytes) {
        connection.write(bytes)
      },
    },
  })
  const answered = Promise.withResolvers<string>()
  const client = await Bun.connect({
    hostname: '127.0.0.1',
    port: socket.port,
    socket: {
      data(_, bytes) {
        answered.resolve(bytes.toString())
      },
    },
  })
  const work = patience(answered.promise)
  client.write('hello')
  block(300)
  expect(await work).toBe('hello')
  client.end()
  socket.stop(true)
})

test('each piece of work has its own time', async () => {
  const slow = patience(new Promise(() => {})).catch((error: Error) => error.message)
  await Bun.sleep(12)
  const started = performance.now()
  const second = patience(new Promise(() => {})).catch((error: Error) => error.message)
  expect(await patience(Promise.resolve(7))).toBe(7)
  expect(await slow).toBe('too late')
  expect(await second).toBe('too late')
  expect(performance.now() - started).toBeGreaterThan(19)
})
