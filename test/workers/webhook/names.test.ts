import { expect, test } from 'bun:test'
import { resolveBySystem } from '../../../workers/webhook/destination.ts'
import { sendPastSilence } from '../../support/servers/silentNameserver.ts'
import { startReceiver } from '../../support/webhooks.ts'

/** How the names of hosts are looked up. */

test('hosts whose nameserver is silent hold up no webhook to another', async () => {
  const receiver = startReceiver()
  const { port } = new URL(receiver.url)
  const report = await sendPastSilence(`http://localhost:${port}/hook`)
  receiver.stop()
  expect(report).toMatchObject({ wasAsked: true, answer: { status: 204 }, ended: 0 })
})

test("names of the machine's own list of hosts are found", async () => {
  expect(await resolveBySystem('localhost')).toContain('127.0.0.1')
})
