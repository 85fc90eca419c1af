import { describe, expect, test } from 'bun:test'
import { assessReadiness } from '../../../api/operate/assessReadiness.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { SystemHealth, WatchedChain } from '../../../store/books/health.ts'
import type { RelayerKey } from '../../../store/relayer/keys.ts'
import type { AlarmKind, WorkerAlarm } from '../../../store/turns/alarms.ts'
import { readConfig, TREASURY } from '../../support/api/rig.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const config = readConfig({
  DATABASE_URL: 'postgres://nowhere/db',
  REDIS_URL: 'redis://nowhere',
  RPC_URL_SEPOLIA: '',
})

function chain(change: Partial<WatchedChain> = {}): WatchedChain {
  return {
    networkId: 'base-sepolia',
    head: 1000n,
    headSeenAt: new Date(NOW.getTime() - 1_000),
    hasRpcError: false,
    movedAt: new Date(NOW.getTime() - 1_000),
    projectedBlock: 1000n,
    ...change,
  }
}

function key(change: Partial<RelayerKey> = {}): RelayerKey {
  return {
    networkId: 'base-sepolia',
    address: lowerCaseAddress(TREASURY),
    leaseOwner: 'worker-1',
    isLeased: true,
    fence: 1n,
    nextNonce: 0n,
    status: 'active',
    balance: 10n ** 18n,
    balanceAt: NOW,
    note: null,
    server: '2026-11-23 10:00:00+00',
    ...change,
  }
}

function judge(change: Partial<SystemHealth>) {
  const health: SystemHealth = {
    pendingMigrations: [],
    chains: [chain()],
    nodes: [],
    indexerHeads: new Map([[84_532, 1000n]]),
    relayerKeys: [key()],
    gasPaces: [],
    pendingPayments: [],
    reviews: [],
    oldestWork: [],
    alarms: [],
    hubs: [],
    hubWaiting: [],
    entryAlarms: [],
    lackingRights: [],
    isOverprivileged: false,
    waitingSince: null,
    channelWithdrawals: [],
    screening: { held: 0, refused: 0, unanswered: 0, oldestAt: null },
    ...change,
  }
  return assessReadiness(health, config, NOW)
}

describe('the database role of the API', () => {
  test('that lacks something is the one problem that is told', () => {
    const lackingRights = ['the database role x lacks rights']
    expect(judge({ lackingRights, chains: [] })).toEqual({ problems: lackingRights, warnings: [] })
  })

  test('that may do more than the API needs is warned of', () => {
    expect(judge({ isOverprivileged: true })).toEqual({
      problems: [],
      warnings: [expect.stringContaining('the rights of a worker or of the owner')],
    })
  })
})

describe('payers who are screened', () => {
  const since = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)

  test('are told of when their money is held, and when no one answers for long', () => {
    const screening = { held: 2, refused: 1, unanswered: 3, oldestAt: since(61) }
    expect(judge({ screening }).warnings).toEqual([
      expect.stringContaining('3 payers have no result yet, the first for 61 s'),
      expect.stringContaining('the money of 2 payers is held'),
    ])
    const asked = { held: 0, refused: 0, unanswered: 1, oldestAt: since(2) }
    expect(judge({ screening: asked })).toEqual({ problems: [], warnings: [] })
  })
})

describe('payers who withdraw from channels', () => {
  const one = (claimedBy: 'service' | 'merchant', seconds: number) =>
    judge({
      channelWithdrawals: [
        {
          networkId: 'base-sepolia',
          claimedBy,
          count: 2,
          soonestAt: new Date(NOW.getTime() + seconds * 1_000),
        },
      ],
    })

  test('are told of where the merchant must claim, and where no one has five minutes before', () => {
    expect(one('merchant', 900).warnings).toEqual([
      expect.stringContaining('their merchants must claim the charged amounts'),
    ])
    expect(one('service', 301)).toEqual({ problems: [], warnings: [] })
    expect(one('service', 299).warnings).toEqual([expect.stringContaining('2 x402 channels')])
  })
})

describe('the system is ready', () => {
  test('when indexer, worker and a relayer of every chain are at work', () => {
    expect(judge({})).toEqual({ problems: [], warnings: [] })
  })

  test('when the indexer is a few blocks behind, and when it is ahead of the worker', () => {
    expect(judge({ indexerHeads: new Map([[84_532, 990n]]) }).problems).toEqual([])
    expect(judge({ indexerHeads: new Map([[84_532, 1001n]]) }).problems).toEqual([])
  })

  test('with a warning when one of several relayers is low on gas or out of service', () => {
    const low = key({ balance: 5n * 10n ** 15n })
    expect(judge({ relayerKeys: [key(), low] })).toEqual({
      problems: [],
      warnings: [expect.stringContaining('is low on gas: it holds 0.005 ETH')],
    })
    const pace = { networkId: 'base-sepolia', address: key().address, lastHours: 0n }
    const spending = (lastDay: bigint) => judge({ gasPaces: [{ ...pace, lastDay }] }).warnings
    expect(spending(10n ** 18n)).toEqual([])
    expect(spending(2n * 10n ** 18n)).toEqual([
      expect.stringContaining('runs out of gas in 12 hours at the current rate'),
    ])
    const idle = key({ status: 'quarantined', isLeased: false })
    expect(judge({ relayerKeys: [key(), idle] }).warnings[0]).toContain('is quarantined')
    const poor = key({ status: 'no_funds', balance: null })
    expect(judge({ relayerKeys: [key(), poor] }).warnings[0]).toContain("can't pay for gas")
  })
})

describe('payments and work', () => {
  const since = (ms: number) => new Date(NOW.getTime() - ms)

  test('leave the system ready while payments are pending for seconds', () => {
    const pendingPayments = [{ networkId: 'base-sepolia', count: 64, oldestAt: since(119_000) }]
    expect(judge({ pendingPayments })).toEqual({ problems: [], warnings: [] })
  })

  test('are warned of when the oldest payment is pending for more than two minutes', () => {
    const pendingPayments = [{ networkId: 'base-sepolia', count: 3, oldestAt: since(121_000) }]
    const { problems, warnings } = judge({ pendingPayments })
    expect(problems).toEqual([])
    expect(warnings).toEqual([
      expect.stringContaining('base-sepolia: 3 x402 payments are pending, the oldest for 121 s'),
    ])
  })

  test('are warned of when they wait for a person', () => {
    const reviews = [{ networkId: 'base-sepolia', kind: 'x402', count: 2 } as const]
    expect(judge({ reviews })).toEqual({
      problems: [],
      warnings: ['base-sepolia: 2 x402 work items need review: see `bun run remit work list`'],
    })
  })

  test('are warned of when they could have been sent ten minutes ago', () => {
    const work = (ms: number) => ({
      oldestWork: [{ networkId: 'base-sepolia', kind: 'refund', dueAt: since(ms) } as const],
    })
    expect(judge(work(599_000)).warnings).toEqual([])
    expect(judge(work(601_000))).toEqual({
      problems: [],
      warnings: ['base-sepolia: refund work has been due for 601 s and is not sent'],
    })
  })
})

describe('what workers say of themselves', () => {
  const alarm = (kind: AlarmKind, subject: string, change: Partial<WorkerAlarm> = {}) => ({
    networkId: 'base-sepolia',
    workerId: 'worker-1',
    kind,
    subject,
    detail: 'https://node/with-a-key says no',
    since: new Date(NOW.getTime() - 30_000),
    ...change,
  })

  test('is a problem when turns fail, once for all workers and without the error', () => {
    const alarms = [alarm('turn', 'relayer'), alarm('turn', 'relayer', { workerId: 'worker-2' })]
    expect(judge({ alarms })).toEqual({
      problems: ["base-sepolia: the turns of the relayer fail (see the worker's log)"],
      warnings: [],
    })
  })

  test('is a warning for what is quarantined, removed operators, fee ceilings and nonces', () => {
    const alarms = [
      alarm('aside', 'observe transaction 3'),
      alarm('aside', 'decide work item 5', { since: NOW }),
      alarm('operator', '0x1'),
      alarm('fee_ceiling', 'sweep'),
      alarm('nonce', 'transaction 9'),
      alarm('operator', '0x2', { networkId: 'sepolia' }),
    ]
    const { problems, warnings } = judge({ alarms })
    expect(problems).toEqual([])
    expect(warnings).toEqual([
      'base-sepolia: 2 transactions, work items or invoices are quarantined, the oldest for 30 s: see `bun run remit work list`',
      'base-sepolia: relayer 0x1 is no operator of the hub: see `bun run remit relayer add --help`',
      "base-sepolia: the network's fee is above the nodes' limit for a transaction (sweep): pending transactions are sent when fees fall",
      'base-sepolia: an account nonce was used, but no node returns the transaction (transaction 9)',
    ])
  })
})

describe('a refund that waits for the hub', () => {
  test('is a warning that says what to do, and never more than a few of them', () => {
    const alarms = Array.from({ length: 12 }, (_, i) => ({
      ...{ networkId: 'base-sepolia', workerId: 'worker-1', kind: 'refund_waits' as const },
      ...{ subject: `work item ${i}`, detail: `refund ${i} waits`, since: NOW },
    }))
    const { problems, warnings } = judge({ alarms })
    expect(problems).toEqual([])
    expect(warnings).toHaveLength(10)
    expect(warnings[0]).toBe('base-sepolia: refund 0 waits')
  })
})

describe('the system is not ready, and says so', () => {
  test('when the hub takes nothing from any relayer that could send', () => {
    const { address } = key()
    const stranger = {
      networkId: 'base-sepolia',
      workerId: 'worker-1',
      kind: 'operator',
      subject: address,
      detail: '',
      since: NOW,
    } as const
    expect(judge({ alarms: [stranger] }).problems).toEqual([
      expect.stringContaining(`${address} is no operator of the hub`),
    ])
    const other = key({ address: lowerCaseAddress(`0x${'12'.repeat(20)}`) })
    const relayerKeys = [key(), other]
    expect(judge({ alarms: [stranger], relayerKeys }).problems).toEqual([])
  })

  test('while no key that sends has a coin', () => {
    const { problems } = judge({ relayerKeys: [key({ balance: 0n })] })
    expect(problems).toEqual([expect.stringContaining('no relayer can send transactions')])
    expect(problems[0]).toContain('without funds')
    expect(judge({ relayerKeys: [key({ balance: null })] }).problems).toEqual([])
  })

  test('without its migrations', () => {
    const { problems } = judge({ pendingMigrations: ['schema/02_access.sql'] })
    expect(problems).toEqual([expect.stringContaining('schema/02_access.sql')])
  })

  test('while no indexer has reported, or it is far behind', () => {
    expect(judge({ indexerHeads: new Map() }).problems[0]).toContain('the indexer has not reported')
    const { problems } = judge({ indexerHeads: new Map([[84_532, 900n]]) })
    expect(problems).toEqual(['base-sepolia: the indexer is 100 blocks behind (900 of 1000)'])
  })

  test('while no worker has reported, or the last report is old', () => {
    expect(judge({ chains: [] }).problems[0]).toContain('no worker has reported yet')
    expect(judge({ chains: [chain({ headSeenAt: null })] }).problems[0]).toContain('no worker')
    const old = new Date(NOW.getTime() - 45_000)
    const silent = judge({ chains: [chain({ headSeenAt: old })] })
    expect(silent.problems).toEqual([expect.stringContaining('the head is 45 s old')])
    const failing = judge({ chains: [chain({ headSeenAt: old, hasRpcError: true })] })
    expect(failing.problems[0]).toContain("its RPC can't be reached")
  })

  test('while no node has returned a new block for ten block times', () => {
    const blockTimeMs = config.chains[0]?.blockTimeMs ?? 0
    const after = (ms: number) => {
      const movedAt = new Date(NOW.getTime() - ms)
      return judge({ chains: [chain({ movedAt })] }).problems
    }
    expect(after(10 * blockTimeMs)).toEqual([])
    const seconds = 10 * (blockTimeMs / 1_000) + 1
    expect(after(seconds * 1_000)).toEqual([
      `base-sepolia: no node has returned a new block for ${seconds} s`,
    ])
    expect(judge({ chains: [chain({ movedAt: null })] }).problems).toEqual([])
  })

  test('while events wait for a notifier', () => {
    const since = (ms: number) => judge({ waitingSince: new Date(NOW.getTime() - ms) }).problems
    expect(since(30_000)).toEqual([])
    expect(since(45_000)).toEqual([
      expect.stringContaining('webhooks: the oldest pending event is 45 s old'),
    ])
  })

  test('while no relayer can send', () => {
    expect(judge({ relayerKeys: [] }).problems[0]).toContain('there is none yet')
    const unable = [
      key({ isLeased: false }),
      key({ status: 'no_funds' }),
      key({ status: 'draining' }),
    ]
    const { problems } = judge({ relayerKeys: unable })
    expect(problems[0]).toContain('not used by any worker')
    expect(problems[0]).toContain('without funds')
    expect(problems[0]).toContain('draining')
  })
})
