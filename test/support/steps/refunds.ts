import { readSent } from '../../../chain/tokens/sent.ts'
import { asRefundId, type RefundId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { type Address, type Hex, isHash, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import type { Refund } from '../../../core/invoice/state.ts'
import { newAddress } from '../store/database.ts'
import { storePayment, storeRefund, storeSettlement } from '../store/invoice.ts'
import { storeItem } from '../store/relayer.ts'
import { bare, placeOf, ROWS_ONLY, type Scene, several, type Thing, type World } from './scenes.ts'

/** Refunds for every step of a ledger's turn that works on refunds. */

interface Asked {
  readonly invoiceId: string
  readonly refundId: RefundId
}

/** A refund of a whole payment, which is promised and not sent. */
async function asked(
  world: World,
  change: Partial<Refund> & { readonly deadline?: bigint } = {},
): Promise<Asked> {
  const { chain, database, rig } = world
  const { id: invoiceId } = await rig.invoice()
  const amount = 1_000_000n
  const place = placeOf(world)
  const { id: paymentId } = await storePayment(database, invoiceId, amount, {
    ...place,
    refunding: baseUnits(amount),
  })
  const { id: refundId } = await storeRefund(
    database,
    invoiceId,
    amount,
    { networkId: chain.networkId, token: chain.usdc.address, ...change },
    new Map([[paymentId, amount]]),
  )
  await storeItem(database, 'refund', { refundId }, { dedupeKey: `refund:${refundId}` })
  return { invoiceId, refundId }
}

const refundsThat =
  (isEnded: boolean) =>
  async ({ database }: World) => {
    const rows = await database<{ id: string }[]>`
    select id from refund where (status <> 'open') = ${isEnded}`
    return rows.map(({ id }) => id)
  }

/** Those of invoices whose payments still keep the money. */
async function promised({ database }: World): Promise<string[]> {
  const rows = await database<{ id: string }[]>`
    select r.id from refund r join refund_part part on part.refund_id = r.id
    join payment p on p.id = part.payment_id
    where r.status = 'open' and p.refunding >= part.amount`
  return rows.map(({ id }) => id)
}

export const unapproved: Scene = {
  name: 'a refund that nobody has approved',
  unreached: ROWS_ONLY,
  async seed(world) {
    const { database, rig } = world
    return several(async (): Promise<Thing> => {
      const { refundId } = await asked(world)
      await database`
        insert into approval_request (id, merchant_id, kind, refund_id, actor, actor_id, actor_name,
          needed, state, ended_at)
        values (${Bun.randomUUIDv7()}, ${rig.merchantId}, 'refund', ${refundId}, 'key', 'x', 'a key',
          2, 'refused', now())`
      const subject = `unapproved refund ${refundId}`
      return { id: refundId, calls: [], rows: [refundId], subject }
    })
  },
  ended: refundsThat(true),
  promised,
}

export const overdue: Scene = {
  name: 'a refund whose time is over',
  unreached: {},
  async seed(world) {
    return several(async (i): Promise<Thing> => {
      const orderNumber = 0x7e57_0000n + BigInt(i)
      const signed = { deadline: 1n, feeLeft: baseUnits(0n) }
      const { invoiceId, refundId } = await asked(world, { ...signed, orderNumber })
      const calls = [orderNumber.toString(16).padStart(64, '0')]
      return { id: refundId, calls, rows: [refundId], subject: invoiceId }
    })
  },
  ended: refundsThat(true),
  promised,
}

export const external: Scene = {
  name: 'a refund that a merchant says to have sent',
  unreached: {},
  async seed(world) {
    const { chain } = world
    const payers = await several(async () => newAddress())
    await chain.mint(payers.map((to) => ({ to, amount: 2_500_000n })))
    const { transactions } = await chain.client.getBlock()
    return several(async (i): Promise<Thing> => {
      const hash = transactions[i]
      const payer = payers[i]
      if (hash === undefined || !isHash(hash) || payer === undefined)
        throw new Error('none was sent')
      return said(world, hash, payer)
    })
  },
  async ended({ database }) {
    const rows = await database<{ id: string }[]>`
      select id from external_refund where status = 'confirmed'`
    return rows.map(({ id }) => id)
  },
}

async function said(world: World, txHash: Hex, payer: Address): Promise<Thing> {
  const { chain, database, rig } = world
  const { id: invoiceId } = await rig.invoice()
  const place = placeOf(world)
  await storePayment(database, invoiceId, 12_500_000n, { ...place, sender: payer })
  const token = chain.usdc.address
  await storeSettlement(database, invoiceId, 12_500_000n, { networkId: chain.networkId, token })
  const sent = await readSent(chain.client, txHash, { token, recipients: [payer] })
  if (sent.type !== 'mined') throw new Error('it was not mined')
  const id = asRefundId(Bun.randomUUIDv7())
  await database`
    select record_sent_refund(${id}, ${invoiceId}, ${chain.networkId}, ${txHash}, 0, ${token},
      ${ZERO_ADDRESS}, ${payer}, '2500000', ${sent.blockNumber}, ${sent.blockHash})`
  return { id, calls: [bare(txHash)], rows: [id], subject: invoiceId }
}
