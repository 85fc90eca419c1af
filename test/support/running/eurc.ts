import { beforeAll, describe, expect, test } from 'bun:test'
import { createInvoice, type DevStack, eventually, getInvoice, remit } from '../servers/devStack.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { running } from './stack.ts'

/** An invoice in euros on the whole stack, whose hub lists EURC: offered, found, counted, swept, and accounted for. */

let stack: DevStack
let payer: Payer

export function invoicesInEuros(): void {
  describe('an invoice in euros', () => {
    beforeAll(async () => {
      stack = running()
      payer = await openPayer(stack.description, 'base-sepolia')
    }, 180_000)

    test('is paid one to one in EURC, and reaches the merchant less the fee', async () => {
      await eventually(
        async () => (await fetch(`${stack.description.apiUrl}/v1/utils/tokens`)).text(),
        (text) => text.includes('EURC'),
      )
      const asked = { tokenSymbol: 'EURC', amountExpected: '25', currency: 'EUR' }
      const invoice = await createInvoice(stack, asked)
      expect(invoice.addresses.map(({ networkId }) => networkId)).toEqual(['base-sepolia'])
      const recipient = invoice.recipient?.address ?? ''
      const deposit = invoice.addresses[0]?.address ?? ''
      const before = await payer.balance(recipient, 'EURC')
      // Dollars don't count, regardless of what they are worth.
      await payer.mined(await payer.send(deposit, '3', 'USDC'))
      const hash = await payer.send(deposit, '25', 'EURC')
      const done = await eventually(
        () => getInvoice(stack, invoice.id),
        ({ status }) => status === 'completed',
      )
      expect(done).toMatchObject({
        ...{
          receivedAmount: '25',
          overpaidAmount: '0',
          platformFee: '0.125',
          amountRemitted: '24.875',
        },
        fiat: { currency: 'EUR', amount: '25', rate: '1' },
        transactions: [{ txHash: hash, type: 'payment', asset: 'EURC', amount: '25' }],
        otherDeposits: [{ asset: 'USDC', amount: '3' }],
      })
      expect((await payer.balance(recipient, 'EURC')) - before).toBe(24_875_000n)
      expect(await payer.balance(deposit, 'EURC')).toBe(0n)
      const { code, out } = await remit(stack, 'reconcile', '--json')
      expect([code, JSON.parse(out).differences]).toEqual([0, []])
    }, 180_000)
  })
}
