import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Hex } from '../../core/chain/evm.ts'
import { baseUnits } from '../../core/money.ts'
import { waitUntil } from '../../dev/processes/child.ts'
import { asHex } from '../../dev/servers/rpc.ts'
import {
  hasTransfer,
  indexerHeads,
  listenForTransfers,
  newTransfers,
} from '../../store/chain/transfers.ts'
import { insertDeposit, insertPayment, randomAddress } from './ledgerRows.ts'
import {
  caughtUp,
  headOf,
  indexed,
  indexedOn,
  openRigDatabase,
  type RigChain,
  type RigDatabase,
  type RunningIndexer,
  startIndexer,
  startRigChain,
  transfersOn,
} from './rig.ts'

let base: RigChain
let sepolia: RigChain
let database: RigDatabase
let indexer: RunningIndexer

beforeAll(async () => {
  ;[base, sepolia] = await Promise.all([startRigChain('base-sepolia'), startRigChain('sepolia')])
  database = await openRigDatabase()
  indexer = await startIndexer(database.url, [base, sepolia])
  await caughtUp(database.sql, [base, sepolia])
}, 120_000)

afterAll(async () => {
  await indexer.stop()
  await database.close()
}, 120_000)

test('payments to watched addresses are indexed on every chain, to the last detail', async () => {
  const address = await database.watch()
  for (const chain of [base, sepolia]) {
    const txHash = await chain.pay(address, 12_345_678n)
    await chain.node.mine()
    await indexed(database.sql, chain, txHash)
    const { number, hash } = await headOf(chain)
    const { chainId } = chain.chain
    const transfers = await transfersOn(database.sql, chainId, number)
    expect((await indexerHeads(database.sql)).get(chainId)).toBe(number)
    expect(transfers).toMatchObject([
      {
        chainId: chain.chain.chainId,
        blockNumber: number,
        blockHash: hash,
        txHash,
        logIndex: 0,
        token: chain.usdc,
        from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
        to: address,
        amount: 12_345_678n,
      },
    ])
    expect(Math.abs(Date.now() - (transfers[0]?.blockTime.getTime() ?? 0))).toBeLessThan(60_000)
  }
})

test('transfers to addresses that nobody watches are stored nowhere', async () => {
  const strange = randomAddress()
  const watched = await database.watch()
  await base.pay(strange, 1n)
  const known = await base.pay(watched, 2n)
  await base.node.mine()
  await indexed(database.sql, base, known)
  const rows = await database.sql`select from indexed.transfer where "to" = ${strange}`
  expect(rows).toHaveLength(0)
})

test('a block in which only strangers are paid moves the head on', async () => {
  await base.pay(randomAddress(), 1n)
  await base.node.mine()
  await caughtUp(database.sql, [base])
})

test('an address that is watched just before it is paid is never missed', async () => {
  const hashes: Hex[] = []
  for (let round = 0; round < 25; round++) {
    const address = await database.watch()
    hashes.push(await base.pay(address, 1n))
    await base.node.mine()
  }
  await caughtUp(database.sql, [base])
  expect(await indexedOn(database.sql, base)).toEqual(expect.arrayContaining(hashes))
}, 120_000)

test('only what the ledger does not show yet is handed to it', async () => {
  const { chainId, networkId } = base.chain
  const { invoiceId, address } = await insertDeposit(database.sql)
  const nothing = await base.pay(address, 0n)
  const first = await base.pay(address, 10n)
  await base.node.mine()
  const second = await base.pay(address, 20n)
  await base.node.mine()
  await indexed(database.sql, base, second)
  const range = { networkId, chainId, fromBlock: 0n, limit: 100, without: [] }
  const ofThis = async () => {
    const { head, transfers } = await newTransfers(database.sql, range)
    return { head, transfers: transfers.filter((transfer) => transfer.invoiceId === invoiceId) }
  }
  const both = await ofThis()
  expect(both.head).toBe((await headOf(base)).number)
  expect(both.transfers).toMatchObject([
    { invoiceId, txHash: first, amount: baseUnits(10n) },
    { invoiceId, txHash: second, amount: baseUnits(20n) },
  ])
  expect(await indexedOn(database.sql, base)).toContain(nothing)

  const [known] = both.transfers
  if (known === undefined) throw new Error('no transfer')
  await insertPayment(database.sql, networkId, known)
  const fewer = await ofThis()
  expect(fewer.transfers.map((transfer) => transfer.txHash)).toEqual([second])

  const moved = `0x${'ee'.repeat(32)}`
  await database.sql`update payment set block_hash = ${moved} where tx_hash = ${first}`
  expect((await ofThis()).transfers).toHaveLength(2)
  await database.sql`
    update payment set block_hash = ${known.blockHash}, status = 'reverted'
    where tx_hash = ${first}`
  expect((await ofThis()).transfers).toHaveLength(2)
})

test('a transfer that a reorganisation takes away loses its row, and others keep theirs', async () => {
  const address = await database.watch()
  const kept = await sepolia.pay(address, 1n)
  await sepolia.node.mine()
  const lost = await base.pay(address, 3n)
  await base.node.mine()
  await indexed(database.sql, base, lost)
  const { number, hash } = await headOf(base)
  const log = { chainId: base.chain.chainId, blockHash: hash, logIndex: 0 }
  expect(await hasTransfer(database.sql, log)).toBe(true)

  await base.node.rpc('anvil_reorg', [1, []])
  await base.node.rpc('anvil_dropTransaction', [lost])
  await base.node.mine()
  await caughtUp(database.sql, [base, sepolia])
  expect((await headOf(base)).number).toBeGreaterThan(number)
  expect(await hasTransfer(database.sql, log)).toBe(false)
  expect(await indexedOn(database.sql, base)).not.toContain(lost)
  expect(await indexedOn(database.sql, sepolia)).toContain(kept)
})

test('a transfer that a reorganisation puts into another block is another row', async () => {
  const address = await database.watch()
  const hash = await base.pay(address, 4n)
  const raw = asHex(await base.node.rpc('eth_getRawTransactionByHash', [hash]))
  await base.node.mine()
  await indexed(database.sql, base, hash)
  const before = await headOf(base)
  await base.node.rpc('anvil_reorg', [1, [[raw, 0]]])
  await base.node.mine()
  await caughtUp(database.sql, [base])
  const { chainId } = base.chain
  const transfers = await transfersOn(database.sql, chainId, before.number)
  expect(transfers.map((transfer) => transfer.txHash)).toEqual([hash])
  expect(transfers[0]?.blockHash).not.toBe(before.hash)
})

test('one chain whose node is silent does not hold up the others', async () => {
  const address = await database.watch()
  process.kill(sepolia.node.pid, 'SIGSTOP')
  try {
    const hash = await base.pay(address, 5n)
    await base.node.mine()
    await indexed(database.sql, base, hash)
  } finally {
    process.kill(sepolia.node.pid, 'SIGCONT')
  }
  const hash = await sepolia.pay(address, 6n)
  await sepolia.node.mine()
  await indexed(database.sql, sepolia, hash)
}, 120_000)

test('whoever listens is woken by a payment', async () => {
  const woken: number[] = []
  const log = { warn: (_: object, message: string) => expect().fail(message) }
  const { chainId } = base.chain
  const end = listenForTransfers(database.sql, [chainId], (id) => woken.push(id), log)
  // The subscription itself wakes, because something may have happened before it.
  await waitUntil(() => woken.length === 1, 60_000)
  await base.pay(await database.watch(), 7n)
  await base.node.mine()
  expect(await waitUntil(() => woken.length >= 2, 5_000)).toBe(true)
  expect(new Set(woken)).toEqual(new Set([chainId]))
  await end()
})

test('forwarders and daily totals are in GraphQL, which this machine may ask', async () => {
  await base.deployForwarder(`0x${'cd'.repeat(16)}`)
  await base.node.mine()
  await caughtUp(database.sql, [base])
  const { chainId } = base.chain
  const answer = await ask(`{
    forwarders { items { chainId } }
    dailyTotals(where: { chainId: ${chainId} }) { items { token transfers amount } }
    transfers(where: { chainId: ${chainId} }) { totalCount }
  }`)
  expect(answer.status).toBe(200)
  const [all] = await database.sql<{ transfers: string; amount: string }[]>`
    select count(*)::text as transfers, sum(amount)::text as amount
    from indexed.transfer where chain_id = ${chainId}`
  expect(await answer.json()).toEqual({
    data: {
      forwarders: { items: [{ chainId }] },
      dailyTotals: { items: [{ token: base.usdc, ...all }] },
      transfers: { totalCount: Number(all?.transfers) },
    },
  })
})

test('a page of another site in this machine’s browser may not ask', async () => {
  const query = '{ transfers { totalCount } }'
  expect((await ask(query, { origin: 'https://evil.example' })).status).toBe(401)
  expect((await ask(query, { host: 'evil.example' })).status).toBe(401)
  expect((await ask(query, { origin: new URL(indexer.graphqlUrl).origin })).status).toBe(200)
})

test('nothing but whether the server is well is shown to a page of another site', async () => {
  const at = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, indexer.graphqlUrl), { headers })
  for (const path of ['/metrics', '/status', '/graphql', '/', '/sql/db']) {
    expect((await at(path, { origin: 'https://evil.example' })).status).toBe(401)
  }
  expect((await at('/metrics')).status).toBe(200)
  for (const path of ['/health', '/ready']) {
    const answer = await at(path, { origin: 'https://evil.example' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  }
})

test('a browser is shown no page whose script comes from elsewhere', async () => {
  const answer = await fetch(indexer.graphqlUrl, { headers: { accept: 'text/html' } })
  expect(answer.status).toBe(405)
  expect(await answer.text()).not.toContain('<script')
})

test('every connection to the database may break at once', async () => {
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and application_name <> 'test'`
  const hash = await base.pay(await database.watch(), 8n)
  await base.node.mine()
  await indexed(database.sql, base, hash)
}, 120_000)

test('half of all payments are visible within 250 ms of their block', async () => {
  const address = await database.watch()
  const waits: number[] = []
  for (let round = 0; round < 20; round++) {
    const hash = await base.pay(address, 9n)
    await base.node.mine()
    const mined = performance.now()
    await indexed(database.sql, base, hash)
    waits.push(performance.now() - mined)
    await Bun.sleep(150)
  }
  const p50 = waits.sort((a, b) => a - b)[waits.length / 2] ?? 0
  console.log(`block to row: p50 ${p50.toFixed(1)} ms, worst ${waits.at(-1)?.toFixed(1)} ms`)
  expect(p50).toBeLessThan(250)
  expect((await indexerHeads(database.sql)).get(base.chain.chainId)).toBe(
    (await headOf(base)).number,
  )
}, 120_000)

function ask(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(indexer.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
}
