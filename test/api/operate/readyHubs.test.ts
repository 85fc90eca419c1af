import { describe, expect, test } from 'bun:test'
import { hubWarnings } from '../../../api/operate/readyHubs.ts'
import { asMerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { checksumAddress, lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { ALL_CHAINS, tokenNamed } from '../../../core/chain/registry.ts'
import type { Environment } from '../../../core/chain/table.ts'
import type { HubReport } from '../../../store/hub/hubGovernance.ts'
import type { EntryAlarm } from '../../../store/hub/registryEntries.ts'
import { newAddress, newHash } from '../../support/store/database.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const chain = ALL_CHAINS.find(({ networkId }) => networkId === 'base')
if (chain === undefined) throw new Error('the registry has no base')
const USDC = tokenNamed(chain, 'USDC').address
const EURC = tokenNamed(chain, 'EURC').address
const GUARDIAN = newAddress()
const OWNER = newAddress()
const ID = newHash()
const MERCHANT = asMerchantId(Bun.randomUUIDv7())
const TREASURY = newAddress()

const inSeconds = (s: number) => new Date(NOW.getTime() + s * 1_000)

function hub(change: Partial<HubReport> = {}): HubReport {
  return {
    networkId: 'base',
    hub: lowerCaseAddress(`0x${'ab'.repeat(20)}`),
    block: 1n,
    seenAt: inSeconds(-61),
    stops: 0,
    owner: OWNER,
    pendingOwner: ZERO_ADDRESS,
    guardian: GUARDIAN,
    configSigner: newAddress(),
    refundSigner: newAddress(),
    feeCollector: newAddress(),
    ownerDelay: 172_800n,
    configDelay: 86_400n,
    tokens: [usdc({})],
    newsBlock: 1n,
    differences: [],
    stopped: [],
    proposals: [],
    changes: [],
    ...change,
  }
}

function usdc(change: Partial<HubReport['tokens'][number]>) {
  const limit = baseUnits(1_000_000_000n)
  return { token: USDC, isListed: true, refundLimit: limit, refundRoom: limit, ...change }
}

function warnings(change: Partial<HubReport>, environment: Environment = 'live') {
  if (chain === undefined) throw new Error('the registry has no base')
  const hubWaiting = [
    { networkId: 'base', kind: 'refund', wait: 'stopped', count: 3 },
    { networkId: 'base', kind: 'refund', wait: 'refund_limit', count: 5 },
    { networkId: 'polygon', kind: 'refund', wait: 'stopped', count: 7 },
  ] as const
  const health = { hubs: [hub(change)], hubWaiting, entryAlarms: [] }
  return hubWarnings(health, chain, environment, NOW)
}

const room = (refundRoom: bigint) => ({ tokens: [usdc({ refundRoom: baseUnits(refundRoom) })] })
const proposal = (readyAt: Date) => ({
  proposals: [{ id: ID, call: '0x' as const, summary: 'set-delays', readyAt }],
})
const change = (readyAt: Date | null) => ({
  changes: [{ merchantId: MERCHANT, treasury: TREASURY, version: 2, readyAt }],
})
const stop = (part: 'sweeps' | 'refunds', stoppedBy: HubReport['owner'] | null) => ({
  stopped: [{ part, since: inSeconds(-90), stoppedBy }],
})

/** Each thing that operators hear of. None of them makes the API unready: see api/operate/readyHubs.ts. */
const TABLE: readonly [what: string, hub: Partial<HubReport>, says: string | null][] = [
  ['nothing is amiss', {}, null],
  ['the last read is old', { seenAt: inSeconds(-601) }, 'was last read 601 s ago'],
  [
    'the guardian has stopped refunds',
    stop('refunds', GUARDIAN),
    `refunds are stopped on the hub by the guardian ${checksumAddress(GUARDIAN)} for 90 s, 3 work items are pending: the owner can resume it with \`bun run remit hub resume refunds\``,
  ],
  [
    'the owner has stopped sweeps',
    stop('sweeps', OWNER),
    `by the owner ${checksumAddress(OWNER)} for 90 s: the owner`,
  ],
  ['somebody has stopped sweeps', stop('sweeps', null), 'sweeps are stopped on the hub for 90 s'],
  ['a fifth of a limit is left', room(200_000_000n), null],
  ['less of a limit is left', room(199_999_999n), '199.999999 of 1000 USDC are left'],
  ['a token needs approvals', { tokens: [usdc({ refundLimit: baseUnits(0n) })] }, null],
  ['a token is not listed', { tokens: [usdc({ isListed: false })] }, 'does not list USDC'],
  ['a token of later is not listed', { tokens: [usdc({ token: EURC, isListed: false })] }, null],
  ['a proposal waits', proposal(inSeconds(60)), `"set-delays", which can be executed in 60 s`],
  [
    'a proposal is ripe',
    proposal(inSeconds(0)),
    `can be executed now: if this is unexpected, run \`bun run`,
  ],
  ['a proposal is dead', proposal(inSeconds(-14 * 86_400 - 1)), null],
  ['the ownership is offered', { pendingOwner: TREASURY }, 'ownership is offered to 0x'],
  ['a merchant’s change waits', change(inSeconds(5)), 'can become active in 5 s'],
  ['a merchant’s change is ripe', change(inSeconds(-5)), 'can become active now'],
  ['a merchant’s change was vetoed', change(null), 'was vetoed'],
  ['a role differs', { differences: ["the hub's owner is x"] }, "the hub's owner is x: see"],
]

describe('operators hear that', () => {
  test.each(TABLE)('%s', (_what, state, says) => {
    expect(warnings(state)).toEqual(says === null ? [] : [expect.stringContaining(says)])
    for (const warning of warnings(state)) expect(warning).toStartWith('base: ')
  })
})

/** What is usual in the sandbox, and leaves one stolen key without a bound in live. */
const GUARDS: readonly [what: string, hub: Partial<HubReport>, says: string][] = [
  ['the owner has no delay', { ownerDelay: 0n }, 'delays are 0s for the owner and 24h for'],
  ['treasuries have no delay', { configDelay: 0n }, '48h for the owner and 0s for treasuries'],
  ['there is no guardian', { guardian: ZERO_ADDRESS }, 'has no guardian'],
  [
    'a limit is none',
    { tokens: [usdc({ refundLimit: null, refundRoom: null })] },
    'without a limit',
  ],
]

describe('in live only, operators hear that', () => {
  test.each(GUARDS)('%s', (_what, state, says) => {
    expect(warnings(state)).toEqual([expect.stringContaining(says)])
    expect(warnings(state, 'sandbox')).toEqual([])
  })
})

describe('operators hear of an entry', () => {
  const told = (type: EntryAlarm['type'], networkId = 'base') => {
    const alarm = { networkId, merchantId: MERCHANT, type, version: 7, treasury: TREASURY }
    if (chain === undefined) throw new Error('the registry has no base')
    return hubWarnings({ hubs: [], hubWaiting: [], entryAlarms: [alarm] }, chain, 'live', NOW)
  }
  const named = `base: version 7 of merchant ${MERCHANT}'s registry entry, ${checksumAddress(TREASURY)},`

  test('that was not requested here, active or not yet', () => {
    expect(told('foreign_entry')).toEqual([expect.stringContaining(`${named} is active but`)])
    expect(told('foreign_change')).toEqual([
      expect.stringContaining(
        `${named} is pending but was not requested here: run \`bun run remit hub veto`,
      ),
    ])
  })

  test('on its own chain, and of a veto by the look at the hub', () => {
    expect(told('foreign_entry', 'polygon')).toEqual([])
    expect(told('vetoed')).toEqual([])
  })
})

test('hubs of other chains are told with those', () => {
  expect(warnings({ networkId: 'polygon', ...stop('sweeps', null) })).toEqual([])
})
