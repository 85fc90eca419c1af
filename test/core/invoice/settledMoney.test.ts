import { expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import { presentInvoice } from '../../../core/invoice/present.ts'
import { settledOf } from '../../../core/invoice/settledMoney.ts'
import type { Invoice, Settlement } from '../../../core/invoice/state.ts'
import { anInvoice, aSettlement, NOW, RECIPIENT } from '../../support/core/invoiceRows.ts'

const OTHER = lowerCaseAddress('0x00000000000000000000000000000000000000ef')

/** What the invoice says of its overpayment; 1 USDC was asked for. */
function shown(
  received: bigint,
  settlements: readonly Settlement[],
  change: Partial<Invoice> = {},
) {
  const invoice = anInvoice({ receivedAmount: baseUnits(received), ...change })
  const rows = {
    invoice,
    payments: [],
    settlements,
    refunds: [],
    externalRefunds: [],
    merchantRecipient: null,
  }
  return presentInvoice(rows, chainsOf('sandbox'), NOW).settledOverpayment
}

test('an overpayment that was settled says where it is', () => {
  const address = checksumAddress(RECIPIENT)
  expect(shown(1_300_000n, [aSettlement(1_300_000n, 5_000n)])).toEqual({
    amount: '0.3',
    addresses: [address],
    about: `0.3 USDC was settled to ${address}, refund it from your treasury.`,
  })
})

test('nothing is said of what still lies in the deposit, or went back out of it', () => {
  const swept = aSettlement(1_000_000n, 5_000n)
  const mined = aSettlement(1_300_000n, 5_000n)
  expect(shown(1_300_000n, [swept])).toBeNull()
  expect(shown(1_300_000n, [aSettlement(1_300_000n, 5_000n, { status: 'open' })])).toBeNull()
  expect(shown(1_000_000n, [swept])).toBeNull()
  expect(shown(1_500_000n, [mined])?.amount).toBe('0.3')
  const returnedAmount = baseUnits(400_000n)
  expect(shown(1_500_000n, [mined], { returnedAmount })?.amount).toBe('0.1')
})

test('every treasury is named once', () => {
  const sweep = (recipient = RECIPIENT) => aSettlement(1_000_000n, 0n, { recipient })
  expect(settledOf([sweep(), sweep(OTHER), sweep()])).toEqual({
    amount: baseUnits(3_000_000n),
    recipients: [RECIPIENT, OTHER],
  })
  expect(shown(2_000_000n, [sweep(), sweep(OTHER)])?.about).toBe(
    `1 USDC was settled to ${checksumAddress(RECIPIENT)} and ${checksumAddress(OTHER)}, refund it from your treasury.`,
  )
})
