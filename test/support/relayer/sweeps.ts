import { expect } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import { transfersTo } from '../../../chain/tokens/transfers.ts'
import {
  asInvoiceId,
  asMerchantId,
  type InvoiceId,
  type SettlementId,
} from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { depositAddress } from '../../../core/hub/deposit.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { Database } from '../../../store/database/database.ts'
import { ensureConfigured } from '../../../store/hub/registryEntries.ts'
import { insertSweeps } from '../../../store/invoice/sweeps.ts'
import type { HubChain } from '../servers/chain.ts'

/** Deposits with money and open settlements for them, and the accounts of both to the last unit. */

export interface DueSweep {
  readonly invoiceId: InvoiceId
  readonly settlementId: SettlementId
  readonly deposit: Address
  readonly recipient: Address
  readonly amount: bigint
  readonly fee: bigint
}

/** One merchant whose deposits pay to the registry's treasury, or to each invoice's own recipient. */
export async function dueSweeps(
  database: Database,
  chain: HubChain,
  count: number,
  options: { readonly pays?: 'registry' | 'recipient'; readonly isFunded?: boolean } = {},
): Promise<DueSweep[]> {
  const usesRegistry = options.pays !== 'recipient'
  const merchantId = asMerchantId(Bun.randomUUIDv7())
  const recipient = addressOf(generatePrivateKey())
  const terms = {
    recipient,
    configVersion: 1,
    x402FeeBps: 50,
    x402FeeCap: baseUnits(5_000_000n),
  }
  await database`
    insert into merchant (id, name, recipient, config_version)
    values (${merchantId}, 'A merchant', ${recipient}, 1)`
  const sweeps: DueSweep[] = []
  for (let i = 0; i < count; i += 1) {
    const amount = 1_000_000n + BigInt(i)
    const fee = 5_000n + BigInt(i % 3)
    const invoiceId = asInvoiceId(Bun.randomUUIDv7())
    const own = usesRegistry ? null : recipient
    const feeCap = baseUnits(fee)
    const deposit = depositAddress(chain.hub, { merchantId, invoiceId, recipient: own, feeCap })
    await database`
      insert into invoice (id, merchant_id, reference, token_symbol, chains, amount_expected,
        fee_cap, platform_fee, recipient, hub, deposit_address, status)
      values (${invoiceId}, ${merchantId}, ${invoiceId.slice(-10)}, 'USDC', ${[chain.networkId]},
        ${amount.toString()}, ${fee.toString()}, ${fee.toString()}, ${own}, ${chain.hub},
        ${deposit}, 'paid')`
    const settlementId = await database.begin(async (sql) => {
      const waitsFor = usesRegistry
        ? (await ensureConfigured(sql, chain, merchantId, recipient, terms)).waitsFor
        : null
      const sweep = {
        ...{ invoiceId, waitsFor, notBefore: new Date(0) },
        networkId: chain.networkId,
        token: chain.usdc.address,
        round: 1,
        amount: baseUnits(amount),
        fee: feeCap,
        recipient,
        registryVersion: usesRegistry ? 1 : 0,
        leave: baseUnits(0n),
        deploys: true,
      }
      const [stored] = await insertSweeps(sql, [sweep])
      if (!stored) throw new Error('the sweep was not stored')
      return stored.id
    })
    sweeps.push({ invoiceId, settlementId, deposit, recipient, amount, fee })
  }
  if (options.isFunded !== false) {
    await chain.mint(sweeps.map(({ deposit, amount }) => ({ to: deposit, amount })))
    await bookPayments(database, chain, sweeps)
  }
  return sweeps
}

/** The payments in the newest block, as the ledger has them. */
async function bookPayments(
  database: Database,
  chain: HubChain,
  sweeps: readonly DueSweep[],
): Promise<void> {
  const { number, hash, timestamp } = await chain.client.getBlock()
  const logs = await transfersTo(
    chain.client,
    [chain.usdc.address],
    sweeps.map(({ deposit }) => deposit),
    number,
    number,
  )
  for (const { txHash, logIndex, to, token, from, amount } of logs) {
    const invoiceId = sweeps.find(({ deposit }) => deposit === to)?.invoiceId ?? ''
    await database`
      insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount,
        kind, status, block_number, block_hash, block_time, confirmed_at)
      values (${Bun.randomUUIDv7()}, ${invoiceId}, ${chain.networkId}, ${txHash}, ${logIndex},
        ${token}, ${from}, ${amount.toString()}, 'counted', 'confirmed', ${number}, ${hash},
        ${new Date(Number(timestamp) * 1000)}, now())`
  }
}

/** How many settlements have each status, and how many work items each state. */
export async function states(database: Database): Promise<Record<string, number>> {
  const rows = await database<{ name: string; count: number }[]>`
    select 'settlement ' || status as name, count(*)::integer as count
    from settlement group by status
    union all
    select kind || ' ' || state, count(*)::integer from work_item group by kind, state`
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

export async function isAllConfirmed(database: Database): Promise<boolean> {
  const [row] = await database<{ open: number }[]>`
    select count(*)::integer as open from settlement where status <> 'confirmed'`
  return row?.open === 0
}

/**
 * Every deposit is empty, was swept once and only once, and merchant and collector have what the
 * settlements say. `collected` is what the collector held before.
 */
export async function expectSweptOnce(
  database: Database,
  chain: HubChain,
  sweeps: readonly DueSweep[],
  collected: bigint,
): Promise<void> {
  const events = await chain.client.getContractEvents({
    address: chain.hub,
    abi: HUB_ABI,
    eventName: 'Swept',
    fromBlock: 0n,
    toBlock: 'latest',
    strict: true,
  })
  const byDeposit = Map.groupBy(events, (event) => event.args.deposit.toLowerCase())
  for (const sweep of sweeps) {
    const own = byDeposit.get(sweep.deposit) ?? []
    expect(own.map(({ args }) => [args.remitted, args.fee])).toEqual([
      [sweep.amount - sweep.fee, sweep.fee],
    ])
    expect(await chain.balance(sweep.deposit)).toBe(0n)
    const [row] = await database<{ status: string; txHash: string }[]>`
      select status, tx_hash from settlement where id = ${sweep.settlementId}`
    expect(row?.status).toBe('confirmed')
    expect(row?.txHash).toBe(own[0]?.transactionHash ?? 'no event')
  }
  const remitted = sweeps.reduce((sum, { amount, fee }) => sum + amount - fee, 0n)
  const fees = sweeps.reduce((sum, { fee }) => sum + fee, 0n)
  const recipients = [...new Set(sweeps.map(({ recipient }) => recipient))]
  const held = await Promise.all(recipients.map((recipient) => chain.balance(recipient)))
  expect(held.reduce((sum, amount) => sum + amount, 0n)).toBe(remitted)
  expect(await chain.balance(chain.collector)).toBe(collected + fees)
}

/** No account nonce is missing, none is used twice, and no bytes were sent that aren't stored. */
export async function expectUnbrokenNonces(database: Database, chain: HubChain): Promise<void> {
  const keys = await database<
    { address: Address; nextNonce: bigint; first: bigint; rows: bigint }[]
  >`
    select k.address, k.next_nonce, min(t.account_nonce) as first, count(t.id) as rows
    from relayer_key k join relayer_tx t using (network_id, address)
    group by k.address, k.next_nonce`
  for (const key of keys) {
    expect(key.nextNonce - key.first).toBe(key.rows)
    const count = await chain.client.getTransactionCount({ address: key.address })
    expect(BigInt(count)).toBe(key.nextNonce)
    const stored = await database<{ hash: string }[]>`
      select a.hash from relayer_attempt a join relayer_tx t on t.id = a.tx_id
      where t.address = ${key.address}`
    const hashes = new Set(stored.map(({ hash }) => hash))
    for (const hash of await sentBy(chain, key.address, key.first)) {
      expect(hashes.has(hash)).toBe(true)
    }
  }
}

async function sentBy(chain: HubChain, address: Address, from: bigint): Promise<string[]> {
  const head = await chain.client.getBlockNumber()
  const hashes: string[] = []
  for (let number = 0n; number <= head; number += 1n) {
    const block = await chain.client.getBlock({ blockNumber: number, includeTransactions: true })
    for (const tx of block.transactions) {
      if (tx.from.toLowerCase() === address && BigInt(tx.nonce) >= from) hashes.push(tx.hash)
    }
  }
  return hashes
}
