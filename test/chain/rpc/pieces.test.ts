import { expect, test } from 'bun:test'
import { LearntLimits } from '../../../chain/rpc/limits.ts'
import { readLogs } from '../../../chain/rpc/logs.ts'

/** A range of logs that is read in pieces. */

const RANGE = { from: 0n, to: 29n }
const CALL = { method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: '0x1d' }] }

test('of each piece only what is wanted is kept, before the next one is asked for', async () => {
  const steps: string[] = []
  const ask = async (_: unknown, last: bigint) => {
    steps.push(`ask up to ${last}`)
    return [`${last} wanted`, `${last} foreign`]
  }
  const keep = async (logs: unknown) => {
    steps.push(`keep of ${String(logs)}`)
    return Array.isArray(logs) ? logs.filter((log) => !String(log).includes('foreign')) : logs
  }
  const limits = new LearntLimits({
    ...{ logRange: 10, logResults: 100, batch: 1, callsPerSecond: 0 },
    responseBytes: 100_000,
  })
  const found = await readLogs(ask, () => limits, CALL, RANGE, keep)
  expect(found).toEqual(['9 wanted', '19 wanted', '29 wanted'])
  expect(steps).toEqual([
    ...['ask up to 9', 'keep of 9 wanted,9 foreign'],
    ...['ask up to 19', 'keep of 19 wanted,19 foreign'],
    ...['ask up to 29', 'keep of 29 wanted,29 foreign'],
  ])
})

test('what fails while it is looked through fails the search, and is no matter of its width', async () => {
  const asked: bigint[] = []
  const ask = async (_: unknown, last: bigint) => {
    asked.push(last)
    return ['log']
  }
  const keep = async () => {
    throw new Error('no database')
  }
  const search = readLogs(ask, () => undefined, CALL, RANGE, keep)
  expect(await search.catch((error: Error) => error.message)).toBe('no database')
  expect(asked).toEqual([29n])
})
