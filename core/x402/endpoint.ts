import { type Address, checksumAddress } from '../chain/evm.ts'
import {
  type Chain,
  chainNamed,
  findNetwork,
  isTokenSymbol,
  TOKENS,
  type TokenOnChain,
  type TokenSymbol,
  tokenOn,
} from '../chain/registry.ts'
import type { ActiveChain } from '../config/chains.ts'
import { descriptionProblems, isTooLong, URL_TOO_LONG } from '../endpoint.ts'
import { type ErrorDetail, type Refusal, refuse } from '../errors.ts'
import type { EndpointId, MerchantId } from '../ids.ts'
import { type BaseUnits, formatAmount, parseAmount } from '../money.ts'
import { isObject } from './fields.ts'
import { isMetadata, isSameMetadata, type Metadata, metadataProblems } from './metadata.ts'
import { formatPrice } from './present.ts'
import { presentRequirements } from './requirements.ts'
import { patternProblem } from './routePattern.ts'
import { endpointUrlKey } from './url.ts'

/** Endpoints: what a merchant charges for a URL. Specification section 4.2. */

export interface X402Endpoint {
  readonly id: EndpointId
  readonly merchantId: MerchantId
  /** As it was registered, and in the form in which URLs are compared. */
  readonly url: string
  readonly urlKey: string
  readonly networkId: string
  readonly tokenSymbol: TokenSymbol
  readonly asset: Address
  readonly amount: BaseUnits
  readonly description: string
  /** Each payment has a transaction of its own. */
  readonly ownTransaction: boolean
  /** Payers may have code: contract wallets, accounts that delegated by EIP-7702. */
  readonly acceptsWallets: boolean
  readonly active: boolean
  /** Anybody may find it by /v1/x402/discovery. */
  readonly discoverable: boolean
  /** What is shown of it there, besides price and description; null for nothing. */
  readonly discovery: Metadata | null
  /** The merchant's forwarder. */
  readonly payTo: Address
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a merchant asks for, with the types checked and nothing else. */
export interface EndpointRequest {
  readonly endpointUrl: string
  readonly description?: string
  readonly asset: string
  readonly network: string
  readonly amountUsd: number | string
  readonly ownTransaction?: boolean
  readonly acceptsWallets?: boolean
  readonly discoverable?: boolean
  readonly discovery?: object
}

/** A request as the ledger stores it. */
export interface EndpointDraft
  extends Pick<X402Endpoint, 'url' | 'urlKey' | 'networkId' | 'tokenSymbol' | 'asset' | 'amount'> {
  /** Null when the request doesn't say. */
  readonly description: string | null
  readonly ownTransaction: boolean | null
  readonly acceptsWallets: boolean | null
  readonly discoverable: boolean | null
  readonly discovery: Metadata | null
}

export type EndpointDecision = { readonly ok: true; readonly draft: EndpointDraft } | Refusal

export type ParsedPrice =
  | { readonly ok: true; readonly amount: BaseUnits }
  | { readonly ok: false; readonly details: readonly ErrorDetail[] }

/** Decides whether an endpoint can be made of a request, and if not, what to change. */
export function draftEndpoint(
  request: EndpointRequest,
  chains: readonly ActiveChain[],
): EndpointDecision {
  const { asset, network, description } = request
  const chain = findNetwork(chains, network)
  const url = parseUrl(request.endpointUrl)
  const price = parsePrice(request.amountUsd, chain)
  const details = [
    ...(url.ok ? [] : url.details),
    ...descriptionProblems(description),
    ...(price.ok ? [] : price.details),
    ...discoveryProblems(request.discovery),
  ]
  if (!url.ok || !price.ok || details.length > 0) {
    return refuse('invalid_request_body', details)
  }
  if (chain === undefined) {
    const message = `must be one of ${chains.map(({ caip2 }) => caip2).join(', ')}`
    return refuse('unknown_chain', [{ path: 'network', message }])
  }
  const token = payableToken(chain, asset)
  if (token === undefined) {
    const message = `must be a token that takes signed authorizations on ${chain.name}: "USDC"`
    return refuse('no_supported_chains', [{ path: 'asset', message }])
  }
  const draft: EndpointDraft = {
    url: request.endpointUrl,
    urlKey: url.key,
    networkId: chain.networkId,
    tokenSymbol: token.symbol,
    asset: token.address,
    amount: price.amount,
    description: description ?? null,
    ownTransaction: request.ownTransaction ?? null,
    acceptsWallets: request.acceptsWallets ?? null,
    discoverable: request.discoverable ?? null,
    discovery: readDiscovery(request.discovery),
  }
  return { ok: true, draft }
}

/**
 * A price in dollars as base units; a dollar is one USDC. More decimals than that has are refused,
 * never rounded, and so is less than is worth settling on the chain, where the chain is known.
 */
export function parsePrice(
  amountUsd: number | string,
  chain: Pick<ActiveChain, 'name' | 'minX402Amount'> | undefined,
): ParsedPrice {
  const parsed = parseAmount(amountUsd, TOKENS.USDC.decimals)
  if (!parsed.ok) return wrong('amountUsd', parsed.message)
  if (chain === undefined || parsed.amount >= chain.minX402Amount) return parsed
  const least = formatAmount(chain.minX402Amount, TOKENS.USDC.decimals)
  return wrong('amountUsd', `must be at least ${least} on ${chain.name}`)
}

/** The fields in which a repeated request asks for something else than what is registered. */
export function differences(draft: EndpointDraft, endpoint: X402Endpoint): ErrorDetail[] {
  const { description } = draft
  const details: ErrorDetail[] = []
  if (description !== null && description !== endpoint.description) {
    const message = `is another one at endpoint ${endpoint.id}: change it there, by PATCH`
    details.push({ path: 'description', message })
  }
  if (draft.discovery !== null && !isSameMetadata(draft.discovery, endpoint.discovery)) {
    const message = `is another one at endpoint ${endpoint.id}: change it there, by PATCH`
    details.push({ path: 'discovery', message })
  }
  for (const path of ['ownTransaction', 'acceptsWallets', 'discoverable'] as const) {
    if (draft[path] === null || draft[path] === endpoint[path]) continue
    const message = `is ${endpoint[path]} at endpoint ${endpoint.id}: change it there, by PATCH`
    details.push({ path, message })
  }
  return details
}

export type EndpointJson = ReturnType<typeof presentEndpoint>

/**
 * The endpoint object. `chains` are all chains of the environment; `active` are those of this
 * deployment. An endpoint that can't be paid has no payment requirements.
 */
export function presentEndpoint(
  endpoint: X402Endpoint,
  chains: readonly Chain[],
  active: readonly PayableOn[],
) {
  const chain = chainNamed(endpoint.networkId, chains)
  return {
    id: endpoint.id,
    merchantId: endpoint.merchantId,
    endpointUrl: endpoint.url,
    description: endpoint.description,
    network: chain.caip2,
    networkId: chain.networkId,
    asset: endpoint.tokenSymbol,
    assetAddress: checksumAddress(endpoint.asset),
    amountUsd: formatPrice(endpoint.amount, TOKENS.USDC.decimals),
    amount: endpoint.amount.toString(),
    payTo: checksumAddress(endpoint.payTo),
    active: endpoint.active,
    ownTransaction: endpoint.ownTransaction,
    acceptsWallets: endpoint.acceptsWallets,
    discoverable: endpoint.discoverable,
    discovery: endpoint.discovery,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
    payment_requirements: isPayable(endpoint, active) ? requirementsOf(endpoint, chains) : null,
  }
}

type PayableOn = Pick<ActiveChain, 'networkId' | 'minX402Amount'>

/** Whether verify and settle would take the price: in service, on one of our chains, and enough there. */
export function isPayable(
  { active, networkId, amount }: X402Endpoint,
  chains: readonly PayableOn[],
): boolean {
  const chain = chains.find((one) => one.networkId === networkId)
  return active && chain !== undefined && amount >= chain.minX402Amount
}

/** The payment requirements of an endpoint: specification section 2.4. */
export function requirementsOf(endpoint: X402Endpoint, chains: readonly Chain[]) {
  return presentRequirements(endpoint, endpoint.payTo, chainNamed(endpoint.networkId, chains))
}

/** What is wrong with what a merchant wants to be shown. */
export function discoveryProblems(discovery: object | undefined): ErrorDetail[] {
  const problems = isObject(discovery) ? metadataProblems(discovery) : []
  return problems.map(({ path, message }) => ({ path: `discovery.${path}`, message }))
}

/** The same as it is stored; null when nothing was said, or it was refused. */
export function readDiscovery(discovery: object | undefined): Metadata | null {
  return isObject(discovery) && isMetadata(discovery) ? discovery : null
}

type ParsedUrl =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly details: readonly ErrorDetail[] }

function parseUrl(text: string): ParsedUrl {
  const url = endpointUrlKey(text)
  if (!url.ok) return wrong('endpointUrl', url.message)
  if (isTooLong(text, url.key)) return wrong('endpointUrl', URL_TOO_LONG)
  const problem = patternProblem(url.key)
  return problem === null ? url : wrong('endpointUrl', problem)
}

/** EIP-3009 tokens are those whose EIP-712 domain the registry knows. */
function payableToken(chain: Chain, symbol: string): TokenOnChain | undefined {
  const token = isTokenSymbol(symbol) ? tokenOn(chain, symbol) : undefined
  return token?.eip712 === undefined ? undefined : token
}

function wrong(path: string, message: string): { ok: false; details: readonly ErrorDetail[] } {
  return { ok: false, details: [{ path, message }] }
}
