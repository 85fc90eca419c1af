import { expect, test } from 'bun:test'
import {
  announceHead,
  type HeadHeader,
  listenForHeads,
  readAnnounced,
  retractHeads,
  watchedNodes,
} from '../../../store/chain/heads.ts'
import type { Database } from '../../../store/database/database.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { forThisFile, newHash, newNetwork } from '../../support/store/database.ts'

let database: Database

forThisFile((fresh) => {
  database = fresh
})

const header = (number: bigint): HeadHeader => ({
  number,
  hash: newHash(),
  parentHash: newHash(),
  time: new Date(1_700_000_000_000),
  baseFeePerGas: 7n,
  gasLimit: 30_000_000n,
})
const node = (head: bigint | null, unmovedMs = 0) => {
  return { host: 'node.example', head, unmovedMs, fault: null }
}

test('what was announced last is read with its age', async () => {
  const network = newNetwork()
  expect(await readAnnounced(database, network)).toBeNull()
  const head = header(5n)
  await announceHead(database, network, head, [node(5n)])
  const announced = await readAnnounced(database, network)
  expect(announced?.head).toEqual(head)
  expect(announced?.ageMs).toBeGreaterThanOrEqual(0)
  expect(announced?.ageMs).toBeLessThan(30_000)
})

test('the same head again is fresh, and has not moved', async () => {
  const network = newNetwork()
  const head = header(5n)
  await announceHead(database, network, head, [])
  await database`
    update chain_head set announced_at = now() - interval '1 minute', moved_at = now() - interval '1 minute'
    where network_id = ${network}`
  const moved = async () => {
    const [row] = await database<{ movedAt: Date }[]>`
      select moved_at from chain_head where network_id = ${network}`
    return row?.movedAt
  }
  const before = await moved()
  await announceHead(database, network, head, [])
  expect((await readAnnounced(database, network))?.ageMs).toBeLessThan(30_000)
  expect(await moved()).toEqual(before)
  await announceHead(database, network, header(6n), [])
  expect((await moved())?.getTime()).toBeGreaterThan(before?.getTime() ?? 0)
})

test('what each node shows takes the place of what it showed', async () => {
  const network = newNetwork()
  const shown = async () =>
    (await watchedNodes(database))
      .filter(({ networkId }) => networkId === network)
      .map(({ host, head, fault }) => ({ host, head, fault }))
  await announceHead(database, network, header(5n), [
    node(5n),
    { ...node(null), host: 'other.example', fault: 'forked' },
  ])
  expect(await shown()).toEqual([
    { host: 'node.example', head: 5n, fault: null },
    { host: 'other.example', head: null, fault: 'forked' },
  ])
  await announceHead(database, network, header(6n), [node(6n, 90_000)])
  expect(await shown()).toEqual([{ host: 'node.example', head: 6n, fault: null }])
  const [row] = await database<{ seconds: number }[]>`
    select extract(epoch from now() - moved_at)::int as seconds from chain_node
    where network_id = ${network}`
  expect(row?.seconds).toBeGreaterThanOrEqual(89)
})

test('each new head is told once to whoever listens, and the same again to no one', async () => {
  const network = newNetwork()
  const heard: string[] = []
  const stop = listenForHeads(database, [network], (id) => heard.push(id), { warn: () => {} })
  // Once for the subscription itself.
  await eventually(
    async () => heard.length,
    (count) => count === 1,
  )
  const head = header(5n)
  await announceHead(database, network, head, [])
  await announceHead(database, network, head, [])
  await announceHead(database, network, header(6n), [])
  await eventually(
    async () => heard.length,
    (count) => count >= 3,
  )
  await Bun.sleep(50)
  expect(heard).toEqual([network, network, network])
  await stop()
})

test('announcements that are taken back are old at once, and whoever listens is told', async () => {
  const [network, other] = [newNetwork(), newNetwork()]
  await announceHead(database, network, header(5n), [])
  await announceHead(database, other, header(5n), [])
  const heard: string[] = []
  const stop = listenForHeads(database, [], (id) => heard.push(id), { warn: () => {} })
  await eventually(
    async () => {
      await retractHeads(database, [network])
      return heard.length
    },
    (count) => count > 0,
  )
  expect(heard).not.toContain(other)
  expect((await readAnnounced(database, network))?.ageMs).toBeGreaterThan(60_000)
  expect((await readAnnounced(database, other))?.ageMs).toBeLessThan(30_000)
  await stop()
})
