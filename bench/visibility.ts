import { openDatabase } from '../store/database/database.ts'
import {
  createHome,
  createInvoice,
  type DevStack,
  getInvoice,
  startDevStack,
} from '../test/support/servers/devStack.ts'
import { openPayer } from '../test/support/x402/payer.ts'
import { machineTime, watchHeads } from './heads.ts'
import { ms, percentile, type Report } from './report.ts'

const NETWORK = 'base-sepolia'
const SIZES = [1_000, 1_000_000]
const POLL_MS = 4

/**
 * Time from a payment's block to the payment in GET /v1/invoices/:id, at blocks of one second, with few
 * and with many watched addresses.
 */
export async function measureVisibility(report: Report, quick: boolean): Promise<void> {
  const samples = quick ? 8 : 40
  const { home, remove } = createHome()
  const stack = await startDevStack(home)
  const heads = watchHeads(stack, NETWORK)
  try {
    const rows = [['watched addresses', 'samples', 'p50', 'p99', 'p50 beside the first row']]
    let first = Number.NaN
    for (const size of SIZES) {
      await watchAddresses(stack, size)
      await measure(stack, heads.heardAt, 3)
      const latencies = await measure(stack, heads.heardAt, samples)
      const p50 = percentile(latencies, 0.5)
      if (Number.isNaN(first)) first = p50
      rows.push([
        size.toLocaleString('en'),
        String(latencies.length),
        ms(p50),
        ms(percentile(latencies, 0.99)),
        (p50 / first).toFixed(2),
      ])
    }
    report.table(
      'From block to visible',
      `Payments on a local chain with blocks of one second, from the moment a subscriber hears of the block to the first answer of \`GET /v1/invoices/:id\` that shows the payment (asked every ${POLL_MS} ms).`,
      rows,
    )
  } finally {
    heads.stop()
    await stack.stop()
    remove()
  }
}

/** Fills up the watched addresses to a number, with unpaid addresses. */
async function watchAddresses(stack: DevStack, size: number): Promise<void> {
  const database = openDatabase(stack.description.databaseUrl, { name: 'remit-bench', poolSize: 1 })
  await database`
    insert into watched (address, kind, merchant_id)
    select '0x' || lpad(to_hex(n), 40, '0'), 'forwarder', ${stack.description.merchantId}
    from generate_series(1, ${size}::int - (select count(*)::int from watched)) as n
    on conflict do nothing`
  await database`analyze watched`
  await database.end()
}

async function measure(
  stack: DevStack,
  heardAt: ReadonlyMap<number, number>,
  samples: number,
): Promise<number[]> {
  const payer = await openPayer(stack.description, NETWORK)
  const latencies: number[] = []
  for (let i = 0; i < samples; i += 1) {
    const invoice = await createInvoice(stack, { tokenSymbol: 'USDC', amountExpected: '1000' })
    await payer.send(invoice.addresses[0]?.address ?? '', '0.01')
    for (;;) {
      const { transactions } = await getInvoice(stack, invoice.id)
      const block = transactions[0]?.blockNumber
      if (typeof block === 'number') {
        const visibleAt = machineTime()
        await Bun.sleep(50)
        const at = heardAt.get(block)
        if (at !== undefined) latencies.push(Math.max(0, visibleAt - at))
        break
      }
      await Bun.sleep(POLL_MS)
    }
  }
  return latencies
}
