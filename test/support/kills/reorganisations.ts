import { beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { running } from '../running/stack.ts'
import {
  createInvoice,
  type DevStack,
  eventually,
  expectReconciled,
  getInvoice,
} from '../servers/devStack.ts'
import { hex, openPayer, type Payer } from '../x402/payer.ts'

/**
 * Reorganisations of a payment and of a sweep, 1 to 20 blocks deep. In CI a few depths; all of them
 * with REORG_DEPTHS=1,2,3,...,20.
 */

const DEPTHS = (process.env.REORG_DEPTHS ?? '1,2,5,20').split(',').map(Number)
const NETWORK = 'base-sepolia'

let stack: DevStack
let payer: Payer

export function reorganisations(): void {
  describe('reorganisations', () => {
    beforeAll(async () => {
      stack = running()
      payer = await openPayer(stack.description, NETWORK)
    }, 180_000)

    describe.each(DEPTHS)('a reorganisation %d blocks deep', (depth) => {
      test('takes a payment back, and counts it again when it is mined again', async () => {
        // Unpaid by this alone, so that no sweep follows and only the payment is at stake.
        const invoice = await createInvoice(stack, {
          tokenSymbol: 'USDC',
          amountExpected: '10',
          chains: [NETWORK],
        })
        const hash = await payer.send(invoice.addresses[0]?.address ?? '', '4')
        const raw = await payer.client.request({
          // The node's own copy of the signed bytes, to be sent again later.
          method: 'eth_getRawTransactionByHash' as 'eth_getTransactionByHash',
          params: [hash],
        })
        await payer.mined(hash)
        await look(invoice.id, (now) => now.transactions.length === 1)
        await mine(depth - 1)

        await reorganise(hash)
        await look(invoice.id, (now) => now.transactions[0]?.status === 'reverted')
        const gone = await getInvoice(stack, invoice.id)
        expect(gone).toMatchObject({ status: 'pending', receivedAmount: '0', pendingAmount: null })

        await payer.rpc('eth_sendRawTransaction', [raw])
        const back = await look(invoice.id, (now) => isConfirmed(now))
        expect(back).toMatchObject({ status: 'partial', receivedAmount: '4' })
        const told = await notifiedPayments(invoice.id)
        // Confirmed or not when it was taken back: that depends on when the test's blocks were seen.
        const from = told.indexOf('reverted')
        expect(told[0]).toBe('detected')
        expect(told.slice(from)).toEqual(['reverted', 'detected', 'confirmed'])
      }, 120_000)

      test('takes a sweep back, and the same bytes are mined again', async () => {
        const invoice = await createInvoice(stack, {
          tokenSymbol: 'USDC',
          amountExpected: '10',
          chains: [NETWORK],
        })
        const deposit = invoice.addresses[0]?.address ?? ''
        await payer.mined(await payer.send(deposit, '10'))
        const swept = await look(invoice.id, (now) => now.settlements[0]?.txHash != null)
        const sweep = swept.settlements[0]
        const merchant = invoice.recipient?.address ?? ''
        const block = BigInt(sweep?.blockNumber ?? 0)
        // Deep enough to take the sweep, yet never the payment before it.
        const head = await payer.client.getBlockNumber({ cacheTime: 0 })
        const most = Number(head - block) + 1
        if (depth > most) await mine(depth - most)
        const paid = await payer.balance(merchant)
        await reorganise(hex(sweep?.txHash ?? ''))
        await eventually(
          () =>
            payer.client
              .getTransactionReceipt({ hash: hex(sweep?.txHash ?? '') })
              .catch(() => null),
          (receipt) => receipt !== null && receipt.status === 'success',
          60_000,
        )
        const done = await look(
          invoice.id,
          (now) => now.status === 'completed' && now.settlements[0]?.status === 'confirmed',
        )
        expect(done.settlements).toHaveLength(1)
        expect(done.settlements[0]?.txHash).toBe(sweep?.txHash ?? null)
        expect(done).toMatchObject({ amountRemitted: '9.95', receivedAmount: '10' })
        expect(await payer.balance(merchant)).toBe(paid)
        expect(await payer.balance(deposit)).toBe(0n)
      }, 120_000)
    })

    test('afterwards everything reconciles to the unit', async () => {
      await expectReconciled(stack)
    }, 120_000)
  })
}

async function mine(blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i += 1) await payer.rpc('evm_mine', [])
}

/** Replaces all blocks from the transaction's own on. The chain may mine another one meanwhile. */
async function reorganise(hash: `0x${string}`): Promise<void> {
  for (;;) {
    const receipt = await payer.client.getTransactionReceipt({ hash }).catch(() => null)
    if (receipt === null) return
    const head = await payer.client.getBlockNumber({ cacheTime: 0 })
    await payer.rpc('anvil_reorg', [Number(head - receipt.blockNumber) + 1, []])
  }
}

function isConfirmed(invoice: InvoiceJson): boolean {
  return invoice.transactions[0]?.status === 'confirmed'
}

function look(id: string, holds: (now: InvoiceJson) => boolean): Promise<InvoiceJson> {
  return eventually(() => getInvoice(stack, id), holds)
}

/** What the merchant was told about the payments of an invoice, in order. */
async function notifiedPayments(id: string): Promise<string[]> {
  const database = openDatabase(stack.description.databaseUrl, { name: 'test', poolSize: 1 })
  const events = await database<{ type: string }[]>`
    select type from outbox where object_id = ${id} and type like 'invoice.payment%'
    order by version`
  await database.end()
  return events.map((event) => event.type.replace('invoice.payment_', ''))
}
