import { generatePrivateKey } from 'viem/accounts'
import type { PaymentId, RefundId } from '../../../core/base/ids.ts'
import { newestConfirmed } from '../../../core/chain/depth.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { InvoiceRows } from '../../../core/invoice/present.ts'
import type { Invoice, Refund } from '../../../core/invoice/state.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { readChainState, saveConfirmedTime } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { findInvoice } from '../../../store/invoice/invoices.ts'
import { createRefund, type RefundResult } from '../../../store/refund/refunds.ts'
import { endDoubtfulRefunds } from '../../../workers/refund/ends.ts'
import { Searches } from '../../../workers/turns/searches.ts'
import { openRelayer, type RelayerSetup, type TestRelayer } from '../relayer/relayers.ts'
import { type HubChain, startHubChain } from '../servers/chain.ts'
import { freshDatabase } from '../servers/database.ts'
import { type LedgerRig, ledgerRig } from './ledger.ts'

/** A chain, its ledger and one relayer, turned by hand, for money that goes back. */

export interface RefundRig extends LedgerRig {
  readonly relayer: TestRelayer
  /** Money from no one arrives at the invoice's deposit and is confirmed. */
  pay(invoice: Invoice, amount: bigint): Promise<void>
  ask(invoice: Invoice, amount: string, change?: Asked): Promise<RefundResult>
  read(invoice: Invoice): Promise<InvoiceRows>
  /** Turns everything once and mines a block, so many times. */
  turn(times?: number): Promise<void>
  /** The one refund of an invoice. */
  refundOf(invoice: Invoice): Promise<Refund>
  told(refundId: RefundId): Promise<string[]>
}

export interface Asked {
  readonly address?: Address
  readonly paymentId?: PaymentId
  readonly key?: string
}

/** The merchant may refund to anyone: what is minted has no sender that could be paid back. */
export async function refundRig(
  database: Database,
  chain: HubChain,
  key: Hex,
  { rpcUrl, ...setup }: Pick<RelayerSetup, 'rpcUrl' | 'variables' | 'signers'> = {},
): Promise<RefundRig> {
  const rig = await ledgerRig(database, chain, rpcUrl)
  await database`update merchant set refunds_any = true where id = ${rig.merchantId}`
  const relayer = openRelayer(database, chain, {
    key,
    isAdvancing: true,
    ...setup,
    ...(rpcUrl === undefined ? {} : { rpcUrl }),
  })
  const { projection, merchantId } = rig
  const searches = new Searches(projection.client)

  async function read(invoice: Invoice): Promise<InvoiceRows> {
    const rows = await findInvoice(database, merchantId, invoice.id)
    if (!rows) throw new Error('there is no such invoice')
    return rows
  }

  return {
    ...rig,
    relayer,
    read,
    async pay(invoice, amount) {
      await chain.mint([{ to: invoice.depositAddress, amount }])
      await chain.mine(2)
      await rig.follow()
      await database`update chain_state set healed_at = null`
      await rig.heal()
      await rig.follow()
    },
    async ask(invoice, amount, { address = newAddress(), paymentId, key: idempotencyKey } = {}) {
      const of = {
        merchantId,
        invoiceId: invoice.id,
        idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
      }
      const request = { amount, address, paymentId: paymentId ?? null }
      const result = await createRefund(database, projection.config, of, request)
      await database.begin((sql) => advanceInvoice(sql, projection.config, invoice.id, new Date()))
      return result
    },
    async turn(times = 1) {
      for (let i = 0; i < times; i += 1) {
        await relayer.turn()
        await chain.mine()
        await rig.follow()
        const { networkId, confirmations } = projection.client.chain
        const head = (await readChainState(database, networkId))?.head ?? 0n
        await saveConfirmedTime(database, networkId, newestConfirmed(head, confirmations))
        searches.beginTurn()
        await endDoubtfulRefunds(projection, searches, new Date())
      }
    },
    async refundOf(invoice) {
      const [refund] = (await read(invoice)).refunds
      if (!refund) throw new Error('the invoice has no refund')
      return refund
    },
    async told(refundId) {
      return (await rig.events(refundId)).map(({ type }) => type)
    },
  }
}

/** The same on a chain and a database of its own, which `close` ends. */
export interface OwnRefundRig extends RefundRig {
  readonly chain: HubChain
  readonly database: Database
  close(): Promise<void>
}

export async function openRefundRig(variables: Record<string, string> = {}): Promise<OwnRefundRig> {
  const chain = await startHubChain({ relayers: 1 })
  const database = await freshDatabase()
  const [key] = chain.relayerKeys
  if (!key) throw new Error('the chain has no relayer key')
  return {
    ...(await refundRig(database, chain, key, { variables })),
    chain,
    database,
    async close() {
      await database.end()
      await chain.node.stop()
    },
  }
}

export function newAddress(): Address {
  return addressOf(generatePrivateKey())
}
