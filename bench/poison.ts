import { type HonestTimes, PER_MINUTE, payHonestly } from './poison/honest.ts'
import { preparePoison } from './poison/hostile.ts'
import { percentile, type Report } from './report.ts'
import { FOREIGN, newEndpoint } from './rpc/business.ts'
import { countBlocks, type Span, total } from './rpc/span.ts'
import { type CountedStack, startCountedStack } from './rpc/stack.ts'
import { createPayers } from './x402/payers.ts'

/** Latencies of honest merchants and payers during hostile transactions. */

const BLOCK_TIME_MS = 2_000
const PAYERS = 64
/** Between two rounds of all kinds, in ms. */
const ROUND_MS = 15_000
const DETAIL_MAX = 90

export async function measurePoison(report: Report, quick: boolean): Promise<void> {
  const minutes = quick ? 0.5 : 3
  const stack = await startCountedStack({
    blockTimeMs: BLOCK_TIME_MS,
    urls: 1,
    hasWebSocket: false,
  })
  try {
    const requirements = await newEndpoint(stack)
    const payers = createPayers(PAYERS)
    await payers.fund(stack.chain)
    await stack.chain.mint([{ to: FOREIGN, amount: 1_000_000_000_000n }])
    const { kinds } = await preparePoison(stack, requirements)
    const honest = () => payHonestly(stack, payers, requirements, minutes)
    const quiet = await spanOf(stack, honest)
    const quarantined = new Map<string, string>()
    let isOver = false
    const rounds = async () => {
      while (!isOver) {
        // Refused requests are load as well.
        await Promise.allSettled(kinds.map((kind) => kind.send()))
        for (const [subject, detail] of await alarms(stack)) quarantined.set(subject, detail)
        await Bun.sleep(ROUND_MS)
      }
    }
    const sending = rounds()
    const poisoned = await spanOf(stack, honest).finally(() => {
      isOver = true
    })
    await sending
    writeReport(report, kinds, { quiet, poisoned }, quarantined)
  } finally {
    await stack.stop()
  }
}

type Measured = Span & { readonly result: HonestTimes; readonly bytes: number }

async function spanOf(stack: CountedStack, during: () => Promise<HonestTimes>): Promise<Measured> {
  const before = stack.bytes()
  const span = await countBlocks(stack, during)
  return { ...span, bytes: stack.bytes() - before }
}

function writeReport(
  report: Report,
  kinds: readonly { readonly name: string }[],
  { quiet, poisoned }: { readonly quiet: Measured; readonly poisoned: Measured },
  quarantined: ReadonlyMap<string, string>,
): void {
  report.table(
    'Hostile transactions beside honest payments',
    `${PER_MINUTE} invoices and ${PER_MINUTE} x402 payments a minute at blocks of two seconds, alone and beside ten kinds of hostile transactions, all of them sent at once every ${ROUND_MS / 1000} s: ${kinds.map(({ name }) => name).join('; ')}. Times are from a payment to its completed invoice, and from the request to settle to its answer. Every honest payment must end; what hostile ones may cost is bytes that nodes answer and calls to them, both of all processes.`,
    [
      [
        '',
        'completed',
        'p50',
        'p99',
        'settled',
        'p50',
        'p99',
        'bytes per block',
        'calls per block',
      ],
      rowOf('quiet', quiet),
      rowOf('hostile', poisoned),
    ],
  )
  report.table(
    'Quarantined items beside hostile transactions',
    'What workers quarantined meanwhile, with its error. Large receipts, long texts and wasted gas should quarantine nothing: they are read in parts, cut off, or paid by their senders.',
    [['item', 'error'], ...(quarantined.size === 0 ? [['none', '']] : quarantined)],
  )
}

function rowOf(name: string, { result, bytes, blocks, ...span }: Measured): string[] {
  const { invoices, payments, offered } = result
  const seconds = (samples: readonly number[], share: number) =>
    `${(percentile(samples, share) / 1000).toFixed(1)} s`
  return [
    name,
    `${invoices.length} of ${offered}`,
    ...[0.5, 0.99].map((share) => seconds(invoices, share)),
    `${payments.length} of ${offered}`,
    ...[0.5, 0.99].map((share) => seconds(payments, share)),
    Math.round(bytes / blocks).toLocaleString('en'),
    (total({ blocks, ...span }) / blocks).toFixed(1),
  ]
}

async function alarms({ database }: CountedStack): Promise<[string, string][]> {
  const rows = await database<{ subject: string; detail: string }[]>`
    select subject, detail from worker_alarm where kind = 'aside'`
  return rows.map(({ subject, detail }) => [subject, detail.slice(0, DETAIL_MAX)])
}
