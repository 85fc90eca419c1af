import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '../../../cli/books/reconcile.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { type Books, kinds, openBooks, payMore } from '../../support/books/closedBooks.ts'
import type { TestLedger } from '../../support/books/ledger.ts'
import { remit } from '../../support/cli/run.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** What else than money a comparison finds, and how the command prints it. */

let books: Books
let chain: HubChain
let ledger: TestLedger

beforeAll(async () => {
  books = await openBooks()
  chain = books.chain
  ledger = books.ledger
  await payMore(books)
}, 120_000)

afterAll(() => books?.close())

describe('the rules of sending', () => {
  test('a gap between account nonces is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`update relayer_key set next_nonce = next_nonce + 1`,
    )
    expect(kinds(report)).toEqual(['relayer_nonce'])
  })

  test('a transaction that another party sent with the key is found', async () => {
    const [key] = chain.relayerKeys
    if (!key) throw new Error('the chain has no relayer')
    const report = await ledger.compareAfterChain(async () => {
      await ledger.send(key, { to: addressOf(key) })
    })
    expect(kinds(report)).toEqual(['relayer_nonce'])
    expect(report.differences[0]?.message).toContain('transactions on the chain,')
  })

  test('a transaction without stored bytes is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`delete from relayer_attempt where tx_id = (select max(id) from relayer_tx)`,
    )
    expect(kinds(report)).toEqual(['relayer_transaction', 'relayer_transaction'])
    expect(report.notices.join()).toContain('was not sent by our relayers')
  })

  test('a deposit in two open transactions is found', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`
        insert into relayer_tx (network_id, address, account_nonce, kind, target, calldata, gas_limit)
        select t.network_id, t.address, k.next_nonce + n, t.kind, t.target, t.calldata, t.gas_limit
        from (select * from relayer_tx where kind = 'sweep' order by id limit 1) t
        join relayer_key k using (network_id, address), generate_series(0, 1) n`,
    )
    expect(kinds(report)).toContain('item_in_two_transactions')
  })
})

describe('a chain that cannot be compared', () => {
  test('is reported as unreachable, by a message without its URL', async () => {
    const report = await reconcile({
      database: ledger.database,
      config: {
        hub: chain.hub,
        chains: [{ ...ledger.activeChain, rpcUrls: ['http://127.0.0.1:9/secret'] }],
      },
      only: null,
      now: new Date(),
    })
    expect(kinds(report)).toEqual(['chain_unreachable'])
    expect(report.differences[0]?.message).not.toContain('secret')
  })

  test('is refused when it is another chain with the same id', async () => {
    const report = await ledger.compareAfter(
      (sql) => sql`update chain_state set genesis_hash = ${`0x${'00'.repeat(32)}`}`,
    )
    expect(kinds(report)).toEqual(['another_chain'])
  })

  test('says so when the ledger lags far behind', async () => {
    const report = await ledger.compareAfterChain(() => chain.mine(60), 'as it was')
    expect(kinds(report)).toEqual(['ledger_behind'])
  })
})

describe('bun run remit reconcile', () => {
  function variables(): Record<string, string | undefined> {
    const DATABASE_URL = ledger.url
    return { ...chain.variables({ DATABASE_URL }) }
  }

  test('prints the totals of each token, and exits with 0 when all agree', async () => {
    const ran = await remit(variables(), 'reconcile')
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('Clean: the ledger and the chains agree to the unit.')
    expect(ran.out).toMatch(
      /base-sepolia +USDC +63\.000002 +50 +0 +62\.700001 +0\.3 +0 +50\.000001/,
    )
    const json = (await remit(variables(), 'reconcile', '--json')).json()
    expect(json).toMatchObject({ isClean: true, differences: [] })
  })

  test('looks again for a while, then lists what differs with what to do, and exits with 1', async () => {
    const change = (by: number) => ledger.database`
      update invoice set late_amount = late_amount + ${by} where id = ${books.unpaid.id}`
    await change(1)
    try {
      const ran = await remit(variables(), 'reconcile', '--wait', '1')
      expect(ran.code).toBe(1)
      expect(ran.err).toContain('1 difference; comparing again')
      expect(ran.out).toContain(`lateAmount of invoice ${books.unpaid.id} is 1 base units`)
      const json = await remit(variables(), 'reconcile', '--json', '--wait', '0')
      expect(json.code).toBe(1)
      expect(json.json().differences).toEqual([
        expect.objectContaining({
          kind: 'figures_differ',
          ledger: '1',
          advice: expect.any(String),
        }),
      ])
    } finally {
      await change(-1)
    }
  })

  test('can be kept to one chain, which must be switched on', async () => {
    const one = await remit(variables(), 'reconcile', '--chain', 'base-sepolia', '--json')
    expect(one.code).toBe(0)
    const other = await remit(variables(), 'reconcile', '--chain', 'sepolia')
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toContain('--chain sepolia is not active; choose one of: base-sepolia')
  })
})
