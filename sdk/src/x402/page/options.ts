/** The prices of a server that are payable in a browser, with their labels. */

/** A price in a 402 response: ours and that of the stock packages. */
export interface Requirement {
  readonly scheme: string
  /** CAIP-2. */
  readonly network: string
  /** In base units. */
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

/** A price that a wallet can sign by EIP-3009. */
export interface PageOption {
  /** Sent back to the server unchanged. */
  readonly accepted: Requirement
  readonly chainId: number
  readonly networkName: string
  readonly decimals: number
  readonly symbol: string
  /** The amount due, in major units. */
  readonly amount: string
  /** The token's EIP-712 domain. */
  readonly name: string
  readonly version: string
}

/** The names of networks in wallets. */
const NETWORKS: Readonly<Record<number, string>> = {
  1: 'Ethereum',
  137: 'Polygon',
  8453: 'Base',
  42161: 'Arbitrum One',
  43113: 'Avalanche Fuji',
  43114: 'Avalanche',
  80002: 'Polygon Amoy',
  84532: 'Base Sepolia',
  421614: 'Arbitrum Sepolia',
  11155111: 'Sepolia',
}

/** All common tokens with EIP-3009 have six; the page reads the token's decimals before anything is signed. */
const DECIMALS = 6

/** The prices that a browser's wallet can sign: `exact`, by EIP-3009, on EVM chains. */
export function optionsIn(accepts: readonly Requirement[]): readonly PageOption[] {
  return accepts.flatMap((accepted) => {
    const { scheme, network, amount, extra = {} } = accepted
    const { name, version, assetTransferMethod = 'eip3009' } = extra
    const chainId = Number(/^eip155:([1-9]\d{0,15})$/.exec(network)?.[1])
    const isExact = scheme === 'exact' && assetTransferMethod === 'eip3009'
    if (!isExact || !chainId || !/^\d{1,78}$/.test(amount)) return []
    if (typeof name !== 'string' || typeof version !== 'string') return []
    const networkName = NETWORKS[chainId] ?? `network ${chainId}`
    // Circle's name of the token on most chains; its usual name is the symbol.
    const symbol = name === 'USD Coin' ? 'USDC' : name
    const shown = { amount: decimalOf(amount, DECIMALS), decimals: DECIMALS, symbol }
    return [{ accepted, chainId, networkName, name, version, ...shown }]
  })
}

/** Base units in major units, with at least two decimals: 10000 is 0.01. */
export function decimalOf(baseUnits: string, decimals: number): string {
  const digits = baseUnits.replace(/^0+/, '').padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${digits.slice(0, -decimals)}.${fraction.padEnd(2, '0')}`
}
