import pino from 'pino'
import { createWalletClient, encodeFunctionData, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { type ChainClient, openChain } from '../../../chain/rpc/client.ts'
import { transfersTo } from '../../../chain/tokens/transfers.ts'
import { reconcile } from '../../../cli/books/reconcile.ts'
import type { Report } from '../../../cli/books/report.ts'
import { asInvoiceId, type InvoiceId } from '../../../core/base/ids.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { tokenOn } from '../../../core/chain/registry.ts'
import type { TokenOnChain } from '../../../core/chain/tokens.ts'
import type { ActiveChain } from '../../../core/config/chains.ts'
import { draftInvoice, newInvoice } from '../../../core/invoice/creation.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import { createMerchant, type Merchant } from '../../../store/access/merchants.ts'
import { saveProjectedBlock } from '../../../store/chain/state.ts'
import { type Database, openDatabase, type Queryable } from '../../../store/database/database.ts'
import { migrate } from '../../../store/database/migrate.ts'
import { advanceInvoices } from '../../../store/invoice/advance.ts'
import { openCreations } from '../../../store/invoice/creations.ts'
import { recordTransfers } from '../../../store/invoice/payments.ts'
import { advanceHead, checkIdentity } from '../../../workers/blocks/head.ts'
import { openHeadReader } from '../../../workers/blocks/headReader.ts'
import { confirmPayments } from '../../../workers/invoice/projector.ts'
import { createRelayer, type Relayer } from '../../../workers/relayer/turn.ts'
import type { SigningConfig } from '../../../workers/signers/signers.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { QUICK } from '../relayer/relayers.ts'
import { type HubChain, workerConfig } from '../servers/chain.ts'
import { createDatabase } from '../servers/run.ts'

/**
 * A ledger kept by the real projector and relayer, on a chain that mines when told to. The indexer is
 * left out: transfers are read from the chain when the test says so, or not, to make a difference.
 */
export class TestLedger {
  private readonly deposits = new Map<Address, InvoiceId>()
  private readonly booked = new Set<string>()

  private constructor(
    readonly chain: HubChain,
    readonly url: string,
    readonly database: Database,
    readonly config: SigningConfig,
    readonly client: ChainClient,
    readonly merchant: Merchant,
    private readonly relayer: Relayer,
  ) {}

  static async open(chain: HubChain): Promise<TestLedger> {
    const { url } = await createDatabase()
    const database = openDatabase(url, { name: 'test' })
    await migrate(database)
    const [key] = chain.relayerKeys
    if (!key) throw new Error('the chain has no relayer key')
    const parsed = workerConfig(chain.variables({ RELAYER_KEYS_BASE_SEPOLIA: key }))
    const { config } = parsed
    const client = openChain(parsed.chain)
    await checkIdentity(database, client)
    const recipient = '0x00000000000000000000000000000000000a11ce'
    const created = await createMerchant(database, config, { name: 'Shop', recipient })
    if (!created.ok) throw new Error(created.message)
    const relayer = createRelayer({
      database,
      client,
      heads: openHeadReader(database, client),
      config,
      workerId: 'test',
      log: pino({ level: 'silent' }),
      onSettlementChanged: async (sql, invoiceIds) => {
        await advanceInvoices(sql, config, invoiceIds, new Date())
      },
      timing: QUICK,
    })
    return new TestLedger(chain, url, database, config, client, created.merchant, relayer)
  }

  get activeChain(): ActiveChain {
    return this.client.chain
  }

  token(symbol: 'USDC' | 'USDT'): TokenOnChain {
    const token = tokenOn(this.activeChain, symbol)
    if (!token) throw new Error(`the chain has no ${symbol}`)
    return token
  }

  /** An invoice in USDC, in major units. */
  async invoice(amount: string, expiresAt?: Date): Promise<Invoice> {
    const now = new Date()
    const request = {
      tokenSymbol: 'USDC',
      amountExpected: amount,
      ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
    }
    const decision = draftInvoice(request, this.config, now)
    if (!decision.ok) throw new Error(decision.code)
    const invoice = newInvoice(decision.draft, {
      id: asInvoiceId(Bun.randomUUIDv7()),
      reference: String(this.deposits.size).padStart(10, '0'),
      merchantId: this.merchant.id,
      hub: this.config.hub,
      now,
    })
    const result = await openCreations(this.database).create({
      invoice,
      metadataJson: '{}',
      eventJson: '{}',
    })
    if (result !== 'created') throw new Error(result)
    this.deposits.set(invoice.depositAddress, invoice.id)
    return invoice
  }

  /** Mints a token to a deposit, in base units. The ledger learns of it by `book`. */
  async pay(invoice: Invoice, amount: bigint, symbol: 'USDC' | 'USDT' = 'USDC'): Promise<void> {
    const args = [invoice.depositAddress, amount] as const
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args })
    await this.send(this.chain.ownerKey, { to: this.token(symbol).address, data })
  }

  /** Sends a transaction with a key, and mines it. The answer is its hash. */
  async send(
    key: Hex,
    call: { readonly to: Address; readonly data?: Hex; readonly value?: bigint },
  ): Promise<Hex> {
    const account = privateKeyToAccount(key)
    const wallet = createWalletClient({ account, transport: http(this.chain.node.url) })
    const hash = await wallet.sendTransaction({ ...call, chain: null })
    await this.chain.mine()
    const receipt = await this.client.rpc.getTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
    return hash
  }

  /** Lets the ledger see every transfer so far, confirm it and plan its settlement. */
  async book(): Promise<void> {
    const { config, client } = this
    const projection = {
      database: this.database,
      config,
      client,
      work: new LedgerWork(pino({ level: 'silent' })),
    }
    await this.chain.mine(this.activeChain.confirmations)
    const { number } = await readHead(client.rpc)
    const tokens = this.activeChain.tokens.map((token) => token.address)
    const logs = await transfersTo(client.rpc, tokens, [...this.deposits.keys()], 0n, number)
    for (const log of logs) {
      const id = `${log.txHash} ${log.logIndex}`
      const invoiceId = this.deposits.get(log.to)
      if (this.booked.has(id) || !invoiceId) continue
      this.booked.add(id)
      const block = await client.rpc.getBlock({ blockNumber: log.blockNumber })
      const blockTime = new Date(Number(block.timestamp) * 1000)
      const transfer = {
        ...log,
        ...{ blockTime, invoiceId },
        networkId: this.activeChain.networkId,
        sender: log.from,
      }
      await recordTransfers(projection, [transfer], new Date())
    }
    await this.follow()
    await confirmPayments(projection, new Date())
  }

  /** Moves the ledger to the chain's head, as if the indexer had nothing new. */
  async follow(): Promise<void> {
    const head = await readHead(this.client.rpc)
    await advanceHead(this.database, this.client, head, new Date())
    await saveProjectedBlock(this.database, this.activeChain.networkId, head.number)
  }

  /** Turns the relayer once and mines a block. */
  async turn(): Promise<void> {
    await this.relayer.turn()
    await this.chain.mine()
  }

  /** Turns the relayer until everything that is due is swept and confirmed. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 100; turn += 1) {
      await this.turn()
      const [row] = await this.database<{ open: number }[]>`
        select count(*)::integer as open from work_item where state in ('queued', 'assigned')`
      const [unsettled] = await this.database<{ open: number }[]>`
        select count(*)::integer as open from settlement where status in ('open', 'mined')`
      if (row?.open === 0 && unsettled?.open === 0) {
        await this.chain.mine(this.activeChain.confirmations)
        await this.relayer.turn()
        await this.follow()
        return
      }
    }
    throw new Error('the sweeps were not confirmed in time')
  }

  compare(database: Queryable = this.database): Promise<Report> {
    return reconcile({ database, config: this.config, only: null, now: new Date() })
  }

  /** What a comparison finds after a change of the rows, which is taken back afterwards. */
  async compareAfter(change: (sql: Queryable) => Promise<unknown>): Promise<Report> {
    class Rollback extends Error {}
    let report: Report | undefined
    await this.database
      .begin(async (sql) => {
        await change(sql)
        report = await this.compare(sql)
        throw new Rollback()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Rollback)) throw error
      })
    if (!report) throw new Error('nothing was compared')
    return report
  }

  /** What a comparison finds after the chain has changed, which is taken back afterwards. */
  async compareAfterChain(
    change: () => Promise<unknown>,
    projected: 'head' | 'as it was' = 'head',
  ): Promise<Report> {
    const snapshot = await this.chain.node.rpc('evm_snapshot', [])
    try {
      await change()
      await this.chain.mine(this.activeChain.confirmations)
      return await this.compareAfter(async (sql) => {
        const { number } = await readHead(this.client.rpc)
        if (projected === 'head') await saveProjectedBlock(sql, this.activeChain.networkId, number)
      })
    } finally {
      await this.chain.node.rpc('evm_revert', [snapshot])
    }
  }

  async close(): Promise<void> {
    await this.relayer.release()
    await this.database.end()
  }
}
