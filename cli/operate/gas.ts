import { isDay } from '../../core/base/instant.ts'
import { formatAmount } from '../../core/base/money.ts'
import { COIN_DECIMALS } from '../../core/chain/tokens.ts'
import { type GasOfDay, readGas } from '../../store/relayer/gas.ts'
import { type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { withLedger } from '../terminal/ledger.ts'
import { merchantOption } from '../terminal/options.ts'
import { table } from '../terminal/output.ts'

const DAY_MS = 86_400_000
const DAYS_SHOWN = 30

export const gasCommand: CommandSpec = {
  words: ['gas'],
  about: 'Show what relayers have spent on gas, by day, chain and merchant.',
  details: `Read from the receipts of final transactions, including the data fees of OP Stack rollups. The cost of a
transaction is split evenly over its items; the sum is exactly what the relayers paid. Amounts are in the chain's
native coin, days are UTC. Replacement transactions belong to no merchant and are shown as -.`,
  options: {
    from: {
      value: 'DAY',
      about: `The first day, e.g. 2026-11-01 (default: ${DAYS_SHOWN} days ago)`,
    },
    to: { value: 'DAY', about: 'The last day (default: today)' },
    chain: { value: 'ID', about: 'Only this chain' },
    merchant: { value: 'ID', about: 'Only this merchant' },
  },
  examples: ['gas', 'gas --from 2026-11-01 --to 2026-11-30 --chain base --json'],
  async run(input) {
    const now = new Date()
    const filter = {
      from: day(input, 'from', new Date(now.getTime() - DAYS_SHOWN * DAY_MS)),
      to: day(input, 'to', now),
      networkId: input.values.get('chain') ?? null,
      merchantId: input.values.has('merchant') ? merchantOption(input) : null,
    }
    const rows = await withLedger(input, (database) => readGas(database, filter))
    const totals = [...Map.groupBy(rows, ({ networkId }) => networkId)].map(([networkId, own]) => {
      return { networkId, coins: coins(own.reduce((sum, { wei }) => sum + wei, 0n)) }
    })
    const json = {
      days: rows.map(({ wei, items, ...row }) => ({
        ...row,
        items: Number(items),
        coins: coins(wei),
      })),
      totals,
    }
    const lines = totals.map(({ networkId, coins: sum }) => `${networkId}: ${sum} in total`)
    return { json, text: [asTable(rows), ...lines].join('\n') }
  },
}

function asTable(rows: readonly GasOfDay[]): string {
  return table(
    rows,
    [
      { title: 'DAY', cell: (row) => row.day },
      { title: 'CHAIN', cell: (row) => row.networkId },
      { title: 'MERCHANT', cell: (row) => row.merchantName ?? '-' },
      { title: 'ITEMS', cell: (row) => row.items.toString(), isFigure: true },
      { title: 'COINS', cell: (row) => coins(row.wei), isFigure: true },
    ],
    'No gas is booked for these days. Gas is booked once a transaction is final.',
  )
}

function coins(wei: bigint): string {
  return formatAmount(wei, COIN_DECIMALS)
}

function day(input: CommandInput, option: 'from' | 'to', otherwise: Date): string {
  const given = input.values.get(option)
  if (given === undefined) return otherwise.toISOString().slice(0, 10)
  if (!isDay(given)) {
    throw misused(input, `--${option} must be a day, e.g. 2026-11-01, not ${given}`)
  }
  return given
}
