import { wrapAxiosWithPaymentFromConfig } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPaymentFromConfig, type x402ClientConfig } from '@x402/fetch'
import axios from 'axios'
import type { PrivateKeyAccount } from 'viem/accounts'
import { withPaymentInterceptor } from 'x402-axios'
import { wrapFetchWithPayment } from 'x402-fetch'

/** The stock clients of x402 as their manuals show them. */

export type Client = '@x402/fetch' | '@x402/axios' | 'x402-fetch' | 'x402-axios'

export interface PaidAnswer {
  readonly status: number
  readonly body: unknown
  /** PAYMENT-RESPONSE, or X-PAYMENT-RESPONSE in v1: the settle result as the server passed it on. */
  readonly settled: SettledJson
}

export interface SettledJson {
  readonly success: boolean
  readonly transaction: string
  readonly network: string
  readonly payer: string
}

type Pay = (url: string, payer: PrivateKeyAccount) => Promise<PaidAnswer>

export const STOCK_CLIENTS: Readonly<Record<Client, Pay>> = {
  async '@x402/fetch'(url, payer) {
    return ofFetch(await wrapFetchWithPaymentFromConfig(fetch, v2Config(payer))(url))
  },
  async '@x402/axios'(url, payer) {
    return ofAxios(await wrapAxiosWithPaymentFromConfig(axios.create(), v2Config(payer)).get(url))
  },
  async 'x402-fetch'(url, payer) {
    return ofFetch(await wrapFetchWithPayment(fetch, payer)(url))
  },
  async 'x402-axios'(url, payer) {
    return ofAxios(await withPaymentInterceptor(axios.create(), payer).get(url))
  },
}

function v2Config(payer: PrivateKeyAccount): x402ClientConfig {
  return { schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(payer) }] }
}

async function ofFetch(response: Response): Promise<PaidAnswer> {
  const { status, headers } = response
  return { status, body: await response.json(), settled: decode((name) => headers.get(name)) }
}

function ofAxios({ status, data, headers }: AxiosAnswer): PaidAnswer {
  return { status, body: data, settled: decode((name) => headers[name]) }
}

interface AxiosAnswer {
  readonly status: number
  readonly data: unknown
  readonly headers: Readonly<Record<string, unknown>>
}

function decode(header: (name: string) => unknown): SettledJson {
  const text = header('payment-response') ?? header('x-payment-response')
  if (typeof text !== 'string') throw new Error('the server tells nothing of a settlement')
  return JSON.parse(Buffer.from(text, 'base64').toString())
}
