import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { NO_LOG } from '../../../core/invoice/state.ts'
import { newHash } from '../store/database.ts'
import { storePayment } from '../store/invoice.ts'
import {
  bare,
  invoices,
  invoiceThings,
  payEach,
  placeOf,
  ROWS_ONLY,
  type Scene,
  type Thing,
  type World,
} from './scenes.ts'

/** Invoices for every step of a ledger's turn that works on invoices and their payments. */

const HOUR_MS = 3_600_000

const withPayments =
  (status: string) =>
  async ({ database }: World) => {
    const rows = await database<{ invoiceId: string }[]>`
    select invoice_id from payment where status = ${status}`
    return rows.map(({ invoiceId }) => invoiceId)
  }

/** What the indexer has found. */
export const projected: Scene = {
  name: 'a transfer that the indexer has found',
  unreached: ROWS_ONLY,
  async seed(world) {
    const { chain, database, rig } = world
    const paid = await invoices(world)
    const { timestamp } = await chain.client.getBlock()
    for (const log of await payEach(
      world,
      paid.map(({ depositAddress }) => depositAddress),
    )) {
      await database`
        insert into indexed.transfer (chain_id, block_hash, block_number, block_timestamp, tx_hash,
          log_index, token, "from", "to", amount)
        values (${rig.projection.client.chain.chainId}, ${log.blockHash}, ${log.blockNumber},
          ${timestamp}, ${log.txHash}, ${log.logIndex}, ${log.token}, ${log.from}, ${log.to},
          ${log.amount.toString()})`
    }
    return invoiceThings(paid)
  },
  async ended({ database }) {
    const rows = await database<{ invoiceId: string }[]>`select invoice_id from payment`
    return rows.map(({ invoiceId }) => invoiceId)
  },
}

/** What the API has stored about invoices. */
export const derived: Scene = {
  name: 'an invoice about which the API has stored something',
  unreached: ROWS_ONLY,
  async seed(world) {
    const changed = await invoices(world)
    for (const { id } of changed) {
      await world.database`insert into invoice_change (invoice_id, cause) values (${id}, 'accepted')`
    }
    return invoiceThings(changed)
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select id from invoice i
      where not exists (select from invoice_change where invoice_id = i.id)`
    return rows.map(({ id }) => id)
  },
}

/** Confirmed payments in blocks that the chain doesn't have. */
export const reorganised: Scene = {
  name: 'a payment whose block was displaced',
  unreached: {},
  async seed(world) {
    const displaced = await invoices(world)
    const hashes = new Map<string, string>()
    for (const { id } of displaced) {
      const place = { ...placeOf(world), blockHash: newHash() }
      const { txHash } = await storePayment(world.database, id, 1_000n, place)
      hashes.set(id, txHash)
    }
    return invoiceThings(displaced, ({ id }) => [bare(hashes.get(id) ?? '')])
  },
  ended: withPayments('reverted'),
  promised: withPayments('confirmed'),
}

/** Native coin, in a transaction that a reorganisation took away, and that is mined again. */
export const followed: Scene = {
  name: 'a payment of native coin that left the chain and came back',
  unreached: {},
  async seed(world) {
    const { chain, database } = world
    const displaced = await invoices(world)
    const [from]: unknown[] = Object(await chain.node.rpc('eth_accounts', []))
    const hashes = new Map<string, string>()
    for (const { id, depositAddress: to } of displaced) {
      const sent = await chain.node.rpc('eth_sendTransaction', [{ from, to, value: '0x64' }])
      hashes.set(id, String(sent))
    }
    await chain.mine()
    for (const { id } of displaced) {
      const txHash = hashes.get(id)
      const { id: paymentId } = await storePayment(database, id, 100n, {
        ...placeOf(world),
        ...{ token: ZERO_ADDRESS, logIndex: NO_LOG, kind: 'foreign' },
        ...{ status: 'reverted', confirmedAt: null },
        blockHash: newHash(),
      })
      await database`
        update payment set tx_hash = ${txHash ?? ''}, reverted_at = now() where id = ${paymentId}`
    }
    return invoiceThings(displaced, ({ id }) => [bare(hashes.get(id) ?? '')])
  },
  async ended({ database }) {
    const rows = await database<{ invoiceId: string }[]>`
      select invoice_id from payment where token = ${ZERO_ADDRESS} and status <> 'reverted'`
    return rows.map(({ invoiceId }) => invoiceId)
  },
}

export const confirmed: Scene = {
  name: 'a payment that is deep enough',
  unreached: {},
  async seed(world) {
    const { rig } = world
    const paid = await invoices(world)
    const [first] = await payEach(
      world,
      paid.map(({ depositAddress }) => depositAddress),
    )
    await rig.record(paid, first?.blockNumber ?? 0n)
    return invoiceThings(paid, ({ depositAddress }) => [bare(depositAddress)])
  },
  ended: withPayments('confirmed'),
  promised: withPayments('pending'),
}

export const settled: Scene = {
  name: 'a paid invoice whose money waits to be swept',
  unreached: ROWS_ONLY,
  async seed(world) {
    const paid = await invoices(world, {
      ...{ status: 'paid', settlementState: 'due' },
      targetNetwork: world.chain.networkId,
    })
    for (const { id } of paid) {
      await storePayment(world.database, id, 10_000_000n, placeOf(world))
      await world.database`
        update invoice set status = 'paid', settlement_state = 'due' where id = ${id}`
    }
    return invoiceThings(paid)
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select id from invoice where settlement_state not in ('none', 'due')`
    return rows.map(({ id }) => id)
  },
  promised: withPayments('confirmed'),
}

/** No one has noted before what is too little. */
export const held: Scene = {
  name: 'an invoice that was held for holding too little',
  unreached: ROWS_ONLY,
  async seed(world) {
    const { database } = world
    const below = await invoices(world)
    return Promise.all(
      below.map(async ({ id }): Promise<Thing> => {
        await database`
          update invoice set status = 'paid', settlement_state = 'below_gas_threshold' where id = ${id}`
        return { id, calls: [], rows: [`"id": "${id}"`], subject: `held invoice ${id}` }
      }),
    )
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select id from invoice where status = 'paid' and settlement_state <> 'below_gas_threshold'`
    return rows.map(({ id }) => id)
  },
}

export const expired: Scene = {
  name: 'an unpaid invoice whose time is over',
  unreached: ROWS_ONLY,
  async seed(world) {
    const over = await invoices(world, { expiresAt: new Date(Date.now() - 24 * HOUR_MS) })
    return over.map(({ id }) => {
      return { id, calls: [], rows: [id], subject: `expiry of invoice ${id}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select id from invoice where expiry_announced_at is not null`
    return rows.map(({ id }) => id)
  },
}

/** Money that the indexer has missed. */
export const healed: Scene = {
  name: 'a deposit that holds more than the ledger knows',
  unreached: {},
  async seed(world) {
    const paid = await invoices(world)
    await payEach(
      world,
      paid.map(({ depositAddress }) => depositAddress),
    )
    return paid.map(({ id, depositAddress }) => {
      const calls = [bare(depositAddress)]
      return { id, calls, rows: [id], subject: `deposit of invoice ${id}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ invoiceId: string }[]>`select invoice_id from payment`
    return rows.map(({ invoiceId }) => invoiceId)
  },
}
