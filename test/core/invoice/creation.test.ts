import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { parseConfig } from '../../../core/config/processes.ts'
import {
  draftInvoice,
  type InvoiceDraft,
  type InvoiceRequest,
  type InvoiceTerms,
  MAX_DAYS_AHEAD,
  MAX_EXTERNAL_REF_LENGTH,
  MAX_METADATA_BYTES,
  MAX_METADATA_KEYS,
  newInvoice,
  requestDifferences,
} from '../../../core/invoice/creation.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { anInvoice, NOW, RECIPIENT } from '../../support/core/invoiceRows.ts'

const DAY_MS = 86_400_000
const TERMS = terms()
const REQUEST: InvoiceRequest = { tokenSymbol: 'USDC', amountExpected: '25' }

function terms(variables: Record<string, string> = {}): InvoiceTerms {
  const parsed = parseConfig({
    DATABASE_URL: 'postgres://ledger',
    REDIS_URL: 'redis://mailboxes',
    HUB_ADDRESS: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
    FEE_COLLECTOR: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
    RPC_URL_SEPOLIA: 'http://127.0.0.1:8545',
    RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:8546',
    ...variables,
  })
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config
}

function decide(change: Partial<InvoiceRequest> = {}) {
  return draftInvoice({ ...REQUEST, ...change }, TERMS, NOW)
}

function draft(change: Partial<InvoiceRequest> = {}): InvoiceDraft {
  const decision = decide(change)
  if (!decision.ok) throw new Error(decision.code)
  return decision.draft
}

/** The code of a refusal and the fields that are wrong. */
function refusal(change: Partial<InvoiceRequest>): [string, string[]] | null {
  const decision = decide(change)
  return decision.ok ? null : [decision.code, decision.details.map(({ path }) => path)]
}

const wrongIn = (...fields: string[]) => ['invalid_request_body', fields] as [string, string[]]

describe('a request for an invoice', () => {
  test('becomes a draft in base units on all chains that have its token', () => {
    expect(draft()).toMatchObject({
      tokenSymbol: 'USDC',
      amountExpected: baseUnits(25_000_000n),
      externalRef: null,
      recipient: null,
      expiresAt: null,
      metadataJson: '{}',
    })
    expect(draft().chains.toSorted()).toEqual(['base-sepolia', 'sepolia'])
  })

  test('names chains in any order and gets them in one', () => {
    const one = draft({ chains: ['sepolia', 'base-sepolia', 'sepolia'] })
    expect(one.chains).toEqual(draft().chains)
    expect(draft({ chains: ['sepolia'] }).chains).toEqual(['sepolia'])
  })

  test('is refused for what no one can pay', () => {
    const noChains = { ...TERMS, chains: [] }
    expect(refusal({ chains: ['sepolia', 'base', 'mars'] })).toEqual([
      'unknown_chain',
      ['chains.1', 'chains.2'],
    ])
    expect(refusal({ tokenSymbol: 'DAI' })).toEqual(['no_supported_chains', ['tokenSymbol']])
    expect(refusal({ tokenSymbol: 'DAI', amountExpected: '0.0000001' })?.[0]).toBe(
      'no_supported_chains',
    )
    expect(refusal({ amountExpected: '0.0000001' })).toEqual(wrongIn('amountExpected'))
    const nowhere = draftInvoice({ ...REQUEST, amountExpected: '0.0000001' }, noChains, NOW)
    expect(nowhere).toMatchObject({ code: 'no_supported_chains' })
  })

  test('is told at most twenty chains that are wrong', () => {
    const chains = Array.from({ length: 21 }, () => 'mars')
    expect(refusal({ chains })?.[1]).toHaveLength(20)
  })

  test('names a recipient that can be paid', () => {
    expect(draft({ recipient: RECIPIENT }).recipient).toBe(RECIPIENT)
    expect(refusal({ recipient: 'me' })).toEqual(['invalid_recipient', ['recipient']])
    expect(refusal({ recipient: TERMS.hub })).toEqual(['invalid_recipient', ['recipient']])
  })

  test('has a reference of its own of 1 to 255 characters', () => {
    const bound = MAX_EXTERNAL_REF_LENGTH
    expect(draft({ externalRef: 'x' }).externalRef).toBe('x')
    expect(refusal({ externalRef: 'x'.repeat(bound) })).toBeNull()
    expect(refusal({ externalRef: '🧾'.repeat(bound) })).toBeNull()
    expect(refusal({ externalRef: '' })).toEqual(wrongIn('externalRef'))
    expect(refusal({ externalRef: 'x'.repeat(bound + 1) })).toEqual(wrongIn('externalRef'))
  })

  test('has metadata of at most 50 keys and 8,192 bytes', () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))
    const bytes = (length: number, letter: string) => ({
      k: letter.repeat((length - '{"k":""}'.length) / letter.length),
    })
    expect(refusal({ metadata: keys(MAX_METADATA_KEYS) })).toBeNull()
    expect(refusal({ metadata: keys(MAX_METADATA_KEYS + 1) })).toEqual(wrongIn('metadata'))
    const fits = bytes(MAX_METADATA_BYTES, 'x')
    expect(draft({ metadata: fits }).metadataJson).toBe(JSON.stringify(fits))
    expect(refusal({ metadata: bytes(MAX_METADATA_BYTES + 1, 'x') })).toEqual(wrongIn('metadata'))
    // Two letters of three bytes each more than fit.
    expect(refusal({ metadata: { k: '€'.repeat(2_730) } })).toEqual(wrongIn('metadata'))
  })
})

describe('the expiry of a request', () => {
  const inMs = (ms: number) => ({ expiresAt: new Date(NOW.getTime() + ms).toISOString() })

  test('is a moment ahead of now, by 366 days at most', () => {
    expect(draft(inMs(1)).expiresAt).toEqual(new Date(NOW.getTime() + 1))
    expect(refusal(inMs(MAX_DAYS_AHEAD * DAY_MS))).toBeNull()
    expect(refusal(inMs(MAX_DAYS_AHEAD * DAY_MS + 1))).toEqual(wrongIn('expiresAt'))
    const decision = decide({ expiresAt: 'tomorrow' })
    expect(decision.ok ? null : decision.details[0]?.message).toContain('ISO 8601')
  })

  test('that is past is forgiven to a repeat, if nothing else is wrong', () => {
    const decision = decide(inMs(0))
    expect(decision).toMatchObject({ ok: false, code: 'invalid_request_body' })
    expect(decision.ok ? null : decision.outdated?.expiresAt).toEqual(NOW)
    const both = decide({ ...inMs(0), externalRef: '' })
    expect(both.ok ? null : both.outdated).toBeUndefined()
  })
})

describe('a repeated request', () => {
  const given = { id: anInvoice().id, merchantId: anInvoice().merchantId, hub: TERMS.hub, now: NOW }
  const invoice = newInvoice(draft(), { ...given, reference: 'ABCDEFGH23' })
  const differences = (change: Partial<InvoiceRequest>, of: Invoice = invoice) =>
    requestDifferences(draft(change), of, true).map(({ path }) => path)

  test('is the same when all that it asks for is', () => {
    expect(differences({})).toEqual([])
    expect(differences({ chains: ['base-sepolia', 'sepolia'] })).toEqual([])
  })

  test('is another one when anything differs, which is named', () => {
    const inDollars = { ...invoice, chains: draft({ tokenSymbol: 'USDT' }).chains }
    expect(differences({ tokenSymbol: 'USDT' }, inDollars)).toEqual(['tokenSymbol'])
    expect(differences({ amountExpected: '25.000001' })).toEqual(['amountExpected'])
    expect(differences({ recipient: RECIPIENT })).toEqual(['recipient'])
    expect(differences({ expiresAt: '2026-07-01T00:00:00Z' })).toEqual(['expiresAt'])
    expect(differences({ chains: ['sepolia'] })).toEqual(['chains'])
    const elsewhere = { ...invoice, chains: ['base-sepolia'] }
    expect(differences({ chains: ['sepolia'] }, elsewhere)).toEqual(['chains'])
    expect(requestDifferences(draft(), invoice, false)).toEqual([
      { path: 'metadata', message: 'differs from that of the invoice with this externalRef' },
    ])
  })
})

describe('the least that chains ask for', () => {
  const node = 'http://127.0.0.1:1'
  const live = (more: Record<string, string> = {}) =>
    terms({ REMIT_ENV: 'live', RPC_URL_ETHEREUM: node, RPC_URL_BASE: node, ...more })
  const ask = (amountExpected: string, of: InvoiceTerms, chains: string[] = []) =>
    draftInvoice({ tokenSymbol: 'USDC', amountExpected, chains }, of, NOW)

  test('leaves out chains on which so little is not worth its gas', () => {
    expect(ask('10', live())).toMatchObject({ draft: { chains: ['ethereum', 'base'] } })
    expect(ask('9.999999', live())).toMatchObject({ draft: { chains: ['base'] } })
    const named = ask('5', live(), ['base', 'ethereum'])
    expect(named).toMatchObject({ ok: true, draft: { chains: ['base'] } })
  })

  test('refuses what is too little for all of them, and says how much each asks for', () => {
    const message = 'must be at least 0.1 on base, 10 on ethereum: less is not worth its gas'
    expect(ask('0.099999', live())).toMatchObject({
      ok: false,
      code: 'invalid_request_body',
      details: [{ path: 'amountExpected', message }],
    })
    expect(ask('9.99', live(), ['ethereum'])).toMatchObject({
      details: [{ message: 'must be at least 10 on ethereum: less is not worth its gas' }],
    })
  })

  test('still finds the invoice that was made while less was enough', () => {
    expect(ask('0.01', live(), ['base'])).toMatchObject({ outdated: { chains: ['base'] } })
  })

  test('is what can be swept, unless the operator says otherwise', () => {
    const dear = live({ MIN_SWEEP_USDC_BASE: '3' })
    expect(ask('2.999999', dear, ['base']).ok).toBe(false)
    expect(ask('3', dear, ['base']).ok).toBe(true)
    const both = live({ MIN_SWEEP_USDC_BASE: '3', MIN_INVOICE_USDC_BASE: '1' })
    expect(ask('1', both, ['base']).ok).toBe(true)
    expect(ask('0.000001', live({ MIN_SWEEP_USDC_BASE: '0' }), ['base']).ok).toBe(true)
  })

  test('is nothing on test chains', () => {
    expect(decide({ amountExpected: '0.000001' }).ok).toBe(true)
  })
})
