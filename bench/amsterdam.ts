import { CURRENT, DRAFT, type Rules } from './amsterdam/machine.ts'
import { defaultFigures, firstFigures, largestBatch, measure } from './amsterdam/measure.ts'
import type { Operation } from './amsterdam/operation.ts'
import { OPERATIONS } from './amsterdam/operations.ts'
import { Stage } from './amsterdam/stage.ts'
import type { Report } from './report.ts'

/** All operations under today's rules and under EIP-8037's draft, with the backend's own gas limits. */
export async function measureAmsterdam(report: Report, quick: boolean): Promise<void> {
  const rows = [await deployment()]
  for (const operation of OPERATIONS) {
    rows.push(await rowOf(operation, 1))
    const most = largestBatch(operation, await defaultFigures(operation, DRAFT))
    if (!quick && most > 1) rows.push(await rowOf(operation, most))
  }
  report.table('Gas under draft EIP-8037', NOTE, [HEADER, ...rows])
}

const NOTE =
  'Every operation of the hub on a chain in memory (@ethereumjs/vm) by the active rules (Osaka) and by those drafted for the fork Amsterdam, with the gas limits that the backend gives by default: one item alone, and as many as it puts into one transaction. Accounts and balances are new, which costs most, and the token is behind a proxy. Gas per item of the whole transaction; in the last column each item has what version 1 of the hub had as constants.'
const HEADER = [
  'operation',
  'items',
  'gas limit',
  'gas today',
  'gas by the draft',
  'of it for state',
  "by the draft, with version 1's constants",
]

async function rowOf(operation: Operation, count: number): Promise<string[]> {
  const figures = await defaultFigures(operation, DRAFT)
  const today = await measure(operation, CURRENT, count, await defaultFigures(operation, CURRENT))
  const draft = await measure(operation, DRAFT, count, figures)
  const first = await measure(operation, DRAFT, count, await firstFigures(operation, DRAFT))
  const row = [
    ...[operation.name, String(count), number(draft.limit)],
    today.failure ?? each(today.gas, count),
    draft.failure ?? each(draft.gas, count),
    each(draft.stateGas, count),
    first.failure ?? 'done',
  ]
  console.log(row.join(' | '))
  return row
}

/** The one transaction that needs the reservoir above EIP-7825's limit. */
async function deployment(): Promise<string[]> {
  const of = async (rules: Rules) => (await Stage.open(rules)).deployment
  const [today, draft] = [await of(CURRENT), await of(DRAFT)]
  const limit = 'as estimated'
  const said = ({ ok, gas }: { ok: boolean; gas: bigint }) => (ok ? number(gas) : 'reverted')
  return ['deployment of the hub', '1', limit, said(today), said(draft), number(draft.stateGas), '']
}

function each(gas: bigint, count: number): string {
  return number(gas / BigInt(count))
}

function number(value: bigint): string {
  return value.toLocaleString('en')
}
