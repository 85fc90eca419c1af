import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parseAbi } from 'viem'
import { HUB_ABI } from '../../chain/hub/abi.ts'
import { baseUnits } from '../../core/base/money.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { waitUntil } from '../../dev/processes/child.ts'
import { asHex } from '../../dev/servers/rpc.ts'
import {
  hasTransfer,
  indexerHeads,
  listenForTransfers,
  newTransfers,
} from '../../store/chain/transfers.ts'
import { type Told, tell } from '../support/indexer/emitter.ts'
import {
  insertClaim,
  insertDeposit,
  insertPayment,
  randomAddress,
} from '../support/indexer/ledgerRows.ts'
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
} from '../support/indexer/rig.ts'

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

test('transfers to addresses that no one watches are stored nowhere', async () => {
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

test('a stored payment wakes the workers of its chain, and no others', async () => {
  const woken: string[] = []
  const log = { warn: (_: object, message: string) => expect().fail(message) }
  const networks = [base, sepolia].map(({ chain }) => chain.networkId)
  const end = listenForTransfers(database.sql, networks, (id) => woken.push(id), log)
  // The subscription itself wakes, because something may have happened before it.
  await waitUntil(() => woken.length === 2, 60_000)
  await sepolia.node.mine()
  await caughtUp(database.sql, [sepolia])
  const hash = await base.pay(await database.watch(), 7n)
  await base.node.mine()
  expect(await waitUntil(() => woken.length >= 3, 5_000)).toBe(true)
  // With the row itself, and not before it.
  expect(await indexedOn(database.sql, base)).toContain(hash)
  expect(woken).toEqual([...networks, base.chain.networkId])
  await end()
})

test('what the hub tells of money is kept, and so are the authorizations that were claimed', async () => {
  const { chainId, networkId } = sepolia.chain
  const [token, account, receiver] = [sepolia.usdc, randomAddress(), randomAddress()]
  const merchantId: Hex = '0x0198c5b47f1e70008000aabbccddeeff'
  const merchant = '0198c5b4-7f1e-7000-8000-aabbccddeeff'
  const [claimed, strange]: Hex[] = [`0x${'c1'.repeat(32)}`, `0x${'d2'.repeat(32)}`]
  await insertClaim(database.sql, { networkId, asset: token, payer: account, nonce: claimed })
  const hub = (eventName: string, args: Told['args']) => {
    return { contract: sepolia.hub, abi: HUB_ABI, eventName, args }
  }
  const used = (authorizer: string, nonce: Hex | undefined) => {
    const abi = parseAbi([
      'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
    ])
    return { contract: token, abi, eventName: 'AuthorizationUsed', args: { authorizer, nonce } }
  }
  const hashes = await tell(sepolia, [
    hub('Swept', { deposit: account, token, remitted: 97n, fee: 3n }),
    hub('FeeOwed', { deposit: account, token, amount: 5n }),
    hub('Distributed', { merchantId, token, treasury: receiver, remitted: 60n, fee: 1n }),
    hub('Refunded', { refundId: 77n, source: account, token, to: receiver, amount: 9n }),
    hub('MerchantConfigured', {
      merchantId,
      treasury: receiver,
      feeBps: 50,
      feeCap: 1,
      version: 4,
    }),
    used(account, claimed),
    // Another party's, and one of another payer by the same nonce.
    used(account, strange),
    used(receiver, claimed),
  ])
  await caughtUp(database.sql, [sepolia])
  const rows = await database.sql`
    select kind, merchant_id, account, token, receiver, amount, fee, reference, tx_hash
    from indexed.hub_event where chain_id = ${chainId} and tx_hash = any(${hashes})
    order by block_number, log_index`
  const nothing = {
    merchantId: null,
    account: null,
    token,
    receiver: null,
    amount: null,
    fee: null,
  }
  const row = (kind: string, place: number, told: object) => {
    return { ...nothing, reference: null, kind, txHash: hashes[place], ...told }
  }
  expect([...rows]).toEqual([
    row('swept', 0, { account, amount: 97n, fee: 3n }),
    row('fee_owed', 1, { account, amount: 5n }),
    row('distributed', 2, { merchantId: merchant, receiver, amount: 60n, fee: 1n }),
    row('refunded', 3, { account, receiver, amount: 9n, reference: '77' }),
    row('merchant_configured', 4, { merchantId: merchant, token: null, receiver, reference: '4' }),
    row('authorization_used', 5, { account, reference: claimed }),
  ])
})

test('an event that a reorganisation takes away loses its row', async () => {
  const args = { deposit: randomAddress(), token: sepolia.usdc, remitted: 1n, fee: 0n }
  const [lost = '0x'] = await tell(sepolia, [
    { contract: sepolia.hub, abi: HUB_ABI, eventName: 'Swept', args },
  ])
  await caughtUp(database.sql, [sepolia])
  const seen = () => database.sql`select from indexed.hub_event where tx_hash = ${lost}`
  expect(await seen()).toHaveLength(1)
  await sepolia.node.rpc('anvil_reorg', [2, []])
  await sepolia.node.rpc('anvil_dropTransaction', [lost])
  await sepolia.node.mine()
  await caughtUp(database.sql, [sepolia])
  expect(await seen()).toHaveLength(0)
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
  const { dailyTotals, ...others } = Object(await answer.json()).data
  expect(others).toEqual({
    forwarders: { items: [{ chainId }] },
    transfers: { totalCount: Number(all?.transfers) },
  })
  // Two days, where it is midnight meanwhile.
  const days: { token: string; transfers: string; amount: string }[] = dailyTotals.items
  const sum = (of: 'transfers' | 'amount') =>
    String(days.reduce((total, day) => total + BigInt(day[of]), 0n))
  expect(new Set(days.map(({ token }) => token))).toEqual(new Set([base.usdc]))
  expect({ transfers: sum('transfers'), amount: sum('amount') }).toEqual(Object(all))
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

function ask(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(indexer.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
}
