import { describe, expect, test } from 'bun:test'
import { hashIn, lookupNow, together, verdictOn } from '../../../core/checkout/lookup.ts'
import { anInvoice, aPayment } from '../../support/core/invoiceRows.ts'

const HASH = `0x${'aB'.repeat(32)}`

describe('the hash in what was pasted', () => {
  test('is found in links, in any case, and only when it is one', () => {
    expect<string | null>(hashIn(` ${HASH}\n`)).toBe(HASH.toLowerCase())
    expect<string | null>(hashIn(`https://x.example/tx/${HASH}#logs`)).toBe(HASH.toLowerCase())
    expect(hashIn(`${HASH} ${HASH}`)).not.toBeNull()
    const lower: string = HASH.toLowerCase()
    for (const form of [
      HASH.slice(2),
      `${HASH.slice(0, 20)}\r\n${HASH.slice(20)}`,
      `\u200b${HASH}`,
    ]) {
      expect<string | null>(hashIn(form)).toBe(lower)
    }
    expect(hashIn(`${HASH}\n0x${'1'.repeat(64)}`)).toBeNull()
    for (const text of ['', HASH.slice(0, -1), `${HASH}0`, `${HASH} 0x${'cd'.repeat(32)}`]) {
      expect(hashIn(text)).toBeNull()
    }
    expect(hashIn(HASH + ' '.repeat(500))).toBeNull()
  })
})

describe('the verdict', () => {
  const invoice = anInvoice({ chains: ['sepolia'] })

  test('on payments that are recorded follows from the best of them that stands', () => {
    const paid = aPayment(1n, { invoiceId: invoice.id, networkId: 'sepolia' })
    const wrongToken = { ...paid, kind: 'foreign' } as const
    const wrongNetwork = { ...wrongToken, networkId: 'base-sepolia' }
    expect(verdictOn([wrongToken, paid], [invoice])?.verdict).toBe('payment')
    expect(verdictOn([wrongToken], [invoice])?.verdict).toBe('other_token')
    const late = { ...paid, kind: 'late' } as const
    expect(verdictOn([wrongToken, late], [invoice])?.verdict).toBe('late')
    expect(verdictOn([late, paid], [invoice])?.verdict).toBe('payment')
    expect(verdictOn([wrongNetwork], [invoice])?.verdict).toBe('other_network')
    expect(verdictOn([{ ...paid, status: 'reverted' }], [invoice])).toBeNull()
  })

  test('gives way to what the ledger has learnt since', () => {
    const at = new Date('2026-06-01T12:00:00Z')
    const paid = aPayment(1n, { invoiceId: invoice.id, networkId: 'sepolia' })
    const before = { hash: paid.txHash, verdict: 'not_mined', networkId: 'sepolia', at } as const
    const now = (...payments: readonly (typeof paid)[]) =>
      lookupNow(before, { payments, invoices: [invoice] }).verdict
    expect(now()).toBe('not_mined')
    expect(now({ ...paid, txHash: `0x${'cd'.repeat(32)}` })).toBe('not_mined')
    expect(now(paid)).toBe('payment')
    expect(now({ ...paid, kind: 'late' })).toBe('late')
    expect(now({ ...paid, status: 'reverted' })).toBe('not_mined')
  })

  test('of several chains is the best that one verdict, and none while one is silent', () => {
    const on = (networkId: string, verdict: Parameters<typeof together>[0][number]['verdict']) => ({
      networkId,
      verdict,
    })
    expect(together([on('a', 'elsewhere'), on('b', 'payment')])).toEqual({
      verdict: 'payment',
      networkId: 'b',
    })
    expect(together([on('a', 'unknown'), on('b', 'silent')]).verdict).toBe('looking')
    expect(together([on('a', 'not_mined'), on('b', 'silent')]).verdict).toBe('not_mined')
    expect(together([on('a', 'unknown')])).toEqual({ verdict: 'unknown', networkId: null })
  })
})
