/**
 * Mining on durable chains. Blocks are mined on whole multiples of the block time of the wall
 * clock, so that a block's timestamp is the time it appeared, and each is stored directly afterwards.
 *
 * A block per second would make the stored chain grow by 86,400 headers a day. While a transaction
 * is pending, and for five minutes after the last one, there is a block per tick: payments are mined and
 * confirmed at the pace of a live chain. On an idle chain an empty block is mined only
 * every tenth tick, which keeps its clock and so the expiry of invoices moving.
 */
import type { ChainFiles } from './chainFiles.ts'
import { hexField, type Rpc } from './rpc.ts'

const BUSY_AFTER_TRANSACTION_MS = 5 * 60_000
const IDLE_TICKS = 10

export type DurableMining = { mine(): Promise<void>; stop(): Promise<void> }

export type MiningOptions = {
  files: ChainFiles
  blockTimeMs: number
  /** Resolves when the node has ended; mining then ends as well. */
  ended: Promise<unknown>
}

/**
 * Mines until it is stopped. `mine` mines a block at once; `stop` stores the last state.
 * A node that does not respond is called again at the next tick: its supervisor restarts it.
 */
export function mineDurably(rpc: Rpc, options: MiningOptions): DurableMining {
  let running = true
  let turn: Promise<void> = Promise.resolve()
  let ticks = 0
  let lastBusy = performance.now()

  const mineBlock = async (isWaiting: boolean) => {
    const isUntouched = isWaiting && (await options.files.isUntouched())
    const mined = await rpc('evm_mine_detailed')
    await options.files.store(Array.isArray(mined) ? mined[0] : undefined, isUntouched)
  }
  const tick = async () => {
    const waiting = BigInt(hexField(await rpc('txpool_status'), 'pending')) > 0n
    if (waiting) lastBusy = performance.now()
    const isBusy = performance.now() - lastBusy < BUSY_AFTER_TRANSACTION_MS
    if (waiting || isBusy || ++ticks % IDLE_TICKS === 0) await mineBlock(waiting)
  }
  /** Sequential: a dump never overlaps a block. */
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
      if (wasRunning) await options.files.finish()
    },
  }
}
