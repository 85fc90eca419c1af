import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Outcome } from './run.ts'

/** A file with a line for each seed that has run, so that a long run goes on where it was interrupted. */

/** A run, as its line of seeds.txt names it. */
export interface Planned {
  readonly seed: string
  readonly customers: number
  readonly off: readonly string[]
}

function nameOf({ seed, customers, off }: Planned): string {
  return `${seed} ${customers} ${off.join(',') || '-'}`
}

/** Those that the file has no result of. */
export function withoutResult(plans: readonly Planned[], file: string): Planned[] {
  const done = new Set(linesOf(file).map(({ name }) => name))
  return plans.filter((plan) => !done.has(nameOf(plan)))
}

export function saveResult(file: string, plan: Planned, outcome: Outcome): void {
  appendFileSync(file, `${JSON.stringify(lineOf(plan, outcome))}\n`)
}

/** What is kept of a run. */
export type Line = Pick<Outcome, 'hash' | 'events' | 'virtualS' | 'cpuS' | 'counts' | 'failure'> & {
  readonly name: string
}

export function lineOf(plan: Planned, outcome: Outcome): Line {
  const { hash, events, virtualS, cpuS, counts, failure } = outcome
  return { name: nameOf(plan), hash, events, virtualS, cpuS, counts, failure }
}

export function linesOf(file: string): Line[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line): Line => JSON.parse(line))
}

/** What seeds came to, in words. */
export function summaryOf(lines: readonly Line[]): string {
  const failed = lines.filter(({ failure }) => failure !== null)
  const medianOf = (figure: (line: Line) => number) => {
    const sorted = lines.map(figure).sort((a, b) => a - b)
    return [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0] as const
  }
  const count = (name: string) => medianOf(({ counts }) => counts[name] ?? 0)
  const rows = [
    ['s of processor time', medianOf(({ cpuS }) => cpuS.own + cpuS.servers)],
    ['payments', medianOf(({ counts }) => paymentsIn(counts))],
    ['refunds of invoices', count('refunds')],
    ['refunds of paid requests', count('x402 refunds')],
    ['deaths', count('deaths')],
    ['reorganisations', count('reorganisations')],
    ['per cent of the calls to nodes with a fault', medianOf(({ counts }) => unwellShare(counts))],
  ] as const
  const figures = rows.map(([name, [median, most]]) => {
    return `${name}: ${median.toFixed(0)} in the median, ${most.toFixed(0)} at most`
  })
  const names = failed.map(({ name }) => `failed: ${name}`)
  return [`${lines.length} seeds, ${failed.length} failed`, ...figures, ...names].join('\n')
}

/** Paid requests, transfers, and signatures for invoices that were carried out. */
function paymentsIn(counts: Readonly<Record<string, number>>): number {
  const { requests = 0, transfers = 0, 'paid signatures': signatures = 0 } = counts
  return requests + transfers + signatures
}

function unwellShare(counts: Readonly<Record<string, number>>): number {
  const { 'calls with a fault': unwell = 0, calls = 0 } = counts
  return calls === 0 ? 0 : (100 * unwell) / calls
}
