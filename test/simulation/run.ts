import { startChain, startTrouble } from './blocks.ts'
import type { SimulatedChain } from './chain.ts'
import { processorS } from './cost.ts'
import { floodDeposits } from './customers/floods.ts'
import { payInvoice } from './customers/invoices.ts'
import { drainKeys, lockRows, openMerchants, openReceivers } from './customers/operators.ts'
import { payRequest } from './customers/paidRequests.ts'
import type { Records } from './customers/records.ts'
import { recoverChain } from './customers/recovery.ts'
import { payFromLittle, paySigned } from './customers/signedInvoices.ts'
import { NO_FAULTS, type Rates, ratesOf, without } from './faults.ts'
import { BEGINNING } from './kernel.ts'
import { POOR_ACCOUNTS } from './keys.ts'
import { DELIVERY, judge, unfinished } from './oracle/oracle.ts'
import { Random } from './random.ts'
import { real } from './real.ts'
import { Trace } from './trace.ts'
import { World } from './world.ts'

/** One seed from its beginning to its end. */

export interface Outcome {
  readonly seed: string
  readonly hash: string
  readonly events: number
  readonly virtualS: number
  readonly realS: number
  /** Processor time of the simulator, and of Postgres and the chain. */
  readonly cpuS: { readonly own: number; readonly servers: number }
  readonly counts: Readonly<Record<string, number>>
  /** Why the run has failed; null when all is as it has to be. */
  readonly failure: string | null
  readonly newest: readonly string[]
}

export interface RunOptions {
  readonly onLine?: (line: string) => void
  readonly isLoud?: boolean
  /** Nothing goes wrong. */
  readonly isCalm?: boolean
  readonly customers?: number
  /** The names of rates that are 0. */
  readonly off?: readonly string[]
  /** How long what was begun may take once nothing goes wrong any more, in ms of virtual time. */
  readonly patienceMs?: number
  /** How long things go wrong after the last customer has come, in ms of virtual time. */
  readonly troubleMs?: number
  /** Customers pay invoices by signature, and do nothing else. */
  readonly isSigned?: boolean
}

function ratesFor(seed: string, { isCalm = false, off = [] }: RunOptions): Rates {
  return isCalm ? NO_FAULTS : without(ratesOf(new Random(seed).fork('rates')), off)
}

/** Of `troubleMs`. */
const TROUBLE_MS = 14_000
const TROUBLE_EACH_MS = 100

export async function simulate(
  seed: string,
  chain: SimulatedChain,
  options: RunOptions = {},
): Promise<Outcome> {
  const began = real.now()
  const cpuBefore = processorS()
  const trace = new Trace(options.onLine)
  const world = await World.open(
    seed,
    trace,
    chain,
    options.isLoud ?? false,
    ratesFor(seed, options),
  )
  const { kernel } = world
  let failure: string | null = null
  try {
    await live(world, options)
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
  } finally {
    await world.close()
  }
  const cpu = processorS()
  return {
    ...{ seed, hash: trace.hash(), events: trace.count, failure, newest: trace.newest() },
    virtualS: (kernel.now - BEGINNING) / 1_000,
    realS: (real.now() - began) / 1_000,
    cpuS: { own: cpu.own - cpuBefore.own, servers: cpu.servers - cpuBefore.servers },
    counts: { ...world.counts, ...world.faults.counts, waits: world.database.waits },
  }
}

/** Of `patienceMs`. */
const CALM_MS = 900_000

/** How often what is left to be done is looked at, in ms. */
const LOOK_EVERY_MS = 2_000

/** With them the median seed has more than a hundred payments. */
export const CUSTOMERS = 94

/** One customer comes in so many ms, on average. */
const EVERY_MS = 100

/** What a customer may do. */
const BUSINESS = {
  all: [
    ...[payInvoice, payInvoice, payInvoice, payRequest, payRequest, payRequest, payRequest],
    ...[paySigned, paySigned, payFromLittle],
  ],
  signed: [paySigned, paySigned, paySigned, payFromLittle],
}
/** Of a hundred customers: the stranger who wants the chain to stand still. */
const STRANGER = 20

function noRecords(): Records {
  const poor = [...POOR_ACCOUNTS]
  return { merchants: [], invoices: [], requests: [], signed: [], poor, expired: [] }
}

async function live(world: World, options: RunOptions): Promise<void> {
  const {
    customers = CUSTOMERS,
    patienceMs = CALM_MS,
    troubleMs = TROUBLE_MS + TROUBLE_EACH_MS * customers,
    isSigned = false,
  } = options
  const { kernel } = world
  const records = noRecords()
  startChain(world)
  for (let i = 0; i < 2; i += 1) {
    world.addApi()
    world.addWorker()
    world.addNotifier()
  }
  let isReady = false
  world.begin('operator', async (actor) => {
    records.merchants.push(...(await openMerchants(world, actor, 2)))
    for (const merchant of records.merchants) await openReceivers(world, actor, merchant)
    isReady = true
  })
  await kernel.run(kernel.now + patienceMs, () => isReady)
  world.faults.isOff = false
  startTrouble(world)
  world.begin('support', (actor) => lockRows(world, actor))
  world.begin('relayers', (actor) => drainKeys(world, actor))
  const { loseSigned, loseRefund } = world.faults.rates
  if (loseSigned + loseRefund > 0) world.begin('recovery', (actor) => recoverChain(world, actor))
  const plan = world.random.fork('business')
  let open = customers
  for (let i = 0; i < customers; i += 1) {
    const isStranger = i % 100 === STRANGER
    const act = isStranger ? floodDeposits : plan.pick(BUSINESS[isSigned ? 'signed' : 'all'])
    const waitMs = plan.between(0, EVERY_MS * customers)
    world.begin(`customer-${i}`, async (customer) => {
      await Bun.sleep(waitMs)
      await act(world, customer, records)
      open -= 1
    })
  }
  await kernel.run(kernel.now + EVERY_MS * customers + troubleMs)
  world.endFaults()
  if (open > 0) await kernel.run(kernel.now + patienceMs, () => open === 0)
  if (open > 0) throw new Error('customers have no answer although nothing goes wrong any more')
  const end = kernel.now + patienceMs
  const deliveredBy = kernel.now + CALM_MS
  world.counts.repeats = world.chain.repeated.times
  // What is tried again after minutes needs notifiers only, and time.
  let left = await unfinished(world)
  const areDeliveries = () => left.every((what) => what.endsWith(DELIVERY))
  while (left.length > 0 && kernel.now < (areDeliveries() ? deliveredBy : end)) {
    kernel.note(`to be done: ${left.join('; ')}`)
    if (areDeliveries()) await world.leaveNotifier()
    await kernel.run(kernel.now + LOOK_EVERY_MS)
    left = await unfinished(world)
  }
  if (left.length > 0) throw new Error(`this does not end: ${left.join('; ')}`)
  await judge(world, records)
}
