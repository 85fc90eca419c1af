import type { Report } from '../report.ts'
import { settleFor, summary } from './matrix.ts'
import type { Selection } from './selection.ts'
import { SIDE_TITLES, type SideName } from './side.ts'
import { onStage } from './stage.ts'

/** What a settlement costs in gas, by how many merchants share the batches and how they are paid out. */

const CALLERS = 256
const BLOCKS = 1000
const ALWAYS = { X402_DISTRIBUTE_FROM: '0', X402_DISTRIBUTE_AFTER_S: '0' }

interface Setup {
  readonly name: SideName
  readonly merchants: number
  readonly payout: string
  readonly variables?: Readonly<Record<string, string>>
}

const SETUPS: readonly Setup[] = [
  { name: 'nonceManager', merchants: 1, payout: 'with every payment' },
  { name: 'ours', merchants: 1, payout: 'with every batch', variables: ALWAYS },
  { name: 'ours', merchants: 10, payout: 'with every batch', variables: ALWAYS },
  { name: 'ours', merchants: 1, payout: 'by default' },
  { name: 'ours', merchants: 10, payout: 'by default' },
]

export async function measureGas(report: Report, selection: Selection): Promise<void> {
  const body: string[][] = []
  for (const setup of SETUPS) {
    if (selection.sides.includes(setup.name)) body.push(await gasOf(setup, selection.seconds))
  }
  report.table(
    `x402: gas, ${CALLERS} callers`,
    "Blocks of 1 s, payments of 0.01 USDC by callers that wait, for merchants in turn. All the gas of the side's transactions by the payments that they made, distributions from the forwarders to the merchants included. What is below the threshold of the default stays in the forwarders and costs its gas later; the reference pays merchants directly.",
    [
      [
        'side',
        'merchants',
        'paid out',
        'payments',
        'transactions',
        'gas per settlement',
        'distributions',
        'reverted',
      ],
      ...body,
    ],
  )
}

function gasOf(setup: Setup, seconds: number): Promise<string[]> {
  const { name, merchants, payout, variables = {} } = setup
  return onStage(name, { blocks: BLOCKS, merchants, variables }, async (stage) => {
    const figures = await settleFor(stage, BLOCKS, CALLERS, seconds)
    console.log(`gas, ${name}, ${merchants} merchants, ${payout}: ${summary(figures)}`)
    return [
      ...[SIDE_TITLES[name], String(merchants), payout],
      ...[String(figures.paid), String(figures.transactions)],
      Math.round(figures.gasPerSettlement).toLocaleString('en'),
      ...[String(figures.distributions), String(figures.reverted)],
    ]
  })
}
