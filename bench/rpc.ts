import { type Address, lowerCaseAddress } from '../core/chain/evm.ts'
import type { InvoiceJson } from '../core/invoice/present.ts'
import { eventually } from '../test/support/servers/devStack.ts'
import { ms, percentile, type Report } from './report.ts'
import { callApi, FOREIGN, newAddress, newEndpoint, payFrom } from './rpc/business.ts'
import { byMethod, countBlocks, type Span, total } from './rpc/span.ts'
import { type CountedOptions, type CountedStack, startCountedStack } from './rpc/stack.ts'
import { callAndWait } from './x402/load.ts'
import { createPayers } from './x402/payers.ts'

/** Remit's calls to nodes that bill each call: idle, for paid requests, and for invoices. */

const BLOCK_TIME_MS = 2_000
const CALLERS = 64
const CONFIGURATIONS: readonly (Omit<CountedOptions, 'blockTimeMs'> & { readonly name: string })[] =
  [
    { name: 'one URL', urls: 1, hasWebSocket: false },
    { name: 'one URL, WebSocket', urls: 1, hasWebSocket: true },
    { name: 'two URLs', urls: 2, hasWebSocket: false },
  ]
/** For the calls of the first minute, which are counted from readiness on. */
const FIRST_BLOCK_TIMES_MS = [1_000, 2_000]
const FIRST_MS = 60_000
const HEADER = ['nodes', 'while', 'blocks', 'calls per block', 'by method and block']

export async function measureRpc(report: Report, quick: boolean): Promise<void> {
  const rest = [HEADER]
  const busy = [['nodes', 'while', 'calls', 'for each', 'per block', 'by method']]
  const seen = [['nodes', 'payments', 'p50', 'p99']]
  for (const { name, ...options } of CONFIGURATIONS) {
    const stack = await startCountedStack({ ...options, blockTimeMs: BLOCK_TIME_MS })
    try {
      await Bun.sleep(10 * BLOCK_TIME_MS)
      rest.push(...(await atRest(stack, name, quick ? 15 : 60)))
      if (options.urls > 1) continue
      const { rows, latencies } = await payingInvoices(stack, name, quick ? 8 : 40)
      busy.push(...rows, ...(await settling(stack, name, quick ? 30 : 60)))
      const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
      seen.push([name, String(latencies.length), ms(p50), ms(p99)])
    } finally {
      await stack.stop()
    }
  }
  await inTheFirstMinute(report)
  report.table(
    'RPC calls at rest',
    'All processes together, counted by a proxy, at blocks of two seconds with three relayer keys and nothing to do. Foreign transfers: five a block of the tokens that are watched.',
    rest,
  )
  report.table(
    'RPC calls for work',
    `As above. Paid requests: ${CALLERS} callers that settle and wait. Invoices: each paid, confirmed, swept and completed; by method for each.`,
    busy,
  )
  report.table(
    'From block to visible, nodes that bill calls',
    'Payments at blocks of two seconds, from the block to the first answer of the API that shows the payment.',
    seen,
  )
}

async function inTheFirstMinute(report: Report): Promise<void> {
  const rows = [['time of a block', 'blocks', 'calls per block', 'by method and block']]
  for (const blockTimeMs of FIRST_BLOCK_TIMES_MS) {
    const stack = await startCountedStack({ blockTimeMs, urls: 1, hasWebSocket: false })
    try {
      const span = await countBlocks(stack, async () => {}, FIRST_MS / blockTimeMs)
      const { blocks, calls } = span
      const perBlock = (total(span) / blocks).toFixed(2)
      rows.push([ms(blockTimeMs), String(blocks), perBlock, byMethod(calls, blocks)])
    } finally {
      await stack.stop()
    }
  }
  report.table(
    'RPC calls in the first minute',
    'All processes together, from readiness on, with one URL and nothing to do.',
    rows,
  )
}

async function atRest(stack: CountedStack, name: string, blocks: number): Promise<string[][]> {
  const empty = await countBlocks(stack, async () => {}, blocks)
  await stack.chain.mint([{ to: FOREIGN, amount: 10_000_000_000n }])
  let isOver = false
  const transfers = async () => {
    while (!isOver) {
      for (let i = 0; i < 5; i += 1) await payFrom(stack, newAddress(), 1n)
      await Bun.sleep(BLOCK_TIME_MS)
    }
  }
  const transferring = transfers()
  await Bun.sleep(2 * BLOCK_TIME_MS)
  const foreign = await countBlocks(stack, async () => {}, blocks)
  isOver = true
  await transferring
  const row = (what: string, span: Span) => {
    const perBlock = (total(span) / span.blocks).toFixed(2)
    return [name, what, String(span.blocks), perBlock, byMethod(span.calls, span.blocks)]
  }
  return [row('empty blocks', empty), row('foreign transfers', foreign)]
}

/** Pays invoices one after the other, each in the middle of a block, and waits for all to be completed. */
async function payingInvoices(stack: CountedStack, name: string, count: number) {
  const latencies: number[] = []
  const ids: string[] = []
  const span = await countBlocks(stack, async () => {
    for (let i = 0; i < count; i += 1) {
      const invoice = await callApi<InvoiceJson>(stack, '/v1/invoices', {
        tokenSymbol: 'USDC',
        amountExpected: '1',
        chains: [stack.chain.networkId],
      })
      ids.push(invoice.id)
      const deposit = lowerCaseAddress(invoice.addresses[0]?.address ?? '0x')
      latencies.push(await visibleAfter(stack, invoice.id, deposit))
    }
    await eventually(
      async () => {
        const [row] = await stack.database<{ left: number }[]>`
          select count(*)::int as left from invoice where status <> 'completed' and id = any(${ids}::uuid[])`
        return row?.left
      },
      (left) => left === 0,
      300_000,
    )
  })
  return { latencies, rows: [rowOf(name, 'invoices', span, count)] }
}

/** How long after its block a payment is shown, in ms. */
async function visibleAfter(stack: CountedStack, id: string, deposit: Address): Promise<number> {
  const { client } = stack.chain
  const hash = await payFrom(stack, deposit, 1_000_000n)
  let minedAt = 0
  for (;;) {
    if (minedAt === 0 && (await client.getTransactionReceipt({ hash }).catch(() => null))) {
      minedAt = performance.now()
    }
    const { transactions } = await callApi<InvoiceJson>(stack, `/v1/invoices/${id}`)
    if (transactions.length > 0) return minedAt === 0 ? 0 : performance.now() - minedAt
    await Bun.sleep(10)
  }
}

async function settling(stack: CountedStack, name: string, seconds: number): Promise<string[][]> {
  const requirements = await newEndpoint(stack)
  await eventually(
    async () => {
      const [row] = await stack.database<{ left: number }[]>`
        select count(*)::int as left from work_item where state in ('queued', 'assigned')`
      return row?.left
    },
    (left) => left === 0,
  )
  const payers = createPayers(CALLERS)
  await payers.fund(stack.chain)
  const postings = await payers.sign(stack.chain, [requirements], CALLERS * seconds)
  const broadcasts = 'eth_sendRawTransaction'
  const target = { port: stack.port, path: '/v1/x402/settle' }
  const span = await countBlocks(stack, () =>
    callAndWait(
      target,
      CALLERS,
      { seconds, leastRounds: 2, mostSeconds: 2 * seconds },
      postings.values(),
    ),
  )
  const settled = span.result.attempts.filter(({ said }) => said === 'yes').length
  const others = new Map([...span.calls].filter(([method]) => method !== broadcasts))
  return [
    rowOf(name, 'paid requests', span, settled),
    rowOf(name, 'paid requests, without broadcasts', { ...span, calls: others }, settled),
  ]
}

function rowOf(name: string, what: string, span: Span, count: number): string[] {
  const calls = total(span)
  return [
    name,
    `${count.toLocaleString('en')} ${what}`,
    String(calls),
    (calls / count).toFixed(2),
    (calls / span.blocks).toFixed(1),
    byMethod(span.calls, count),
  ]
}
