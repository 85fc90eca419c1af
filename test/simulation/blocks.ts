import { sendAgain, spendElsewhere } from './customers/wallets.ts'
import { BLOCK_MS, CONFIRMATIONS } from './variables.ts'
import type { World } from './world.ts'

/** What happens to the chain by itself: blocks, nodes that lag, reorganisations. */

/** Mines and indexes from now on. */
export function startChain(world: World): void {
  const random = world.random.fork('blocks')
  const { kernel, chain } = world
  world.repeat(async () => {
    await chain.mine(kernel)
    const { number } = await chain.head()
    kernel.note(`block ${number}`)
    world.announceHead(number)
    return random.isLikely(0.2) ? BLOCK_MS * random.between(1, 4) : BLOCK_MS
  })
  world.repeat(async () => {
    await world.indexer.turn(20)
    return random.between(100, 1_500)
  })
  world.repeat(async () => {
    await sendAgain(world)
    return 20_000
  })
}

/** What happens to the chain and to its nodes. */
export function startTrouble(world: World): void {
  const { kernel, chain, chaos, faults } = world
  for (const { name, node } of world.nodes) {
    world.repeat(async () => {
      const mode = node.change((await chain.head()).number)
      kernel.note(`${name} is ${mode.name}`)
      return mode.ms
    })
  }
  const { reorganiseEveryMs, dearEveryMs } = faults.rates
  repeatTrouble(world, dearEveryMs, async () => {
    const times = chaos.between(6, 30)
    kernel.note(`blocks cost ${times} times as much`)
    chain.makeDear(times, chaos.between(5, 25))
  })
  repeatTrouble(world, reorganiseEveryMs, async () => {
    const depth = chaos.between(1, CONFIRMATIONS - 1)
    kernel.note(`the chain is reorganised by ${depth}`)
    world.count('reorganisations')
    const lost = await chain.reorganise(depth, chaos)
    world.heads.push({ at: kernel.now, number: (await chain.head()).number })
    for (const hash of lost) if (chaos.isLikely(SPENT_ELSEWHERE)) await spendElsewhere(world, hash)
  })
}

/** Of the transactions of payers that a reorganisation has lost: their senders do something else with the account nonce. */
const SPENT_ELSEWHERE = 0.5

/** Does something about every so many ms, as long as things go wrong. */
function repeatTrouble(world: World, everyMs: number, act: () => Promise<void>): void {
  if (everyMs === Number.POSITIVE_INFINITY) return
  world.repeat(async () => {
    if (world.faults.isOff) return everyMs
    await act()
    return world.chaos.between(1, 2 * everyMs)
  }, everyMs)
}
