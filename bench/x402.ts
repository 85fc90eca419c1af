import { Report } from './report.ts'
import { measureGas } from './x402/gas.ts'
import { measureMatrix } from './x402/matrix.ts'
import { measureOffered } from './x402/offered.ts'
import { measureScheme } from './x402/schemes/measure.ts'
import type { Part, Selection } from './x402/selection.ts'
import { measureTwice } from './x402/twice.ts'
import { measureVerify } from './x402/verify.ts'

const MEASURES: Readonly<Record<Part, (report: Report, selection: Selection) => Promise<void>>> = {
  matrix: measureMatrix,
  verify: measureVerify,
  offered: measureOffered,
  twice: measureTwice,
  gas: measureGas,
  upto: measureScheme('upto'),
  permit2: measureScheme('permit2'),
  channels: measureScheme('channels'),
}

/** Our x402 facilitator beside the reference one. Tables with gaps are printed and not stored. */
export async function measureX402(report: Report, selection: Selection): Promise<void> {
  const target = selection.isComplete ? report : new Report('x402')
  for (const part of selection.parts) await MEASURES[part](target, selection)
}
