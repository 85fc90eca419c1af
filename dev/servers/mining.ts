/**
 * Mining on durable chains. Blocks are mined on whole multiples of the block time of the wall
 * clock, so that a block's timestamp is the moment it appeared, and each is stored right after.
 *
 * A block per second would make the stored state grow by 86,400 headers a day. While a transaction
 * waits, and for five minutes after the last one, there is a block per tick: payments are mined and
 * get their confirmations at the pace of a live chain. On an idle chain an empty block follows only
 * every tenth tick, which keeps its clock moving, and with it the expiry of invoices.
 */
import { readFileSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { asHex, hexField, type Rpc } from './rpc.ts'

const BUSY_AFTER_TRANSACTION_MS = 5 * 60_000
const IDLE_TICKS = 10
/** Empty blocks are stored so rarely that storing takes at most this share of the time. */
const STORING_SHARE = 0.05

export type DurableMining = { mine(): Promise<void>; stop(): Promise<void> }

export type MiningOptions = {
  stateFile: string
  blockTimeMs: number
  /** Resolves when the node has ended; mining then ends by itself. */
  ended: Promise<unknown>
}

/**
 * Mines until it is stopped. `mine` asks for a block at once; `stop` stores the last state.
 * A node that does not answer is asked again at the next tick: its supervisor restarts it.
 */
export function mineDurably(rpc: Rpc, options: MiningOptions): DurableMining {
  let running = true
  let turn: Promise<void> = Promise.resolve()
  let ticks = 0
  let lastBusy = performance.now()
  let [storedAt, storingTook] = [0, 0]
  let unstored = false

  const store = async () => {
    const from = performance.now()
    await saveState(rpc, options.stateFile)
    storedAt = performance.now()
    storingTook = storedAt - from
    unstored = false
  }
  const mineBlock = async (isBusy: boolean) => {
    await rpc('evm_mine')
    unstored = true
    if (isBusy || performance.now() - storedAt > storingTook / STORING_SHARE) await store()
  }
  const tick = async () => {
    const waiting = BigInt(hexField(await rpc('txpool_status'), 'pending')) > 0n
    if (waiting) lastBusy = performance.now()
    const isBusy = performance.now() - lastBusy < BUSY_AFTER_TRANSACTION_MS
    if (waiting || isBusy || ++ticks % IDLE_TICKS === 0) await mineBlock(waiting)
  }
  /** One after the other: a dump never overlaps a block. */
  const take = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  const over = Promise.withResolvers<void>()
  const end = () => {
    running = false
    over.resolve()
  }
  options.ended.finally(end)
  const loop = async () => {
    while (running) {
      const untilTick = options.blockTimeMs - (Date.now() % options.blockTimeMs)
      await Promise.race([Bun.sleep(untilTick), over.promise])
      if (!running) return
      try {
        await take(tick)
      } catch (error) {
        if (running) console.error(`A local chain did not mine: ${String(error)}`)
      }
    }
  }
  const looping = loop()

  return {
    mine: () => take(() => mineBlock(true)),
    stop: async () => {
      const wasRunning = running
      end()
      await looping
      await turn
      if (wasRunning && unstored) await store()
    },
  }
}

/** Stores the chain's state so that either the old or the new file is there, whatever happens. */
export async function saveState(rpc: Rpc, stateFile: string): Promise<void> {
  const packed = Buffer.from(asHex(await rpc('anvil_dumpState')).slice(2), 'hex')
  await writeDurably(stateFile, Bun.gunzipSync(packed))
}

async function writeDurably(file: string, content: Uint8Array | string): Promise<void> {
  const path = resolve(file)
  await mkdir(dirname(path), { recursive: true })
  const draft = await open(`${path}.new`, 'w')
  try {
    await draft.writeFile(content)
    await draft.sync()
  } finally {
    await draft.close()
  }
  await rename(`${path}.new`, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Makes a stored state fit for loading. A node that loads a state makes a block 0 of its own first
 * and keeps it, so that the next dump holds two of them in no order, and a later load would choose
 * one by chance. The chain's real one is the oldest.
 */
export async function repairState(stateFile: string): Promise<void> {
  const state: unknown = JSON.parse(readFileSync(stateFile, 'utf8'))
  if (typeof state !== 'object' || state === null || !('blocks' in state)) return
  const blocks: unknown[] = Array.isArray(state.blocks) ? state.blocks : []
  const born = (block: unknown) => BigInt(headerField(block, 'timestamp'))
  const isFirst = (block: unknown) => BigInt(headerField(block, 'number')) === 0n
  const first = blocks.filter(isFirst).sort((a, b) => Number(born(a) - born(b)))
  if (first.length < 2) return
  const kept = blocks.filter((block) => !isFirst(block) || block === first[0])
  await writeDurably(stateFile, JSON.stringify({ ...state, blocks: kept }))
}

function headerField(block: unknown, field: string): string {
  const header = typeof block === 'object' && block !== null && 'header' in block && block.header
  return hexField(header, field)
}
