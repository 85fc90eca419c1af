import { join } from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { withoutSigningKeys } from '../../core/config/reader.ts'
import { addressOf } from '../../dev/stack/keys.ts'
import { createMerchant } from '../../store/access/merchants.ts'
import type { Database } from '../../store/database/database.ts'
import { type HubChain, workerConfig } from '../../test/support/servers/chain.ts'
import { newInvoice, type Payable, paymentFor } from '../../test/support/x402/invoices.ts'
import { startScript, withServers } from '../servers.ts'
import { startBenchChain } from './chain.ts'
import { variablesOf } from './ours.ts'

/** The API on a chain of its own, for invoices that are paid by x402; the worker starts when it is told to. */

export interface InvoiceStage {
  readonly chain: HubChain
  readonly database: Database
  readonly senders: readonly Address[]
  startWorker(): Promise<void>
  fetch(path: string, init?: RequestInit): Promise<Response>
  newInvoice(amount: string): Promise<Payable>
  /** Payers with so many base units. */
  newPayers(count: number, funds: bigint): Promise<readonly PrivateKeyAccount[]>
  /** An invoice and its signed payment. */
  newPayment(amount: string, payer: PrivateKeyAccount): Promise<SignedInvoice>
  /** Calls its URL with the payment; from a client of this address. */
  pay(payment: Pick<SignedInvoice, 'url' | 'header'>, client?: string): Promise<Response>
  stop(): Promise<void>
}

export interface SignedInvoice {
  readonly invoice: Payable
  readonly url: string
  /** PAYMENT-SIGNATURE. */
  readonly header: string
}

const NO_LIMIT = '100000000'
const ACCOUNTS = 3

export function startInvoices(blocks: number): Promise<InvoiceStage> {
  return withServers(async (servers) => {
    const { dir, database, port, stop } = servers
    const chain = await startBenchChain(blocks, ACCOUNTS)
    servers.beforeStop(chain.node.stop)
    const limits = {
      ...{ RATE_LIMIT_PAYERS: NO_LIMIT, RATE_LIMIT_AUTHENTICATED: NO_LIMIT },
      ...{ GASLESS_PER_MERCHANT_DAY: NO_LIMIT, GASLESS_UNPAID_PER_CLIENT: NO_LIMIT },
      // Each client has its own address, as behind a proxy.
      TRUSTED_PROXIES: '127.0.0.0/8',
    }
    const options = { blocks, merchants: 1, variables: limits }
    const variables = variablesOf(chain, options, servers.variables)
    const log = (name: string) => join(dir, `${name}.log`)
    const api = await startScript('api/main.ts', withoutSigningKeys(variables), log('api'), port)
    servers.beforeStop(api.stop)
    const { config } = workerConfig(variables)
    const recipient = addressOf(generatePrivateKey())
    const created = await createMerchant(database, config, { name: 'Bench', recipient })
    if (!created.ok) throw new Error(created.message)
    const fetchHere = (path: string, init?: RequestInit) =>
      fetch(`http://127.0.0.1:${port}${path}`, init)
    const shop = { fetch: fetchHere, merchant: { secretKey: created.secretKey } }
    return {
      chain,
      database,
      senders: chain.relayerKeys.map(addressOf),
      async startWorker() {
        const worker = await startScript('workers/main.ts', variables, log('worker'))
        servers.beforeStop(worker.stop)
      },
      fetch: (path, init = {}) => {
        const headers = { 'x-service-key': created.secretKey, ...init.headers }
        return fetchHere(path, { ...init, headers })
      },
      newInvoice: (amount) => newInvoice(shop, amount),
      async newPayers(count, funds) {
        const payers = Array.from({ length: count }, () =>
          privateKeyToAccount(generatePrivateKey()),
        )
        if (funds > 0n) {
          await chain.mint(
            payers.map(({ address }) => ({ to: lowerCaseAddress(address), amount: funds })),
          )
        }
        return payers
      },
      async newPayment(amount, payer) {
        const invoice = await newInvoice(shop, amount)
        const url = invoice.x402Url
        return { invoice, url, header: await paymentFor(shop, url, payer) }
      },
      pay: ({ url, header }, client = '127.0.0.1') =>
        fetchHere(new URL(url).pathname, {
          headers: { 'payment-signature': header, 'x-forwarded-for': client },
        }),
      stop,
    }
  })
}
