import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../../dev/processes/child.ts'
import { shownSchema } from '../../indexer/deployment/views.ts'
import { listenForTransfers } from '../../store/chain/transfers.ts'
import {
  caughtUp,
  indexed,
  indexedOn,
  openRigDatabase,
  type RigChain,
  type RigDatabase,
  type RunningIndexer,
  startIndexer,
  startRigChain,
} from '../support/indexer/rig.ts'

/**
 * An indexer with other tables fills them beside the one at work and takes over. Blocks come all the time, and
 * every payment is seen soon. A part of `bun run check:long`; DEPLOYMENT_BLOCKS sets the length of the past.
 */

const BLOCKS = Number(process.env.DEPLOYMENT_BLOCKS ?? 200)
const SEEN_WITHIN_MS = 2_000
const BLOCK_MS = 500
/** Another first block makes another deployment. */
const OTHER = { START_BLOCK_BASE_SEPOLIA: '1' }

let chain: RigChain
let database: RigDatabase
const started: RunningIndexer[] = []
const folder = mkdtempSync(join(tmpdir(), 'remit-deployment-'))

beforeAll(async () => {
  chain = await startRigChain('base-sepolia')
  database = await openRigDatabase()
  for (let i = 0; i < BLOCKS; i += 1) {
    await chain.pay(await database.watch(), 1n)
    await chain.node.mine()
  }
}, 300_000)

afterEach(async () => {
  for (const indexer of started.splice(0)) await indexer.stop()
}, 120_000)

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.close()
})

test('discovery goes on while another deployment fills its tables, and when it takes over', async () => {
  const old = await start()
  await caughtUp(database.sql, [chain])
  const before = await shownSchema(database.sql)
  const traffic = payWithoutEnd()
  const ready = join(folder, 'ready')
  const began = performance.now()
  const next = await start({ ...OTHER, READY_FILE: ready })
  const hasSwitched = async () => (await shownSchema(database.sql)) !== before
  if (!(await waitUntil(hasSwitched, 90_000))) throw new Error(next.output())
  console.log(`the views switched after ${Math.round(performance.now() - began)} ms`)
  expect(await waitUntil(() => existsSync(ready), 10_000)).toBe(true)
  expect(await waitUntil(() => old.output().includes('has taken over'), 10_000)).toBe(true)
  // From here on it alone can notify of transfers.
  let wakes = 0
  const count = () => {
    wakes += 1
  }
  const log = { warn: (_: object, message: string) => expect().fail(message) }
  const unlisten = listenForTransfers(database.sql, [], count, log)
  await Bun.sleep(3_000)
  const { worstMs, paid } = await traffic.end()
  await unlisten()
  expect(wakes).toBeGreaterThan(2)
  console.log(`${paid.length} payments, the slowest was seen after ${worstMs} ms`)
  expect(worstMs).toBeLessThan(SEEN_WITHIN_MS)
  expect(new Set(await indexedOn(database.sql, chain)).size).toBe(BLOCKS + paid.length)
  expect(next.output()).not.toContain('Ponder has ended')
}, 240_000)

test('the one that was followed waits, and works again when the other has ended', async () => {
  const [old, next] = [await start(), await start(OTHER)]
  const isFollowed = () => [old, next].some((one) => one.output().includes('has taken over'))
  expect(await waitUntil(isFollowed, 60_000)).toBe(true)
  const followed = old.output().includes('has taken over') ? old : next
  const shown = await shownSchema(database.sql)
  await (followed === old ? next : old).stop()
  await caughtUp(database.sql, [chain])
  expect(await waitUntil(async () => (await shownSchema(database.sql)) !== shown, 60_000)).toBe(
    true,
  )
  await chain.node.mine()
  await caughtUp(database.sql, [chain])
}, 240_000)

async function start(more: Readonly<Record<string, string>> = {}): Promise<RunningIndexer> {
  const indexer = await startIndexer(database.url, [chain], more)
  started.push(indexer)
  return indexer
}

/** A payment with each block; each is waited for by itself, from the moment its block was mined. */
function payWithoutEnd() {
  const paid: string[] = []
  const waits: Promise<number>[] = []
  let isOver = false
  const paying = (async () => {
    while (!isOver) {
      const txHash = await chain.pay(await database.watch(), 5n)
      await chain.node.mine()
      const since = performance.now()
      paid.push(txHash)
      waits.push(
        indexed(database.sql, chain, txHash).then(() => Math.round(performance.now() - since)),
      )
      await Bun.sleep(BLOCK_MS)
    }
  })()
  return {
    async end() {
      isOver = true
      await paying
      return { paid, worstMs: Math.max(...(await Promise.all(waits))) }
    },
  }
}
