import { type Database, openDatabase } from '../store/database/database.ts'
import {
  createHome,
  createInvoice,
  type DevStack,
  eventually,
  startDevStack,
} from '../test/support/servers/devStack.ts'
import { hex, openPayer } from '../test/support/x402/payer.ts'
import type { Report } from './report.ts'

const NETWORK = 'base-sepolia'
const BATCHES = [1, 20, 50]

/** Sweeps per second and gas per sweep, by the most that may share a transaction. */
export async function measureSweeps(report: Report, quick: boolean): Promise<void> {
  const rows = [['batch', 'sweeps', 'transactions', 'sweeps/s', 'gas per sweep']]
  for (const batch of BATCHES) rows.push(await measureBatch(batch, quick ? 40 : 200))
  report.table(
    'Sweeping deposits',
    'Paid invoices of one merchant, each in a deposit of its own that its sweep deploys, at blocks of one second with three relayer keys; gas of the whole transactions.',
    rows,
  )
}

async function measureBatch(batch: number, count: number): Promise<string[]> {
  const { home, remove } = createHome()
  const stack = await startDevStack(home, { RELAYER_BATCH_MAX: String(batch) })
  const database = openDatabase(stack.description.databaseUrl, { name: 'remit-bench', poolSize: 2 })
  try {
    await payInvoices(stack, count)
    await waitForSweeps(database, count)
    const [span] = await database<{ seconds: number }[]>`
      select extract(epoch from max(mined_at) - min(created_at))::float8 as seconds
      from settlement`
    const hashes = await database<{ txHash: string }[]>`
      select distinct tx_hash from settlement where tx_hash is not null`
    const payer = await openPayer(stack.description, NETWORK)
    let gas = 0n
    for (const { txHash } of hashes) {
      const receipt = await payer.client.getTransactionReceipt({ hash: hex(txHash) })
      gas += receipt.gasUsed
    }
    return [
      String(batch),
      String(count),
      String(hashes.length),
      (count / (span?.seconds ?? Number.NaN)).toFixed(1),
      (gas / BigInt(count)).toLocaleString('en'),
    ]
  } finally {
    await database.end()
    await stack.stop()
    remove()
  }
}

/** Creates invoices and pays each exactly, as fast as the chain takes the payments. */
export async function payInvoices(stack: DevStack, count: number): Promise<void> {
  const payer = await openPayer(stack.description, NETWORK)
  for (let i = 0; i < count; i += 1) {
    const invoice = await createInvoice(stack, {
      tokenSymbol: 'USDC',
      amountExpected: '10',
      chains: [NETWORK],
    })
    await payer.send(invoice.addresses[0]?.address ?? '', '10')
  }
}

async function waitForSweeps(database: Database, count: number): Promise<void> {
  await eventually(
    async () => {
      const [row] = await database<{ swept: number }[]>`
        select count(*)::int as swept from settlement where status in ('mined', 'confirmed')`
      return row?.swept ?? 0
    },
    (swept) => swept >= count,
    300_000,
  )
}
