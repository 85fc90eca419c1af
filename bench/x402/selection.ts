import { type Blocks, SCHEMES, type SideName } from './side.ts'

/** Which parts of the x402 benchmark are run. */

export const PARTS = ['matrix', 'verify', 'offered', 'twice', 'gas', ...SCHEMES] as const
export type Part = (typeof PARTS)[number]

export interface Selection {
  readonly parts: readonly Part[]
  readonly blocks: readonly Blocks[]
  readonly callers: readonly number[]
  readonly sides: readonly SideName[]
  readonly isQuick: boolean
  /** How long callers run, in seconds. */
  readonly seconds: number
  /** False when a table would show less than it promises; then none is stored. */
  readonly isComplete: boolean
}

export interface SelectionFlags {
  readonly quick: boolean
  /** Parts, separated by commas. */
  readonly only?: string | undefined
  /** Seconds between blocks, or `automine`, separated by commas. */
  readonly blocks?: string | undefined
  /** Numbers of callers, separated by commas. */
  readonly callers?: string | undefined
  /** `ours` or `reference`. */
  readonly side?: string | undefined
}

const REFERENCES: readonly SideName[] = ['plain', 'nonceManager']

/** @throws TypeError when a flag has an invalid value. */
export function parseSelection(flags: SelectionFlags): Selection {
  const { quick, only, blocks, callers, side } = flags
  const given = [blocks, callers, side].some((flag) => flag !== undefined)
  return {
    parts: only === undefined ? (quick ? ['matrix'] : PARTS) : words(only).map(part),
    blocks:
      blocks === undefined ? (quick ? [1000] : [1000, 2000, 'automine']) : words(blocks).map(pace),
    callers:
      callers === undefined
        ? quick
          ? [1, 64, 256]
          : [1, 8, 64, 256, 1024]
        : words(callers).map(count),
    sides: sidesOf(side),
    isQuick: quick,
    seconds: quick ? 6 : 12,
    isComplete: !quick && !given,
  }
}

function words(list: string): string[] {
  return list.split(',').map((word) => word.trim())
}

function part(word: string): Part {
  const known = PARTS.find((name) => name === word)
  if (known === undefined) throw new TypeError(`--only takes ${PARTS.join(', ')}, not ${word}`)
  return known
}

function pace(word: string): Blocks {
  if (word === 'automine') return word
  const seconds = Number(word)
  if (seconds > 0) return seconds * 1000
  throw new TypeError(`--blocks takes seconds or automine, not ${word}`)
}

function count(word: string): number {
  const callers = Number(word)
  if (Number.isSafeInteger(callers) && callers > 0) return callers
  throw new TypeError(`--callers takes numbers, not ${word}`)
}

function sidesOf(side: string | undefined): readonly SideName[] {
  if (side === undefined) return [...REFERENCES, 'ours']
  if (side === 'ours') return ['ours']
  if (side === 'reference') return REFERENCES
  throw new TypeError(`--side takes ours or reference, not ${side}`)
}
