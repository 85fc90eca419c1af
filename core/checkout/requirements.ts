import type { BaseUnits } from '../base/money.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import type { Chain } from '../chain/registry.ts'
import { amountToSign, isWorthGas, SIGNATURE_S, signableToken } from '../invoice/signature.ts'
import { deadline, type Invoice } from '../invoice/state.ts'
import { type TokenDomain, tokenDomain } from '../x402/digest.ts'
import type { SessionId } from './session.ts'
import { x402Url } from './url.ts'

/** What an invoice requires of x402 clients: the 402 responses of both versions. */

/** A chain on which an invoice can be paid by a signature (EIP-3009). */
export interface SignedOption<C extends Chain = Chain> {
  readonly chain: C
  readonly asset: Address
  readonly decimals: number
  readonly domain: TokenDomain
}

export function signedOptions<C extends Chain>(
  invoice: Pick<Invoice, 'chains' | 'tokenSymbol'>,
  chains: readonly C[],
): readonly SignedOption<C>[] {
  return chains.flatMap((chain) => {
    const token = signableToken(chain, invoice)
    const domain = token && tokenDomain(chain, token.address)
    if (token === null || domain === null) return []
    return [{ chain, asset: token.address, decimals: token.decimals, domain }]
  })
}

/** Those on which so much is worth its gas. */
export function optionsFor(invoice: Invoice, due: bigint, chains: readonly Chain[]) {
  return signedOptions(invoice, chains).filter(({ chain, decimals }) =>
    isWorthGas(chain, due, decimals),
  )
}

/** The URL at which an open invoice is paid by x402; null if nothing is due, or no chain of it takes signatures. */
export function x402UrlOf(
  invoice: Invoice,
  chains: readonly Chain[],
  {
    publicUrl,
    id,
    now,
  }: { readonly publicUrl: string; readonly id: SessionId; readonly now: Date },
): string | null {
  const due = amountToSign(invoice, 0n, now)
  const isPayable = due > 0n && optionsFor(invoice, due, chains).length > 0
  return isPayable ? x402Url(publicUrl, id) : null
}

/** What a payer needs to sign and Remit to execute it, and what clocks may differ by; in seconds. */
const LEAST_TIMEOUT_S = 15
const CLOCK_MARGIN_S = 10

/** How long a signature may be valid, in seconds; null if it couldn't be executed before the invoice's deadline. */
export function signingTimeout(invoice: Invoice, now: Date): number | null {
  const end = deadline(invoice)
  if (end === null) return SIGNATURE_S
  const left = Math.floor((end.getTime() - now.getTime()) / 1_000) - CLOCK_MARGIN_S
  return left < LEAST_TIMEOUT_S ? null : Math.min(left, SIGNATURE_S)
}

export interface Demand {
  readonly invoice: Pick<Invoice, 'depositAddress' | 'reference'>
  readonly options: readonly SignedOption[]
  /** In base units. */
  readonly due: BaseUnits
  readonly maxTimeoutSeconds: number
  readonly url: string
  readonly description: string
}

const JSON_TYPE = 'application/json'

/** One option, as version 2 has it. */
export function presentOption(
  { invoice, due, maxTimeoutSeconds }: Pick<Demand, 'invoice' | 'due' | 'maxTimeoutSeconds'>,
  { chain, asset, domain }: SignedOption,
) {
  return {
    scheme: 'exact',
    network: chain.caip2,
    amount: due.toString(),
    asset: checksumAddress(asset),
    payTo: checksumAddress(invoice.depositAddress),
    maxTimeoutSeconds,
    extra: { name: domain.name, version: domain.version, reference: invoice.reference },
  }
}

/** The response of version 2, which clients read in the header PAYMENT-REQUIRED. */
export function presentDemand(demand: Demand, error: string) {
  const { url, description, options } = demand
  return {
    x402Version: 2,
    error,
    resource: { url, description, mimeType: JSON_TYPE },
    accepts: options.map((option) => presentOption(demand, option)),
  }
}

/** The chains that clients of version 1 know by name. They reject a response that names another. */
const V1_NETWORKS: ReadonlySet<string> = new Set([
  ...['base', 'base-sepolia', 'polygon', 'polygon-amoy', 'avalanche', 'avalanche-fuji'],
])

/** The body: version 1, with the fields of version 2 in each option; version 2 if version 1 names no chain of it. */
export function presentDemandBody(demand: Demand, error: string) {
  const v2 = presentDemand(demand, error)
  const { url: resource, description } = demand
  const accepts = demand.options
    .filter(({ chain }) => V1_NETWORKS.has(chain.networkId))
    .map((option) => {
      const required = presentOption(demand, option)
      const { amount: maxAmountRequired } = required
      const asV1 = { network: option.chain.networkId, maxAmountRequired, resource, description }
      return { ...required, ...asV1, mimeType: JSON_TYPE }
    })
  return accepts.length === 0 ? v2 : { ...v2, x402Version: 1, accepts }
}
