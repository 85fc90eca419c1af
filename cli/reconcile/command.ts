import { formatAmount } from '../../core/money.ts'
import {
  CommandError,
  type CommandInput,
  type CommandSpec,
  misused,
  type Outcome,
} from '../terminal/command.ts'
import { requireConfig, withLedger } from '../terminal/environment.ts'
import { signedAmount, table } from '../terminal/output.ts'
import {
  ADVICE,
  type Difference,
  type ForwarderReport,
  type ForwarderTotals,
  type Report,
  type TokenTotals,
} from './findings/report.ts'
import { reconcile } from './reconcile.ts'

export const reconcileCommand: CommandSpec = {
  words: ['reconcile'],
  about: 'Compare the ledger with the chains, to the unit.',
  details: `On every chain, at one confirmed block: what each deposit and each forwarder holds of each token, every
sweep, refund, payout and fee against the hub's events, every x402 payment against the token's own logs, the
relayers' account nonces, and the ledger's own sums. Reads only.
A difference is looked at again for a few seconds, because a worker may be booking it right now.

  received + late + foreign = remitted + fees + refunded + held
  foreign   a token, or a chain, that the invoice doesn't list
  owed      fees that a token refused to pay out; a part of what is held

  settled + other = remitted + fees + held      (x402)
  other     what arrived in a forwarder and belongs to no payment; paid out like the rest

Exits with 1 when there is any difference.`,
  options: {
    chain: { value: 'ID', about: 'Only this chain' },
    wait: { value: 'SECONDS', about: 'How long a difference is looked at again (default 5)' },
  },
  examples: ['reconcile', 'reconcile --chain base-sepolia', 'reconcile --json --wait 0'],
  run,
}

async function run(input: CommandInput): Promise<Outcome> {
  const config = requireConfig(input)
  const only = input.values.get('chain') ?? null
  if (only !== null && !config.chains.some((chain) => chain.networkId === only)) {
    const active = config.chains.map((chain) => chain.networkId).join(', ')
    throw new CommandError([`--chain ${only} is not switched on; there are: ${active}`])
  }
  const until = Date.now() + waitSeconds(input) * 1000
  return await withLedger(input, async (database) => {
    for (;;) {
      const report = await reconcile({ database, config, only, now: new Date() })
      if (report.isClean || Date.now() >= until) return present(report)
      input.say(`${counted(report)}; looking again …`)
      await Bun.sleep(1_000)
    }
  })
}

function waitSeconds(input: CommandInput): number {
  const text = input.values.get('wait') ?? '5'
  if (/^[0-9]{1,4}$/.test(text)) return Number(text)
  throw misused(input, `--wait must be a whole number of seconds, not ${text}`)
}

function present(report: Report): Outcome {
  const differences = report.differences.map((found) => ({ ...found, advice: ADVICE[found.kind] }))
  return {
    json: { ...report, differences },
    text: reportText(report),
    exitCode: report.isClean ? 0 : 1,
  }
}

/** How many differences people are shown; all of them are in the JSON. */
const SHOWN = 50

function reportText(report: Report): string {
  const parts = [
    chainsText(report),
    totalsText(report),
    ...(report.chains.some(({ x402 }) => x402.forwarders > 0) ? [forwardersText(report)] : []),
    ...(report.notices.length > 0
      ? [report.notices.map((notice) => `Note: ${notice}`).join('\n')]
      : []),
    report.isClean
      ? 'Clean: the ledger and the chains agree to the unit.'
      : differencesText(report),
  ]
  return parts.join('\n\n')
}

function chainsText(report: Report): string {
  return table(
    report.chains,
    [
      { title: 'CHAIN', cell: (chain) => chain.networkId },
      { title: 'BLOCK', cell: (chain) => chain.block?.toString() ?? '-', isFigure: true },
      { title: 'HEAD', cell: (chain) => chain.head?.toString() ?? '-', isFigure: true },
      { title: 'DEPOSITS', cell: (chain) => String(chain.deposits), isFigure: true },
      { title: 'SWEEPS', cell: (chain) => String(chain.sweeps), isFigure: true },
    ],
    'No chain was compared.',
  )
}

function totalsText(report: Report): string {
  const figure = (
    title: string,
    name: 'received' | 'late' | 'foreign' | 'remitted' | 'fees' | 'refunded' | 'feesOwed' | 'held',
  ) => ({
    title,
    cell: (totals: TokenTotals) => formatAmount(totals[name], totals.decimals),
    isFigure: true,
  })
  return table(
    report.chains.flatMap((chain) => chain.tokens),
    [
      { title: 'CHAIN', cell: (totals) => totals.networkId },
      { title: 'TOKEN', cell: (totals) => totals.symbol },
      figure('RECEIVED', 'received'),
      figure('LATE', 'late'),
      figure('FOREIGN', 'foreign'),
      figure('REMITTED', 'remitted'),
      figure('FEES', 'fees'),
      figure('REFUNDED', 'refunded'),
      figure('HELD', 'held'),
      figure('OWED', 'feesOwed'),
    ],
    'No token was compared.',
  )
}

interface ForwarderRow extends ForwarderTotals {
  readonly counts: ForwarderReport
}

function forwardersText(report: Report): string {
  const figure = (
    title: string,
    name: 'settled' | 'other' | 'remitted' | 'fees' | 'feesOwed' | 'held',
  ) => ({
    title,
    cell: (totals: ForwarderRow) => signedAmount(totals[name], totals.decimals),
    isFigure: true,
  })
  const count = (title: string, name: 'forwarders' | 'payments' | 'payouts') => ({
    title,
    cell: ({ counts }: ForwarderRow) => String(counts[name]),
    isFigure: true,
  })
  const rows = report.chains.flatMap(({ x402 }) =>
    x402.tokens
      .filter((totals) => totals.settled + totals.other + totals.held > 0n)
      .map((totals) => ({ ...totals, counts: x402 })),
  )
  return table(
    rows,
    [
      { title: 'X402', cell: (totals) => totals.networkId },
      { title: 'TOKEN', cell: (totals) => totals.symbol },
      count('FORWARDERS', 'forwarders'),
      count('PAYMENTS', 'payments'),
      count('PAYOUTS', 'payouts'),
      figure('SETTLED', 'settled'),
      figure('OTHER', 'other'),
      figure('REMITTED', 'remitted'),
      figure('FEES', 'fees'),
      figure('HELD', 'held'),
      figure('OWED', 'feesOwed'),
    ],
    'No x402 payment yet.',
  )
}

function differencesText(report: Report): string {
  const { differences } = report
  const shown = differences.slice(0, SHOWN).map(differenceText)
  const rest = differences.length - shown.length
  const more = rest > 0 ? [`… and ${rest} more: see --json`] : []
  return [`${counted(report)}:`, ...shown, ...more].join('\n')
}

function counted({ differences }: Report): string {
  return differences.length === 1 ? '1 difference' : `${differences.length} differences`
}

function differenceText(found: Difference): string {
  const where = found.networkId === null ? '' : `${found.networkId}: `
  return `- ${where}${found.message}\n  ${ADVICE[found.kind]}`
}
