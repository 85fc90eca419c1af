import type { TokenDecimals } from '../../core/base/money.ts'
import { type Column, signedAmount, table } from '../terminal/output.ts'
import { ADVICE } from './advice.ts'
import type { ChainReport, ForwarderTotals, Report, TokenTotals } from './report.ts'

/** A report as text. */

/** The maximum number of differences in the text; the JSON has all. */
const SHOWN = 50

export function reportText(report: Report): string {
  const { chains, notices, isClean } = report
  const parts = [
    table(chains, CHAIN_COLUMNS, 'No chain was compared.'),
    table(
      chains.flatMap(({ tokens }) => tokens),
      DEPOSIT_COLUMNS,
      'No token was compared.',
    ),
    chains.some(({ x402 }) => x402.forwarders > 0) ? forwardersText(chains) : '',
    notices.map((notice) => `Note: ${notice}`).join('\n'),
    isClean ? 'Clean: the ledger and the chains agree to the unit.' : differencesText(report),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** "1 difference", "2 differences". */
export function counted({ differences }: Report): string {
  return differences.length === 1 ? '1 difference' : `${differences.length} differences`
}

const CHAIN_COLUMNS: readonly Column<ChainReport>[] = [
  { title: 'CHAIN', cell: (chain) => chain.networkId },
  { title: 'BLOCK', cell: (chain) => chain.block?.toString() ?? '-', isFigure: true },
  { title: 'HEAD', cell: (chain) => chain.head?.toString() ?? '-', isFigure: true },
  count('deposits'),
  count('sweeps'),
]

const DEPOSIT_COLUMNS: readonly Column<TokenTotals>[] = [
  { title: 'CHAIN', cell: (totals) => totals.networkId },
  { title: 'TOKEN', cell: (totals) => totals.symbol },
  amount('received'),
  amount('late'),
  amount('foreign'),
  amount('remitted'),
  amount('fees'),
  amount('refunded'),
  amount('held'),
  amount('feesOwed', 'OWED'),
]

interface ForwarderRow extends ForwarderTotals {
  readonly forwarders: number
  readonly payments: number
  readonly payouts: number
}

const FORWARDER_COLUMNS: readonly Column<ForwarderRow>[] = [
  { title: 'X402', cell: (totals) => totals.networkId },
  { title: 'TOKEN', cell: (totals) => totals.symbol },
  count('forwarders'),
  count('payments'),
  count('payouts'),
  amount('settled'),
  amount('other'),
  amount('remitted'),
  amount('fees'),
  amount('refunded'),
  amount('held'),
  amount('feesOwed', 'OWED'),
]

function forwardersText(chains: readonly ChainReport[]): string {
  const rows = chains.flatMap(({ x402: { tokens, ...counts } }) =>
    tokens
      .filter(({ settled, other, held }) => settled + other + held > 0n)
      .map((totals) => ({ ...totals, ...counts })),
  )
  return table(rows, FORWARDER_COLUMNS, 'No x402 payment yet.')
}

function count<Name extends string>(name: Name): Column<Readonly<Record<Name, number>>> {
  return { title: name.toUpperCase(), cell: (row) => String(row[name]), isFigure: true }
}

function amount<Name extends string>(
  name: Name,
  title = name.toUpperCase(),
): Column<{ readonly decimals: TokenDecimals } & Readonly<Record<Name, bigint>>> {
  return { title, cell: (totals) => signedAmount(totals[name], totals.decimals), isFigure: true }
}

function differencesText(report: Report): string {
  const { differences } = report
  const shown = differences.slice(0, SHOWN).map(({ networkId, message, kind }) => {
    const where = networkId === null ? '' : `${networkId}: `
    return `- ${where}${message}\n  ${ADVICE[kind]}`
  })
  const rest = differences.length - shown.length
  const more = rest > 0 ? [`… and ${rest} more: see --json`] : []
  return [`${counted(report)}:`, ...shown, ...more].join('\n')
}
