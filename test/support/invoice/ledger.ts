import pino from 'pino'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { openChain } from '../../../chain/rpc/client.ts'
import { transfersTo } from '../../../chain/tokens/transfers.ts'
import {
  asInvoiceId,
  asMerchantId,
  type InvoiceId,
  type MerchantId,
  type RefundId,
} from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { depositAddress } from '../../../core/hub/deposit.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { readChainState, saveProjectedBlock } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { openCreations } from '../../../store/invoice/creations.ts'
import { recordTransfers } from '../../../store/invoice/payments.ts'
import { advanceHead, checkIdentity } from '../../../workers/blocks/head.ts'
import { Healer } from '../../../workers/invoice/healer.ts'
import { confirmPayments } from '../../../workers/invoice/projector.ts'
import type { LedgerContext } from '../../../workers/turns/ledgerContext.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { anInvoice } from '../core/invoiceRows.ts'
import { type HubChain, workerConfig } from '../servers/chain.ts'
import { asWorker } from '../servers/database.ts'

/** A chain's ledger turned by hand, without an indexer: payments are found by the healing loop. */

export interface LedgerRig {
  readonly projection: LedgerContext
  readonly merchantId: MerchantId
  /** Stores an invoice of 10 USDC on this chain, as the API would. */
  invoice(change?: Partial<Invoice>): Promise<Invoice>
  /** Follows the head. True when it moved. */
  advance(): Promise<boolean>
  /** Follows the head and confirms what is deep enough. */
  follow(): Promise<void>
  /** Records what the chain has of payments to these since a block, as if the indexer had found it. */
  record(invoices: readonly Invoice[], fromBlock: bigint): Promise<void>
  /** Says that the indexer has passed the head, and heals. Returns how many transfers were missing. */
  heal(): Promise<number>
  events(
    objectId: InvoiceId | RefundId,
  ): Promise<{ type: string; version: number; data: unknown }[]>
}

const SILENT = pino({ level: 'silent' })

export async function ledgerRig(
  database: Database,
  chain: HubChain,
  rpcUrl = chain.node.url,
  variables: Record<string, string> = {},
): Promise<LedgerRig> {
  const id = chain.networkId.toUpperCase().replaceAll('-', '_')
  const given = chain.variables({ [`RPC_URL_${id}`]: rpcUrl, ...variables })
  const { config, chain: active } = workerConfig(given)
  const projection: LedgerContext = {
    database: asWorker(database),
    config,
    client: openChain(active),
    work: new LedgerWork(SILENT),
  }
  const merchantId = asMerchantId(Bun.randomUUIDv7())
  await database`insert into merchant (id, name) values (${merchantId}, 'Rig')`
  await checkIdentity(database, projection.client)
  const advance = async () => {
    const head = await readHead(projection.client.rpc)
    return advanceHead(database, projection.client, head, new Date())
  }
  return {
    projection,
    merchantId,
    advance,
    async invoice(change = {}) {
      const invoice = newInvoice(chain, merchantId, change)
      await openCreations(database).create({ invoice, metadataJson: '{}', eventJson: '{}' })
      return invoice
    },
    async follow() {
      await advance()
      await confirmPayments(projection, new Date())
    },
    async record(invoices, fromBlock) {
      const { rpc } = projection.client
      const byDeposit = new Map(invoices.map((one) => [one.depositAddress, one.id]))
      const head = await readHead(rpc)
      const range = [fromBlock, head.number] as const
      const logs = await transfersTo(rpc, [chain.usdc.address], [...byDeposit.keys()], ...range)
      const at = { networkId: chain.networkId, blockTime: head.time }
      for (const [deposit, paid] of Map.groupBy(logs, ({ to }) => to)) {
        const id = byDeposit.get(deposit)
        if (id === undefined) throw new Error(`nothing was to be paid to ${deposit}`)
        const own = { ...at, invoiceId: id }
        const seen = paid.map(({ from: sender, ...log }) => ({ ...log, ...own, sender }))
        await recordTransfers(projection, seen, new Date())
      }
    },
    async heal() {
      const state = await readChainState(database, chain.networkId)
      await saveProjectedBlock(database, chain.networkId, state?.head ?? 0n)
      return new Healer(projection, SILENT).turn(new Date(Date.now() + 120_000))
    },
    events(objectId) {
      return database<{ type: string; version: number; data: unknown }[]>`
        select type, version, data from outbox where object_id = ${objectId} order by version`
    },
  }
}

function newInvoice(chain: HubChain, merchantId: MerchantId, change: Partial<Invoice>): Invoice {
  const terms = {
    merchantId,
    invoiceId: asInvoiceId(Bun.randomUUIDv7()),
    recipient: null,
    feeCap: baseUnits(50_000n),
  }
  return anInvoice({
    id: terms.invoiceId,
    merchantId,
    reference: terms.invoiceId.slice(-10),
    chains: [chain.networkId],
    amountExpected: baseUnits(10_000_000n),
    feeCap: terms.feeCap,
    platformFee: terms.feeCap,
    hub: chain.hub,
    depositAddress: depositAddress(chain.hub, terms),
    createdAt: new Date(),
    ...change,
  })
}
