import { lowerCaseAddress } from '../../core/chain/evm.ts'
import type { InvoiceJson } from '../../core/invoice/present.ts'
import { callApi, FOREIGN, payFrom } from '../rpc/business.ts'
import type { CountedStack } from '../rpc/stack.ts'
import { offer } from '../x402/load.ts'
import type { Payers } from '../x402/payers.ts'
import type { PaymentRequirements } from '../x402/side.ts'

/** Honest merchants and payers. */

export const PER_MINUTE = 50
/** Long after the last of them should be over. */
const TIMEOUT_MS = 240_000

/** In ms each; unfinished ones are missing. */
export interface HonestTimes {
  readonly invoices: readonly number[]
  readonly payments: readonly number[]
  readonly offered: number
}

/** Invoices and x402 payments, so many a minute of each, until all of them are completed. */
export async function payHonestly(
  stack: CountedStack,
  payers: Payers,
  requirements: PaymentRequirements,
  minutes: number,
): Promise<HonestTimes> {
  const offered = Math.round(PER_MINUTE * minutes)
  const postings = await payers.sign(stack.chain, [requirements], offered)
  const target = { port: stack.port, path: '/v1/x402/settle' }
  const [invoices, { attempts }] = await Promise.all([
    payInvoices(stack, offered),
    offer(target, PER_MINUTE / 60, postings),
  ])
  const payments = attempts.filter(({ said }) => said === 'yes').map(({ latencyMs }) => latencyMs)
  return { invoices, payments, offered }
}

/** How long after it was paid each was completed. */
async function payInvoices(stack: CountedStack, count: number): Promise<number[]> {
  const paidAt = new Map<string, number>()
  const times: number[] = []
  let isOver = false
  // The node itself may give a nonce twice while it mines a block, and forgets one of the two.
  const first = await stack.chain.client.getTransactionCount({ address: FOREIGN })
  const paying = async () => {
    const start = performance.now()
    for (let i = 0; i < count; i += 1) {
      await Bun.sleep(Math.max(0, start + (i * 60_000) / PER_MINUTE - performance.now()))
      const invoice = await callApi<InvoiceJson>(stack, '/v1/invoices', {
        tokenSymbol: 'USDC',
        amountExpected: '1',
        chains: [stack.chain.networkId],
      })
      const deposit = lowerCaseAddress(invoice.addresses[0]?.address ?? '0x')
      await payFrom(stack, deposit, 1_000_000n, first + i)
      paidAt.set(invoice.id, performance.now())
    }
    isOver = true
  }
  const paid = paying()
  let lastAt = performance.now()
  while (!isOver || (paidAt.size > 0 && performance.now() - lastAt < TIMEOUT_MS)) {
    if (!isOver) lastAt = performance.now()
    const done = await stack.database<{ id: string }[]>`
      select id from invoice where status = 'completed' and id = any(${[...paidAt.keys()]}::uuid[])`
    for (const { id } of done) {
      times.push(performance.now() - (paidAt.get(id) ?? 0))
      paidAt.delete(id)
    }
    await Bun.sleep(100)
  }
  await paid
  return times
}
