import {
  bigint,
  date,
  hex,
  index,
  int8,
  integer,
  onchainTable,
  onchainView,
  primaryKey,
  sql,
} from 'ponder'

/**
 * What is kept of the chains. The block's hash is part of a transfer's key, so that the same log in
 * another block, after a reorganisation, is another row. Addresses are in lower case, amounts in the
 * token's smallest unit, times in seconds since 1970.
 */
export const transfer = onchainTable(
  'transfer',
  (t) => ({
    chainId: t.integer().notNull(),
    blockHash: t.hex().notNull(),
    logIndex: t.integer().notNull(),
    blockNumber: t.int8({ mode: 'bigint' }).notNull(),
    blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
    txHash: t.hex().notNull(),
    token: t.hex().notNull(),
    from: t.hex().notNull(),
    to: t.hex().notNull(),
    amount: t.bigint().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.blockHash, table.logIndex] }),
    byBlock: index().on(table.chainId, table.blockNumber),
  }),
)

/** Forwarders of merchants, as the hub announced them. */
export const forwarder = onchainTable(
  'forwarder',
  (t) => ({
    chainId: t.integer().notNull(),
    address: t.hex().notNull(),
    blockNumber: t.int8({ mode: 'bigint' }).notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId, table.address] }) }),
)

/**
 * The hub's events of money and merchants' entries, and uses of authorizations that the ledger knows. `account`
 * is the deposit, the forwarder or the payer; `reference` the number of a refund, the nonce of an
 * authorization, or the version of an entry. Amounts are without the fee.
 */
export const hubEvent = onchainTable(
  'hub_event',
  (t) => ({
    chainId: t.integer().notNull(),
    blockHash: t.hex().notNull(),
    logIndex: t.integer().notNull(),
    blockNumber: t.int8({ mode: 'bigint' }).notNull(),
    blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
    txHash: t.hex().notNull(),
    kind: t.text().notNull(),
    /** As a UUID. */
    merchantId: t.text(),
    account: t.hex(),
    token: t.hex(),
    receiver: t.hex(),
    amount: t.bigint(),
    fee: t.bigint(),
    reference: t.text(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.blockHash, table.logIndex] }),
    byTime: index().on(table.chainId, table.blockTimestamp),
    byTransaction: index().on(table.chainId, table.txHash),
  }),
)

/**
 * What came in per day (UTC), chain and token. A view and not a table, because handlers only insert
 * rows: a total that they kept would be wrong after the first reorganisation.
 */
export const dailyTotal = onchainView('daily_total', {
  day: date('day').notNull(),
  chainId: integer('chain_id').notNull(),
  token: hex('token').notNull(),
  transfers: int8('transfers', { mode: 'bigint' }).notNull(),
  amount: bigint('amount').notNull(),
}).as(sql`
  select (to_timestamp(block_timestamp) at time zone 'UTC')::date as day, chain_id, token,
    count(*) as transfers, sum(amount) as amount
  from ${transfer}
  group by 1, 2, 3`)
