import { beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { baseUnits } from '../../../core/base/money.ts'
import { ALL_CHAINS, chainNamed, tokenNamed } from '../../../core/chain/registry.ts'
import type { HubToken } from '../../../core/hub/state.ts'
import type { HubGovernance } from '../../../store/hub/hubGovernance.ts'
import { logChanges } from '../../../workers/hub/logChanges.ts'

/** What the log says of a limit, from one look at a hub to the next. */

const chain = chainNamed('base', ALL_CHAINS)
const { address } = tokenNamed(chain, 'USDC')
const QUIET: HubGovernance = {
  ...{ newsBlock: 1n, differences: [], stopped: [], proposals: [], changes: [] },
}

let lines: Record<string, unknown>[] = []
const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
beforeEach(() => {
  lines = []
})

function usdc(left: number | null, limit: number | null = 1_000): HubToken {
  const amount = (whole: number | null) =>
    whole === null ? null : baseUnits(BigInt(whole) * 1_000_000n)
  return { token: address, isListed: true, refundLimit: amount(limit), refundRoom: amount(left) }
}

function look(before: HubToken, now: HubToken): void {
  logChanges(log, chain, { before: QUIET, now: QUIET, tokensBefore: [before], tokens: [now] })
}

describe('a limit of refunds', () => {
  test('of which less than a fifth is left is reported once, with the remainder', () => {
    look(usdc(1_000), usdc(200))
    expect(lines).toEqual([])
    look(usdc(200), usdc(199))
    look(usdc(199), usdc(0))
    expect(lines).toMatchObject([
      { token: 'USDC', limit: '1000', room: '199', msg: 'the limit of refunds is nearly used' },
    ])
  })

  test('is told again when it was free in between', () => {
    look(usdc(199), usdc(1_000))
    look(usdc(1_000), usdc(1))
    expect(lines).toHaveLength(1)
  })

  test('that is none, or that lets nothing pass, is not told', () => {
    look(usdc(1_000), usdc(null, null))
    look(usdc(1_000), usdc(0, 0))
    expect(lines).toEqual([])
  })
})
