import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Queue } from 'bullmq'
import { chainMailbox } from '../../../core/events/messages.ts'
import { indexerHeads } from '../../../store/chain/transfers.ts'
import { openMailbox } from '../../../store/redis/mailbox.ts'
import { remit } from '../../support/cli/run.ts'
import { eventually } from '../../support/servers/devStack.ts'
import {
  type ProcessName,
  type SilenceStack,
  startSilenceStack,
  type Wire,
} from '../../support/silence/stack.ts'

/**
 * How long each process takes to work again after the other end of each of its connections had fallen silent, for
 * seconds of several lengths, counted from the moment at which new connections are answered again. Prints a table:
 * SILENCE_ROUNDS=5 bun test ./test/e2e/operate/silence.long.ts
 */

const ROUNDS = Number(process.env.SILENCE_ROUNDS ?? 1)
/** How long the silences last: shorter than it takes to notice them, and longer. */
const SILENCES_MS = [12_000, 3_000, 25_000, 7_000, 40_000]
const RECOVERED_WITHIN_MS = 30_000
const TIMEOUT_MS = 180_000

let stack: SilenceStack

beforeAll(async () => {
  stack = await startSilenceStack()
}, 240_000)

afterAll(() => stack?.close(), 60_000)

/** Whether the process works, with what was so at the moment at which the silence ended. */
interface Cell {
  readonly process: ProcessName
  readonly wire: Wire
  /** Looked at when the silence is over; the result is true once it works. */
  begin(): Promise<() => Promise<boolean>>
}

const CELLS: readonly Cell[] = [
  { process: 'api', wire: 'Postgres', begin: async () => () => isAnswered('/v1/invoices') },
  { process: 'worker', wire: 'Postgres', begin: () => headAfterNow() },
  { process: 'indexer', wire: 'Postgres', begin: () => indexedAfterNow() },
  { process: 'cli', wire: 'Postgres', begin: async () => () => runs('relayer', 'list') },
  {
    process: 'api',
    wire: 'Redis',
    begin: async () => async () => !(await stack.ask('/ready')).text.includes('Redis'),
  },
  { process: 'worker', wire: 'Redis', begin: async () => isMessageTaken() },
  { process: 'api', wire: 'RPC', begin: async () => isVerified },
  { process: 'worker', wire: 'RPC', begin: () => headAfterNow() },
  { process: 'indexer', wire: 'RPC', begin: () => indexedAfterNow() },
  {
    process: 'cli',
    wire: 'RPC',
    // With differences to what it is configured with it exits with 1, and has asked the node all the same.
    begin: async () => async () => {
      const ran = await remit(
        stack.variables('cli'),
        ...['hub', 'status', '--chain', 'base-sepolia', '--json'],
      )
      return !('error' in ran.json())
    },
  },
  {
    process: 'indexer',
    wire: 'WebSocket',
    begin: async () => {
      const { passed } = stack.proxy('indexer', 'WebSocket')
      return async () => stack.proxy('indexer', 'WebSocket').passed > passed
    },
  },
]

test(`${ROUNDS} silences of each connection of each process`, async () => {
  const took = new Map<Cell, number[]>(CELLS.map((cell) => [cell, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const cell of CELLS) await untilItWorks(cell)
    for (const wire of new Set(CELLS.map((cell) => cell.wire))) {
      const silenced = CELLS.filter((cell) => cell.wire === wire)
      const ms = await silenceAll(silenced, SILENCES_MS[round % SILENCES_MS.length] ?? 0)
      for (const [i, cell] of silenced.entries()) took.get(cell)?.push(ms[i] ?? Number.NaN)
    }
  }
  report(took)
  for (const [{ process, wire }, ms] of took) {
    expect(`${process} ${wire} ${Math.max(...ms) <= RECOVERED_WITHIN_MS}`).toBe(
      `${process} ${wire} true`,
    )
  }
}, 3_600_000)

/** Has some connections fall silent together, and says how long after it each of them was of use again. */
async function silenceAll(cells: readonly Cell[], silenceMs: number): Promise<number[]> {
  const proxies = cells.map(({ process, wire }) => stack.proxy(process, wire))
  for (const proxy of proxies) proxy.silence()
  await Bun.sleep(silenceMs)
  for (const proxy of proxies) proxy.speak()
  const since = performance.now()
  return Promise.all(
    cells.map(async (cell) => {
      await untilItWorks(cell)
      return performance.now() - since
    }),
  )
}

async function untilItWorks({ process, wire, begin }: Cell): Promise<void> {
  const works = await begin()
  const look = async () => {
    const isWorking = await works().catch((error: unknown) => String(error))
    return `${process} ${wire}: ${isWorking}`
  }
  await eventually(look, (seen) => seen === `${process} ${wire}: true`, TIMEOUT_MS)
}

async function isAnswered(path: string): Promise<boolean> {
  return (await stack.ask(path)).status === 200
}

async function isVerified(): Promise<boolean> {
  const { text } = await stack.ask('/v1/x402/verify', await stack.payment())
  if (JSON.parse(text).isValid !== true) throw new Error(text)
  return true
}

/** The leader has stored a head that is newer than the chain's present one, and keys are leased. */
async function headAfterNow(): Promise<() => Promise<boolean>> {
  const head = await stack.chain.client.getBlockNumber({ cacheTime: 0 })
  return async () => {
    const rows = await stack.database`
      select from chain_state where head > ${head} and exists (
        select from relayer_key where lease_until > now())`
    return rows.length === 1
  }
}

async function indexedAfterNow(): Promise<() => Promise<boolean>> {
  const head = await stack.chain.client.getBlockNumber({ cacheTime: 0 })
  return async () => {
    const heads = await indexerHeads(stack.database)
    return (heads.get(stack.chain.node.chainId) ?? 0n) > head
  }
}

/** A message that is sent now, by someone whose connection works, and is taken by the worker. */
async function isMessageTaken(): Promise<() => Promise<boolean>> {
  const { url, prefix } = stack.redis
  const { chainId } = stack.chain.node
  const mailbox = openMailbox({ redisUrl: url, prefix, onError() {} })
  await mailbox.send(chainId, { type: 'work_waiting' })
  await mailbox.close()
  const queue = new Queue(chainMailbox(chainId), { prefix, connection: { url } })
  return async () => {
    const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active')
    const isTaken = waiting + active === 0
    if (isTaken) await queue.close()
    return isTaken
  }
}

/** Whether a command comes to its end. */
async function runs(...words: string[]): Promise<boolean> {
  const { code, err } = await remit(stack.variables('cli'), ...words)
  if (code !== 0) throw new Error(err)
  return true
}

function report(took: ReadonlyMap<Cell, readonly number[]>): void {
  console.log(
    '| process | connection | median of the recoveries, s | longest, s |\n|---|---|---|---|',
  )
  for (const [{ process, wire }, ms] of took) {
    const sorted = ms.toSorted((a, b) => a - b)
    const [middle, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    const seconds = (value: number | undefined) => ((value ?? Number.NaN) / 1_000).toFixed(1)
    console.log(`| ${process} | ${wire} | ${seconds(middle)} | ${seconds(longest)} |`)
  }
}
