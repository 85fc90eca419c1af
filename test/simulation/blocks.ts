import { BLOCK_MS, CONFIRMATIONS, type World } from './world.ts'

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
  // Wallets send again what no block has.
  world.repeat(async () => {
    for (const [hash, raw] of world.sent) {
      const { result } = await chain.ask({ method: 'eth_getTransactionReceipt', params: [hash] })
      if (result === null) await chain.ask({ method: 'eth_sendRawTransaction', params: [raw] })
    }
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
  const { reorganiseEveryMs } = faults.rates
  if (reorganiseEveryMs === Number.POSITIVE_INFINITY) return
  world.repeat(async () => {
    if (faults.isOver) return reorganiseEveryMs
    const depth = chaos.between(1, CONFIRMATIONS - 1)
    kernel.note(`the chain is reorganised by ${depth}`)
    world.count('reorganisations')
    await chain.reorganise(depth, chaos)
    world.heads.push({ at: kernel.now, number: (await chain.head()).number })
    return chaos.between(1, 2 * reorganiseEveryMs)
  }, reorganiseEveryMs)
}
