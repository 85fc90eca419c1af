import { descriptionProblems, isTooLong, URL_TOO_LONG } from '../base/description.ts'
import { type ErrorDetail, invalid, type Refusal, refuse } from '../base/errors.ts'
import type { EndpointId, MerchantId } from '../base/ids.ts'
import {
  type BaseUnits,
  formatAmount,
  type ParsedAmount,
  parseAmount,
  type TokenDecimals,
} from '../base/money.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import { type Chain, chainNamed, findNetwork, tokenOn } from '../chain/registry.ts'
import { isTokenSymbol, TOKENS, type TokenOnChain, type TokenSymbol } from '../chain/tokens.ts'
import type { ActiveChain } from '../config/chains.ts'
import { tokenDomain } from './digest.ts'
import { isObject } from './fields.ts'
import { isMetadata, isSameMetadata, type Metadata, metadataProblems, toolOf } from './metadata.ts'
import { formatPrice } from './presentPayment.ts'
import { presentRequirements, type RequirementsJson } from './requirements.ts'
import { patternProblem } from './routePattern.ts'
import { endpointUrlKey } from './url.ts'

/** Endpoints: what a merchant charges for a URL. */

export interface X402Endpoint {
  readonly id: EndpointId
  readonly merchantId: MerchantId
  /** As it was registered, and in the form in which prices are compared: priceKeyOf. */
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
  /** Listed publicly by /v1/x402/discovery. */
  readonly discoverable: boolean
  /** What is shown of it there, besides price and description; null for nothing. */
  readonly discovery: Metadata | null
  /** The merchant's forwarder. */
  readonly payTo: Address
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A merchant's request, with the types checked and nothing else. */
export interface EndpointRequest {
  readonly endpointUrl: string
  readonly description?: string
  readonly asset: string
  readonly network: string
  readonly amountUsd?: number | string | undefined
  /** In base units. */
  readonly amount?: string | undefined
  readonly ownTransaction?: boolean
  readonly acceptsWallets?: boolean
  readonly discoverable?: boolean
  readonly discovery?: object
}

/** A request as the ledger stores it. */
export interface EndpointDraft
  extends Pick<X402Endpoint, 'url' | 'urlKey' | 'networkId' | 'tokenSymbol' | 'asset' | 'amount'> {
  /** Null when the request doesn't have it. */
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
  const price = parsePrice(request, asset, chain)
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
    const payable = chain.tokens.flatMap(({ symbol, eip712 }) => (eip712 ? [`"${symbol}"`] : []))
    const message = `must be a token that takes signed authorizations on ${chain.name}: ${payable.join(', ')}`
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
 * A price as base units: given as such, or in dollars, of which a dollar token is worth one
 * each. More decimals than the token has are refused, never rounded, and so is less than is worth settling on
 * the chain, where the chain is known.
 */
export function parsePrice(
  { amountUsd, amount }: Pick<EndpointRequest, 'amountUsd' | 'amount'>,
  asset: string,
  chain: Pick<ActiveChain, 'name' | 'minX402Amount'> | undefined,
): ParsedPrice {
  const { decimals, currency } = isTokenSymbol(asset) ? TOKENS[asset] : TOKENS.USDC
  const path = amount === undefined ? 'amountUsd' : 'amount'
  if (amount !== undefined && amountUsd !== undefined) {
    return wrong('amount', 'must be left out where amountUsd is given')
  }
  if (amount === undefined && amountUsd === undefined) return wrong('amountUsd', 'is required')
  if (amountUsd !== undefined && currency !== 'USD') {
    const message = `must be left out: ${asset} is in ${currency}. Give the price as amount, in base units`
    return wrong('amountUsd', message)
  }
  const parsed =
    amount === undefined ? parseAmount(amountUsd ?? '', decimals) : parseUnits(amount, decimals)
  if (!parsed.ok) return wrong(path, parsed.message)
  if (chain === undefined || parsed.amount >= chain.minX402Amount) return parsed
  const { minX402Amount: least } = chain
  const shown = amount === undefined ? formatAmount(least, decimals) : least
  return wrong(path, `must be at least ${shown} on ${chain.name}`)
}

/** Reads base units as strictly as amounts: digits alone, more than zero, and no more than the maximum. */
function parseUnits(text: string, decimals: TokenDecimals): ParsedAmount {
  const digits = /^[1-9][0-9]{0,77}$/.test(text) ? BigInt(text) : 0n
  if (digits === 0n) return invalid('must be digits, in base units of the token, e.g. "10000"')
  return parseAmount(formatAmount(digits, decimals), decimals)
}

/** The fields in which a repeated request differs from what is registered. */
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
 * The endpoint object. `chains` are all chains of the environment; `active` are those of this deployment, with
 * the tokens that are offered. An endpoint that can't be paid has no payment requirements.
 */
export function presentEndpoint(
  endpoint: X402Endpoint,
  chains: readonly Chain[],
  active: readonly ActiveChain[],
) {
  const chain = chainNamed(endpoint.networkId, chains)
  const { currency, decimals } = TOKENS[endpoint.tokenSymbol]
  const payable = payableOn(endpoint, active)
  return {
    id: endpoint.id,
    merchantId: endpoint.merchantId,
    endpointUrl: endpoint.url,
    description: endpoint.description,
    network: chain.caip2,
    networkId: chain.networkId,
    asset: endpoint.tokenSymbol,
    assetAddress: checksumAddress(endpoint.asset),
    amountUsd: currency === 'USD' ? formatPrice(endpoint.amount, decimals) : null,
    amount: endpoint.amount.toString(),
    payTo: checksumAddress(endpoint.payTo),
    active: endpoint.active,
    ownTransaction: endpoint.ownTransaction,
    acceptsWallets: endpoint.acceptsWallets,
    discoverable: endpoint.discoverable,
    discovery: endpoint.discovery,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
    payment_requirements: payable && presentRequirements(endpoint, endpoint.payTo, payable),
  }
}

/**
 * The chain on which verify and settle would take the price: it is in service, enough there, and in a token
 * that is offered and whose domain is known. Null when there is none.
 */
function payableOn(
  { active, networkId, amount, asset }: X402Endpoint,
  chains: readonly ActiveChain[],
): ActiveChain | null {
  const chain = chains.find((one) => one.networkId === networkId)
  if (!active || chain === undefined || amount < chain.minX402Amount) return null
  return tokenDomain(chain, asset) === null ? null : chain
}

/** Whether verify and settle would take the price. */
export function isPayable(endpoint: X402Endpoint, chains: readonly ActiveChain[]): boolean {
  return payableOn(endpoint, chains) !== null
}

/** The payment requirements of those endpoints that can be paid. */
export function requirementsOf(
  endpoints: readonly X402Endpoint[],
  chains: readonly ActiveChain[],
): RequirementsJson[] {
  return endpoints.flatMap((endpoint) => {
    const chain = payableOn(endpoint, chains)
    return chain === null ? [] : [presentRequirements(endpoint, endpoint.payTo, chain)]
  })
}

/**
 * The key under which a price is unique: that of its URL, which has no #, and behind one the name of the tool of an
 * MCP server, if it is the price of one.
 */
export function priceKeyOf(urlKey: string, discovery: Metadata | null): string {
  const tool = toolOf(discovery)
  return tool === null ? urlKey : `${urlKey}#${encodeURIComponent(tool)}`
}

/** What is wrong with what a merchant wants to be shown. */
export function discoveryProblems(discovery: object | undefined): ErrorDetail[] {
  const problems = isObject(discovery) ? metadataProblems(discovery) : []
  return problems.map(({ path, message }) => ({ path: `discovery.${path}`, message }))
}

/** The same as it is stored; null when it was left out or refused. */
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

/** EIP-3009 tokens are those whose EIP-712 domain is known. */
function payableToken(chain: Chain, symbol: string): TokenOnChain | undefined {
  const token = isTokenSymbol(symbol) ? tokenOn(chain, symbol) : undefined
  return token?.eip712 === undefined ? undefined : token
}

function wrong(path: string, message: string): { ok: false; details: readonly ErrorDetail[] } {
  return { ok: false, details: [{ path, message }] }
}
