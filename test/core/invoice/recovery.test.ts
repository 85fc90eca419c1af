import { expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { checksumAddress } from '../../../core/chain/evm.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import { failureReason, presentRecovery, type Recovery } from '../../../core/invoice/recovery.ts'
import { anInvoice, NOW, RECIPIENT, TOKEN } from '../../support/core/invoiceRows.ts'

function recovery(change: Partial<Recovery> = {}): Recovery {
  return {
    invoiceId: anInvoice().id,
    invoiceRef: 'ABCDEFGH23',
    externalRef: null,
    networkId: 'sepolia',
    token: TOKEN,
    amount: baseUnits(1_500_000n),
    paymentId: null,
    sender: null,
    reason: 'blocked_recipient',
    error: null,
    expiresAt: null,
    hasOwnRecipient: false,
    since: NOW,
    ...change,
  }
}

const shown = (change: Partial<Recovery> = {}) =>
  presentRecovery(recovery(change), chainsOf('sandbox'))

test('a failed settlement is put down to the recipient when the token says so', () => {
  expect(failureReason('Blacklistable: account is blacklisted')).toBe('blocked_recipient')
  expect(failureReason('Address is FROZEN')).toBe('blocked_recipient')
  expect(failureReason('Pausable: paused')).toBe('settlement_failed')
  expect(failureReason(null)).toBe('settlement_failed')
})

test('another recipient is offered unless the deposit address commits to one', () => {
  expect(shown().actions).toEqual(['set_recipient', 'refund'])
  expect(shown({ hasOwnRecipient: true }).actions).toEqual(['refund'])
})

test('an amount is shown in the units of its token, where that is known', () => {
  expect(shown()).toMatchObject({ asset: 'USDC', amount: '1.5', baseUnits: '1500000' })
  expect(shown({ token: RECIPIENT })).toMatchObject({ asset: null, amount: null })
})

test('what is paid in part says until when the rest can come', () => {
  expect(shown()).toMatchObject({ expiresAt: null })
  expect(shown({ reason: 'partial', expiresAt: NOW })).toMatchObject({
    expiresAt: NOW.toISOString(),
    actions: ['wait', 'accept_partial', 'refund'],
  })
})

test('a sender is shown where there is one', () => {
  expect(shown().from).toBeNull()
  expect(shown({ sender: RECIPIENT }).from).toBe(checksumAddress(RECIPIENT))
})
