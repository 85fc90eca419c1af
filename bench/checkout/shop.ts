import { join } from 'node:path'
import { baseUnits } from '../../core/base/money.ts'
import { lowerCaseAddress } from '../../core/chain/evm.ts'
import { createMerchant } from '../../store/access/merchants.ts'
import { png } from '../../test/support/logos.ts'
import { startScript, withServers } from '../servers.ts'
import { type Followed, followChain, NETWORK } from './chain.ts'

/** One API process with its stores and a merchant with open checkout pages; no chain is running. */

export interface Shop extends Followed {
  readonly url: string
  readonly port: number
  /** The API's process. */
  readonly pid: number
  /** A folder for logs, which goes with the shop. */
  readonly dir: string
  /** Creates so many invoices; resolves with the paths of their pages. */
  createPages(count: number): Promise<readonly string[]>
  stop(): Promise<void>
}

const HUB = lowerCaseAddress('0x00000000000000000000000000000000000b00b5')
const CONFIRMATIONS = 12
/** Invoices that are being created at a time. */
const AT_ONCE = 16

export function openShop(): Promise<Shop> {
  return withServers(async (servers) => {
    const { dir, database, port, stop } = servers
    const variables = {
      ...servers.variables,
      REMIT_ENV: 'sandbox',
      HUB_ADDRESS: HUB,
      FEE_COLLECTOR: HUB,
      // Enables the chain; the API never calls it here.
      RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
      CONFIRMATIONS_BASE_SEPOLIA: String(CONFIRMATIONS),
      // Each page has its own client address, as behind a proxy.
      TRUSTED_PROXIES: '127.0.0.0/8',
      RATE_LIMIT_AUTHENTICATED: '100000000',
      RATE_LIMIT_PAYERS: '100000000',
      LOG_LEVEL: 'warn',
    }
    const api = await startScript('api/main.ts', variables, join(dir, 'api.log'), port)
    servers.beforeStop(api.stop)
    const url = `http://127.0.0.1:${port}`
    const x402Fee = { rateBps: 0, cap: baseUnits(0n) }
    const terms = { environment: 'sandbox', hub: HUB, x402Fee } as const
    const created = await createMerchant(database, terms, { name: 'Northwind', recipient: null })
    if (!created.ok) throw new Error(created.message)
    const call = callsTo(url, created.secretKey)
    await call('/v1/settings/checkout/logo', png(64, 64), 'image/png')
    const chain = followChain(database)
    await chain.mineBlock()
    return {
      url,
      port,
      pid: api.pid,
      dir,
      createPages: (count) => createPages(call, count),
      ...chain,
      stop,
    }
  })
}

type Call = (path: string, body: BodyInit, type?: string) => Promise<Answered>

interface Answered {
  readonly checkoutUrl?: string
}

function callsTo(url: string, secretKey: string): Call {
  return async (path, body, type = 'application/json') => {
    const headers = { 'X-Service-Key': secretKey, 'content-type': type }
    const response = await fetch(url + path, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    const { data }: { data: Answered } = await response.json()
    return data
  }
}

async function createPages(call: Call, count: number): Promise<readonly string[]> {
  const paths: string[] = []
  let begun = 0
  const create = async () => {
    while (begun < count) {
      begun += 1
      const body = { tokenSymbol: 'USDC', amountExpected: '49.9', chains: [NETWORK] }
      const { checkoutUrl = '' } = await call('/v1/invoices', JSON.stringify(body))
      paths.push(new URL(checkoutUrl).pathname)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, create))
  return paths
}
