import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Hex } from '../../core/evm.ts'
import type { Database } from '../../store/database.ts'
import type { RelayerStep } from '../../workers/relayer/world.ts'
import { type SignedAuthorization, transact } from '../support/authorizations.ts'
import { type HubChain, startHubChain } from '../support/chain.ts'
import { eventually } from '../support/devStack.ts'
import { type FakeRpc, sometimes, startFakeRpc } from '../support/fakeRpc.ts'
import { CRASHES, spawnRelayer } from '../support/relayerProcess.ts'
import {
  databaseUrlOf,
  freshDatabase,
  openRelayer,
  QUICK,
  relayerVariables,
  step,
} from '../support/relayers.ts'
import {
  areAllSettlesConfirmed,
  dueSettles,
  expectSettledOnce,
  newForwarder,
} from '../support/settles.ts'
import { expectUnbrokenNonces } from '../support/sweeps.ts'
import { fund, tokenCall } from '../support/x402Chain.ts'

/** Workers that die by SIGKILL while they carry out x402 payments. */

const SETTINGS = { X402_BATCH_MAX: '2', X402_DISTRIBUTE_FROM: '0', X402_DISTRIBUTE_AFTER_S: '0' }

let chain: HubChain
let node: FakeRpc
let taken = 0
const databases: Database[] = []

beforeAll(async () => {
  chain = await startHubChain({ relayers: 12, mining: 100 })
  node = startFakeRpc(chain.node.url)
}, 60_000)

afterAll(async () => {
  for (const database of databases) await database.end()
  await node?.stop()
  await chain?.node.stop()
})

async function scene(payments: number) {
  const database = await freshDatabase()
  databases.push(database)
  const key = chain.relayerKeys[taken++]
  if (key === undefined) throw new Error('the chain has too few relayer keys')
  const merchant = await newForwarder(database, chain)
  await settleForwarder(database, key)
  const due = await dueSettles(database, chain, merchant, payments)
  const { foreignBlocks: _, ...timing } = QUICK
  let workers = 0
  const spawn = (killAt?: RelayerStep) => {
    workers += 1
    return spawnRelayer({
      databaseUrl: databaseUrlOf(database),
      variables: relayerVariables(chain, { key, rpcUrl: node.url, variables: SETTINGS }),
      workerId: `worker-${workers}`,
      timing,
      ...(killAt === undefined ? {} : { killAt }),
    })
  }
  return { database, due, spawn }
}

/** Has the forwarder deployed first, so that a worker dies at a payment and at nothing else. */
async function settleForwarder(database: Database, key: Hex): Promise<void> {
  const first = openRelayer(database, chain, { key })
  const open = () => database`select from work_item where state <> 'settled'`
  while ((await open()).length > 0) await step(chain, first)
  await first.release()
}

function confirmed(database: Database, limitMs: number): Promise<boolean> {
  return eventually(
    () => areAllSettlesConfirmed(database),
    (areAll) => areAll,
    limitMs,
  )
}

/** The payer spends elsewhere what it has promised. */
async function drain({ key, authorization }: SignedAuthorization): Promise<void> {
  await fund(chain.node, authorization.from)
  const data = tokenCall('transfer', [chain.collector, authorization.value])
  await transact(chain, key, chain.usdc.address, data)
}

describe('a worker that is killed', () => {
  for (const [crash, when] of CRASHES) {
    test(`${when} loses no payment and makes none twice`, async () => {
      const { database, due, spawn } = await scene(6)
      const first = spawn(crash)
      await first.exited
      expect(first.signalCode).toBe('SIGKILL')
      const second = spawn()
      await confirmed(database, 20_000)
      second.kill('SIGKILL')
      await second.exited
      await expectSettledOnce(database, chain, due)
      await expectUnbrokenNonces(database, chain)
    }, 40_000)
  }

  test('while it decides what became of a payment that failed, has it decided by the next one', async () => {
    const { database, due, spawn } = await scene(3)
    const [drained, ...paid] = due
    if (drained === undefined) throw new Error('there is no payment')
    await drain(drained)
    const first = spawn('deciding')
    await first.exited
    expect(first.signalCode).toBe('SIGKILL')
    const second = spawn()
    await eventually(
      () => database`select from x402_payment where status = 'pending' or confirmed_at is null`,
      (open) => open.length === 1,
      20_000,
    )
    second.kill('SIGKILL')
    await second.exited
    const rows = await database`
      select p.status, p.reason, o.type from x402_payment p join outbox o on o.object_id = p.id
      where p.payer = ${drained.authorization.from}`
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { status: 'failed', reason: 'insufficient_funds', type: 'x402.payment.failed' },
    ])
    await expectSettledOnce(database, chain, paid)
    await expectUnbrokenNonces(database, chain)
  }, 40_000)

  test('again and again, beside another one, with broadcasts dropped, still makes each once', async () => {
    const { database, due, spawn } = await scene(60)
    node.rule(sometimes('eth_sendRawTransaction', 0.08, { type: 'drop_answer' }))
    const workers = [spawn(), spawn()]
    for (let round = 0; round < 8; round += 1) {
      await Bun.sleep(300 + Math.random() * 500)
      const place = round % 2
      workers[place]?.kill('SIGKILL')
      await workers[place]?.exited
      workers[place] = spawn()
    }
    await confirmed(database, 40_000)
    node.rule()
    for (const worker of workers) {
      worker.kill('SIGKILL')
      await worker.exited
    }
    await expectSettledOnce(database, chain, due)
    await expectUnbrokenNonces(database, chain)
  }, 90_000)
})
