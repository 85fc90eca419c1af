import { asMerchantId } from '../../../core/base/ids.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { signRequests } from '../../../store/merchant/requestMacs.ts'
import { newAddress } from '../store/database.ts'
import { storeMerchant } from '../store/invoice.ts'
import { storeItem, storeKey } from '../store/relayer.ts'
import { randomHex } from '../x402/authorizations.ts'
import { bare, noNodeFault, ROWS_ONLY, type Scene, several, type Thing } from './scenes.ts'

/** What a ledger's turn works on besides invoices, refunds and payments. */

export const hubs: Scene = {
  name: 'a hub that is known',
  unreached: {},
  async seed({ chain, database }) {
    const code = await chain.client.getCode({ address: chain.hub })
    return several(async (): Promise<Thing> => {
      const id = lowerCaseAddress(randomHex(20))
      await chain.node.rpc('anvil_setCode', [id, code])
      await database`insert into known_hub (address) values (${id})`
      return { id, calls: [bare(id)], rows: [id], subject: `hub ${id}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ hub: string }[]>`select hub from hub_state`
    return rows.map(({ hub }) => hub)
  },
}

export const treasuries: Scene = {
  name: 'a merchant with another treasury than before',
  unreached: ROWS_ONLY,
  async seed({ chain, database }) {
    return several(async (): Promise<Thing> => {
      const recipient = newAddress()
      const id = await storeMerchant(database, { recipient, configVersion: 2 })
      const rows = [`"configure:${chain.networkId}:${chain.hub}:${id}`]
      return { id, calls: [], rows, subject: `replaced treasury of merchant ${id}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select payload->>'merchantId' as id from work_item where kind = 'configure'`
    return rows.map(({ id }) => id)
  },
}

export const orders: Scene = {
  name: 'what an operator orders',
  unreached: noNodeFault('what a node does not answer ends the order, and is ordered again'),
  async seed({ chain, database }) {
    const { networkId } = chain
    const [person] = await database<{ id: string }[]>`
      insert into auth."user" (name, email, "emailVerified")
      values ('Op', 'op@example.com', true) returning id`
    return several(async (): Promise<Thing> => {
      const { address } = await storeKey(database, { networkId })
      const [order] = await database<{ id: bigint }[]>`
        insert into operator_order (person_id, network_id, kind, subject)
        values (${person?.id ?? ''}, ${networkId}, 'drain', ${address}) returning id`
      const id = String(order?.id)
      return { id, calls: [], rows: [`"subject": "${address}"`], subject: `order ${id}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ id: bigint }[]>`
      select id from operator_order where ended_at is not null`
    return rows.map(({ id }) => String(id))
  },
}

export const approvals: Scene = {
  name: 'a request for an approval that is to be checked',
  unreached: ROWS_ONLY,
  async seed({ database, rig }) {
    const { secretKeys } = rig.projection.config
    return several(async (): Promise<Thing> => {
      const merchantId = asMerchantId(await storeMerchant(database))
      const id = Bun.randomUUIDv7()
      await database.begin(async (sql) => {
        await sql`
          insert into approval_request (id, merchant_id, kind, wanted_recipient, actor, actor_id, actor_name,
            needed)
          values (${id}, ${merchantId}, 'policy', false, 'person', 'x', 'Ada', 1)`
        await signRequests(sql, secretKeys, merchantId)
      })
      return { id, calls: [], rows: [id], subject: `approval request ${id}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select id from approval_request where checked_at is not null`
    return rows.map(({ id }) => id)
  },
}

export const recipients: Scene = {
  name: 'a change of a recipient whose time has come',
  unreached: ROWS_ONLY,
  async seed({ database }) {
    return several(async (): Promise<Thing> => {
      const merchantId = await storeMerchant(database, {
        recipient: newAddress(),
        configVersion: 1,
      })
      const id = Bun.randomUUIDv7()
      await database`
        insert into recipient_change (id, merchant_id, recipient, actor, actor_id, actor_name,
          waits_since, force_at, notified_at)
        values (${id}, ${merchantId}, ${newAddress()}, 'key', 'x', 'a key', now(), now(), now())`
      return { id, calls: [], rows: [id], subject: `change of recipient ${id}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select id from recipient_change where state = 'in_force'`
    return rows.map(({ id }) => id)
  },
}

export const entries: Scene = {
  name: "a merchant's registry entry that is to be read",
  unreached: {},
  async seed({ chain, database }) {
    return several(async (): Promise<Thing> => {
      const id = await storeMerchant(database)
      await database`
        insert into registry_entry (network_id, hub, merchant_id, look_at, look_from)
        values (${chain.networkId}, ${chain.hub}, ${id}, now(), 0)`
      const subject = `registry entry ${chain.hub} ${id}`
      return { id, calls: [bare(id)], rows: [`"merchant_id": "${id}"`], subject }
    })
  },
  async ended({ database }) {
    const rows = await database<{ merchantId: string }[]>`
      select merchant_id from registry_entry where look_at is null`
    return rows.map(({ merchantId }) => merchantId)
  },
}

/** Rows of different kinds, which are removed kind by kind. */
export const old: Scene = {
  name: 'rows of one kind that are no longer kept',
  unreached: ROWS_ONLY,
  async seed({ chain, database }) {
    const merchantId = await storeMerchant(database)
    const key = crypto.randomUUID()
    await database`
      insert into idempotency_key (merchant_id, key, request_hash, object_id, owner, leased_until,
        created_at)
      values (${merchantId}, ${key}, ${new Uint8Array(32)}, ${Bun.randomUUIDv7()},
        ${crypto.randomUUID()}, now(), now() - interval '1 year')`
    const { networkId } = chain
    const dedupeKey = crypto.randomUUID()
    await storeItem(database, 'distribute', {}, { networkId, dedupeKey, state: 'failed' })
    await database`
      update work_item set created_at = now() - interval '9 years',
        updated_at = now() - interval '9 years' where dedupe_key = ${dedupeKey}`
    return [
      { id: key, calls: [], rows: [key], subject: 'old rows keys' },
      { id: dedupeKey, calls: [], rows: [dedupeKey], subject: 'old rows work' },
    ]
  },
  async ended({ database }, ids) {
    const rows = await database<{ id: string }[]>`
      select id from unnest(${[...ids]}::text[]) id where id not in (
        select key from idempotency_key union all select dedupe_key from work_item)`
    return rows.map(({ id }) => id)
  },
}

/** What has happened to the invoices of each merchant, and is yet to be added to its counters. */
export const counters: Scene = {
  name: "a merchant's counters of invoices",
  unreached: ROWS_ONLY,
  async seed({ database }) {
    return several(async (): Promise<Thing> => {
      const id = await storeMerchant(database)
      await database`
        insert into invoice_tally_change (merchant_id, day, status, token_symbol, invoices)
        values (${id}, current_date, 'paid', 'USDC', 1)`
      return {
        id,
        calls: [],
        rows: [`"merchant_id": "${id}"`],
        subject: `counters of merchant ${id}`,
      }
    })
  },
  async ended({ database }) {
    const rows = await database<{ merchantId: string }[]>`select merchant_id from invoice_tally`
    return rows.map(({ merchantId }) => merchantId)
  },
}

/** What has moved of each merchant, and is yet to be added up. */
export const movements: Scene = {
  name: "a merchant's movements",
  unreached: ROWS_ONLY,
  async seed({ chain, database }) {
    return several(async (): Promise<Thing> => {
      const id = await storeMerchant(database)
      await database`
        insert into movement_tally_change (merchant_id, day, network_id, token, type, movements,
          amount, fee)
        values (${id}, current_date, ${chain.networkId}, ${chain.usdc.address}, 'payment', 1, 5, 0)`
      const rows = [`"merchant_id": "${id}"`]
      return { id, calls: [], rows, subject: `movements of merchant ${id}` }
    })
  },
  async ended({ database }) {
    const rows = await database<{ merchantId: string }[]>`select merchant_id from movement_tally`
    return rows.map(({ merchantId }) => merchantId)
  },
}
