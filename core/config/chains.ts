import { type BaseUnits, formatAmount } from '../base/money.ts'
import type { Chain } from '../chain/registry.ts'
import { type PerToken, perToken, TOKENS } from '../chain/tokens.ts'
import { feeLimits } from './fees.ts'
import { chainGas } from './gas.ts'
import { type ProviderLimits, providerLimits } from './provider.ts'
import type { Reader } from './reader.ts'

/** The chains that a deployment works on, each with its settings. */

/** A chain that is switched on by an RPC URL, with this deployment's own settings. */
export interface ActiveChain extends Chain {
  readonly rpcUrls: readonly string[]
  readonly wsUrl: string | null
  /** What the providers behind the URLs allow. */
  readonly provider: ProviderLimits
  /** How long one RPC request may take, in ms; then the next URL is tried. */
  readonly rpcTimeoutMs: number
  /** Whether heads are polled several times per block, or about once. */
  readonly headPolling: 'fast' | 'paced'
  /** Whether requests to nodes are gathered, because their provider bills each. */
  readonly areCallsBilled: boolean
  readonly startBlock: number
  /** Confirmations a payment needs before its money is swept; at least `confirmations`. */
  readonly settlementConfirmations: number
  /** Confirmations after which an x402 payment is answered as settled. */
  readonly x402Confirmations: number
}

/** The variable suffix of a chain: `base-sepolia` becomes `BASE_SEPOLIA`. */
export function suffix(networkId: string): string {
  return networkId.toUpperCase().replaceAll('-', '_')
}

/** The chain with its settings, or nothing when no RPC URL switches it on. */
export function activeChain(reader: Reader, chain: Chain): ActiveChain[] {
  const id = suffix(chain.networkId)
  const rpcUrls = reader.list(`RPC_URL_${id}`)
  if (rpcUrls.length === 0) return []
  const confirmations = reader.integer(`CONFIRMATIONS_${id}`, chain.confirmations, 1, 1000)
  return [
    {
      ...chain,
      rpcUrls,
      wsUrl: reader.optional(`WS_URL_${id}`),
      provider: providerLimits(reader, id),
      rpcTimeoutMs: reader.integer('RPC_TIMEOUT_MS', 5_000, 100, 60_000),
      ...polling(reader, `HEAD_POLLING_${id}`, rpcUrls),
      gas: chainGas(reader, chain.gas, id),
      ...feeLimits(reader, chain, id),
      blockTimeMs: reader.integer(`BLOCK_TIME_MS_${id}`, chain.blockTimeMs, 100, 600_000),
      startBlock: reader.integer(`START_BLOCK_${id}`, 0, 0),
      confirmations,
      settlementConfirmations: reader.integer(
        `SETTLEMENT_CONFIRMATIONS_${id}`,
        confirmations,
        confirmations,
        1000,
      ),
      x402Confirmations: reader.integer(`X402_CONFIRMATIONS_${id}`, 1, 1, 1000),
      minX402Amount: reader.amount(
        `MIN_X402_USDC_${id}`,
        formatAmount(chain.minX402Amount, TOKENS.USDC.decimals),
        TOKENS.USDC.decimals,
      ),
      leastSigned: leastSigned(reader, chain, id),
      ...minimums(reader, chain, id),
    },
  ]
}

/** `off` on a chain, or for the deployment, offers no payment by signature. */
function leastSigned(reader: Reader, chain: Chain, id: string): BaseUnits | null {
  const { decimals } = TOKENS.USDC
  const usual = chain.leastSigned === null ? 'off' : formatAmount(chain.leastSigned, decimals)
  const name = `MIN_GASLESS_USDC_${id}`
  const isOff = reader.text(name, usual) === 'off' || !reader.onOrOff('GASLESS', true)
  return isOff ? null : reader.amount(name, usual, decimals)
}

/** By default an invoice's minimum is what can be swept. */
function minimums(reader: Reader, chain: Chain, id: string) {
  const read = (name: string, fallback: PerToken) =>
    perToken((symbol) => {
      const { decimals } = TOKENS[symbol]
      const usual = formatAmount(fallback[symbol], decimals)
      return reader.amount(`${name}_${symbol}_${id}`, usual, decimals)
    })
  const minSweep = read('MIN_SWEEP', chain.minSweep)
  return {
    minSweep,
    minInvoice: read('MIN_INVOICE', minSweep),
    minRefund: read('MIN_REFUND', chain.minRefund),
  }
}

/** Unless configured otherwise, only nodes on this machine are known to bill nothing. */
function polling(
  reader: Reader,
  name: string,
  rpcUrls: readonly string[],
): Pick<ActiveChain, 'headPolling' | 'areCallsBilled'> {
  const value = reader.optional(name)
  if (value === null) return { headPolling: 'paced', areCallsBilled: !rpcUrls.every(isLocal) }
  if (value === 'fast') return { headPolling: 'fast', areCallsBilled: false }
  if (value !== 'paced') reader.problem(`${name} must be fast or paced`)
  return { headPolling: 'paced', areCallsBilled: true }
}

function isLocal(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return ['127.0.0.1', 'localhost', '[::1]'].includes(host)
}
