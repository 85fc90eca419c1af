import { describe, expect, test } from 'bun:test'
import { MAX_DESCRIPTION_LENGTH, MAX_URL_LENGTH } from '../../../core/base/description.ts'
import { asEndpointId, asMerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import type { ActiveChain } from '../../../core/config/chains.ts'
import { parseConfig } from '../../../core/config/processes.ts'
import {
  differences,
  draftEndpoint,
  type EndpointDecision,
  type EndpointDraft,
  type EndpointRequest,
  parsePrice,
  presentEndpoint,
  requirementsOf,
  type X402Endpoint,
} from '../../../core/x402/endpoint.ts'
import { RECIPIENT } from '../../support/core/invoiceRows.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const CHAINS = chainsUnder({ RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:8545' })
const BOTH = chainsUnder({
  RPC_URL_SEPOLIA: 'http://127.0.0.1:8545',
  RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:8546',
})

function chainsUnder(urls: Record<string, string>): readonly ActiveChain[] {
  const parsed = parseConfig({
    DATABASE_URL: 'postgres://ledger',
    REDIS_URL: 'redis://mailboxes',
    HUB_ADDRESS: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
    FEE_COLLECTOR: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
    ...urls,
  })
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config.chains
}

const REQUEST: EndpointRequest = {
  endpointUrl: 'https://shop.example/report',
  asset: 'USDC',
  network: 'eip155:84532',
  amountUsd: '0.10',
}

function decide(change: Partial<EndpointRequest> = {}, chains = CHAINS): EndpointDecision {
  return draftEndpoint({ ...REQUEST, ...change }, chains)
}

/** The code of a refusal and the fields that are wrong. */
function refusal(change: Partial<EndpointRequest>): [string, string[]] | null {
  const decision = decide(change)
  return decision.ok ? null : [decision.code, decision.details.map(({ path }) => path)]
}

function draft(change: Partial<EndpointRequest> = {}): EndpointDraft {
  const decision = decide(change)
  if (!decision.ok) throw new Error(decision.code)
  return decision.draft
}

function endpoint(change: Partial<X402Endpoint> = {}): X402Endpoint {
  return {
    ...draft(),
    id: asEndpointId('019a0000-0000-7000-8000-000000000001'),
    merchantId: asMerchantId('019a0000-0000-7000-8000-000000000002'),
    description: 'a report',
    ownTransaction: false,
    acceptsWallets: true,
    active: true,
    discoverable: false,
    discovery: null,
    payTo: RECIPIENT,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  }
}

describe('a request for an endpoint', () => {
  test('becomes a draft in base units on the chain it names', () => {
    expect(draft({ description: 'a report', ownTransaction: true })).toMatchObject({
      url: REQUEST.endpointUrl,
      networkId: 'base-sepolia',
      tokenSymbol: 'USDC',
      amount: baseUnits(100_000n),
      description: 'a report',
      ownTransaction: true,
    })
    expect(draft()).toMatchObject({ description: null, ownTransaction: null })
  })

  test('is refused with every field that is wrong', () => {
    const description = 'x'.repeat(MAX_DESCRIPTION_LENGTH + 1)
    expect(refusal({ endpointUrl: 'no url', description, amountUsd: '-1' })).toEqual([
      'invalid_request_body',
      ['endpointUrl', 'description', 'amountUsd'],
    ])
    expect(refusal({ description })).toEqual(['invalid_request_body', ['description']])
    expect(refusal({ description: 'x'.repeat(MAX_DESCRIPTION_LENGTH) })).toBeNull()
    const discovery = { tags: ['<script>'], other: 1 }
    expect(refusal({ discovery })?.[1]).toEqual(['discovery.tags', 'discovery.other'])
  })

  test('has a pattern of few wildcards, and not a long one', () => {
    const url = (path: string) => `https://shop.example/${path}`
    expect(refusal({ endpointUrl: url(':a/'.repeat(8)) })).toBeNull()
    expect(refusal({ endpointUrl: url('*/'.repeat(9)) })?.[1]).toEqual(['endpointUrl'])
    expect(refusal({ endpointUrl: url(`*/${'x'.repeat(256)}`) })?.[1]).toEqual(['endpointUrl'])
  })

  test('is refused for a chain or a token that cannot be paid with', () => {
    expect(refusal({ network: 'eip155:1' })).toEqual(['unknown_chain', ['network']])
    expect(refusal({ asset: 'USDT' })).toEqual(['no_supported_chains', ['asset']])
    expect(refusal({ asset: 'DAI' })).toEqual(['no_supported_chains', ['asset']])
  })

  test('has a URL of at most the bound, as it is written and as it is compared', () => {
    const url = (length: number) => 'https://shop.example/'.padEnd(length, 'a')
    expect(refusal({ endpointUrl: url(MAX_URL_LENGTH) })).toBeNull()
    expect(refusal({ endpointUrl: url(MAX_URL_LENGTH + 1) })?.[1]).toEqual(['endpointUrl'])
    const umlauts = `https://shop.example/${'ä'.repeat(400)}`
    expect(refusal({ endpointUrl: umlauts })?.[1]).toEqual(['endpointUrl'])
  })
})

test('a price is at least what is worth settling on its chain', () => {
  const chain = { name: 'Base Sepolia', minX402Amount: baseUnits(1_000n) }
  const dollars = (amountUsd: string, on?: typeof chain) => parsePrice({ amountUsd }, 'USDC', on)
  expect(dollars('0.001', chain)).toEqual({ ok: true, amount: baseUnits(1_000n) })
  expect(dollars('0.000999', chain)).toMatchObject({ ok: false })
  expect(dollars('0.000999')).toEqual({ ok: true, amount: baseUnits(999n) })
  expect(dollars('0.0000001')).toMatchObject({ ok: false })
  const units = parsePrice({ amount: '999' }, 'USDC', chain)
  const message = 'must be at least 1000 on Base Sepolia'
  expect(units).toEqual({ ok: false, details: [{ path: 'amount', message }] })
})

describe('a price is given in dollars or in base units', () => {
  const price = (asked: Parameters<typeof parsePrice>[0], asset: string) =>
    parsePrice(asked, asset, undefined)
  const paths = (parsed: ReturnType<typeof price>) =>
    parsed.ok ? [] : parsed.details.map(({ path }) => path)

  test('in base units of whatever token', () => {
    const taken = { ok: true as const, amount: baseUnits(10_000n) }
    for (const asset of ['USDC', 'EURC']) expect(price({ amount: '10000' }, asset)).toEqual(taken)
  })

  test('never in dollars for a token that stands for another currency', () => {
    const refused = price({ amountUsd: '0.01' }, 'EURC')
    expect(paths(refused)).toEqual(['amountUsd'])
    expect(JSON.stringify(refused)).toContain('EURC is in EUR')
  })

  test('by one of both, and not by none', () => {
    expect(paths(price({}, 'USDC'))).toEqual(['amountUsd'])
    expect(paths(price({ amountUsd: '0.01', amount: '10000' }, 'USDC'))).toEqual(['amount'])
  })

  test.each(['', '0', '-1', '1.5', '01', '1e4', '0x10', '9'.repeat(80), '9'.repeat(30)])(
    'base units are digits: %p',
    (amount) => {
      expect(paths(price({ amount }, 'EURC'))).toEqual(['amount'])
    },
  )
})

describe('a repeated request', () => {
  test('differs only in what it says and says otherwise', () => {
    const stored = endpoint()
    const paths = (change: Partial<EndpointRequest>) =>
      differences(draft(change), stored).map(({ path }) => path)
    expect(paths({})).toEqual([])
    expect(paths({ description: 'a report', ownTransaction: false })).toEqual([])
    expect(paths({ description: 'another' })).toEqual(['description'])
    expect(paths({ ownTransaction: true })).toEqual(['ownTransaction'])
    expect(paths({ acceptsWallets: true })).toEqual([])
    expect(paths({ acceptsWallets: false })).toEqual(['acceptsWallets'])
    expect(paths({ discoverable: true, discovery: { tags: [] } })).toEqual([
      'discovery',
      'discoverable',
    ])
    const listed = endpoint({ discovery: { tags: ['a'], serviceName: 'Shop' } })
    const same = draft({ discovery: { serviceName: 'Shop', tags: ['a'] } })
    expect(differences(same, listed)).toEqual([])
  })
})

describe('an endpoint', () => {
  const registry = chainsOf('sandbox')

  test('has payment requirements while it is active and its chain is', () => {
    const requirements = (change: Partial<X402Endpoint>, active = CHAINS) =>
      presentEndpoint(endpoint(change), registry, active).payment_requirements
    expect(requirements({})).toEqual(requirementsOf([endpoint()], CHAINS)[0] ?? null)
    expect(requirements({}, BOTH)).not.toBeNull()
    expect(requirements({ active: false })).toBeNull()
    expect(requirements({}, [])).toBeNull()
    expect(requirements({ networkId: 'sepolia' })).toBeNull()
  })

  test('is shown with the chain that it is on', () => {
    const shown = presentEndpoint(endpoint(), registry, CHAINS)
    expect(shown).toMatchObject({ network: 'eip155:84532', amount: '100000', asset: 'USDC' })
    expect(() => presentEndpoint(endpoint({ networkId: 'base' }), registry, CHAINS)).toThrow('base')
  })
})
