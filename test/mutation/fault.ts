/** A planted fault: one piece of one file that is replaced by another. */
export interface Fault {
  readonly file: string
  /** The operator that found the place, or the fault's name in the table. */
  readonly name: string
  /** What stands there, from `start` on, and what is put in its place. */
  readonly find: string
  readonly put: string
  readonly start: number
  /** Which one this is of those in the file with the same name and the same text, from 1. */
  readonly occurrence: number
  /** The tests to run where they can't be found by following imports. */
  readonly tests?: readonly string[]
}

/** What a scanner of one file finds; the rest of a fault follows from its position. */
export type Finding = Pick<Fault, 'name' | 'find' | 'put' | 'start'>

/** Numbers the findings of one file by name and text, in the order in which they stand there. */
export function numbered(file: string, findings: readonly Finding[]): Fault[] {
  const seen = new Map<string, number>()
  return findings
    .toSorted((a, b) => a.start - b.start)
    .map((finding) => {
      const same = `${finding.name}\n${finding.find}\n${finding.put}`
      const occurrence = (seen.get(same) ?? 0) + 1
      seen.set(same, occurrence)
      return { file, ...finding, occurrence }
    })
}

/** Tells faults apart for as long as their file doesn't change. */
export function keyOf({ file, name, find, put, occurrence }: Fault): string {
  return [file, name, occurrence, find, put].join('|')
}

/** The file's text with the fault in it. */
export function planted(text: string, { start, find, put }: Fault): string {
  return text.slice(0, start) + put + text.slice(start + find.length)
}

export function lineOf(text: string, { start }: Fault): number {
  return text.slice(0, start).split('\n').length
}

/** The lines that change, before and after, each as one line. */
export function diffOf(text: string, fault: Fault): { before: string; after: string } {
  const from = text.lastIndexOf('\n', fault.start - 1) + 1
  const next = text.indexOf('\n', fault.start + fault.find.length)
  const until = next < 0 ? text.length : next
  const grown = fault.put.length - fault.find.length
  const oneLine = (lines: string) => lines.replaceAll(/\s+/g, ' ').trim()
  return {
    before: oneLine(text.slice(from, until)),
    after: oneLine(planted(text, fault).slice(from, until + grown)),
  }
}
