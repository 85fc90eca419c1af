import { closing, lineOf, maskedSource, operandsOf, type Span, trimmed } from './source.ts'

/** One guard of a source removed: the source text, and its replacement. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly kind: Kind
  readonly start: number
  readonly find: string
  readonly put: string
}

/**
 * guard      a condition under which something is refused, or left early, never holds
 * operand    one of the conditions that a guard joins by `||` never holds, or by `&&` always does
 * boundary   `<` becomes `<=` and `>` becomes `>=` in a guard, and the other way round
 * modifier   a function loses a modifier
 * check      a call that only refuses is left out
 * table      a fault that was listed by hand
 */
export type Kind = 'guard' | 'operand' | 'boundary' | 'modifier' | 'check' | 'table'

type Finding = Span & Pick<Mutant, 'kind' | 'put'>

/** Every guard of a Solidity source, each in the ways in which it can be missing. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const code = maskedSource(text)
  const conditions = [...guardConditions(code), ...assemblyConditions(code)]
  const findings = [
    ...conditions.flatMap((condition) => withoutCondition(code, condition)),
    ...requirements(code),
    ...modifiers(code),
    ...checks(code),
  ]
  return findings
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, kind, put }) => {
      return { file, line: lineOf(text, start), kind, start, find: text.slice(start, end), put }
    })
}

/** The condition of a guard, and how the language writes what never and what always holds. */
interface Condition extends Span {
  readonly never: string
  readonly always: string
}

/** Behind the condition: a refusal, or leaving. */
const REFUSES = /^\)\s*(\{\s*)?(revert|return|continue|break)\b/

function guardConditions(code: string): Condition[] {
  return [...code.matchAll(/\bif \(/g)].flatMap(({ index, 0: begin }) => {
    const open = index + begin.length - 1
    const end = closing(code, open)
    if (!REFUSES.test(code.slice(end, end + 200))) return []
    return [{ start: open + 1, end, never: 'false', always: 'true' }]
  })
}

/** In assembly: `if eq(...) { revert(...) }`. */
function assemblyConditions(code: string): Condition[] {
  return [...code.matchAll(/\bif (?=\w+\()/g)].flatMap(({ index, 0: begin }) => {
    const start = index + begin.length
    const end = closing(code, code.indexOf('(', start)) + 1
    if (!/^\s*\{\s*(revert|return|leave)\b/.test(code.slice(end, end + 200))) return []
    return [{ start, end, never: '0', always: '1' }]
  })
}

function withoutCondition(code: string, condition: Condition): Finding[] {
  const { start, end, never, always } = condition
  const operands = [
    ...operandsOf(code, condition, '||').map((span) => ({ span, put: never })),
    ...operandsOf(code, condition, '&&').map((span) => ({ span, put: always })),
  ]
  return [
    { start, end, kind: 'guard', put: never },
    ...operands.map(({ span, put }): Finding => ({ ...span, kind: 'operand', put })),
    ...boundaries(code, condition),
  ]
}

const FLIPPED: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

function boundaries(code: string, { start, end }: Span): Finding[] {
  return [...code.slice(start, end).matchAll(/(?<= )(<=?|>=?)(?= )/g)].map((match) => {
    const at = start + match.index
    return { start: at, end: at + match[0].length, kind: 'boundary', put: FLIPPED[match[0]] ?? '' }
  })
}

function requirements(code: string): Finding[] {
  return [...code.matchAll(/\brequire\(/g)].flatMap(({ index, 0: begin }) => {
    const open = index + begin.length - 1
    const first = argumentsOf(code, { start: open + 1, end: closing(code, open) })[0]
    return first === undefined ? [] : [{ ...first, kind: 'guard' as const, put: 'true' }]
  })
}

function argumentsOf(code: string, { start, end }: Span): Span[] {
  let depth = 0
  for (let at = start; at < end; at++) {
    const char = code[at] ?? ''
    if ('([{'.includes(char)) depth++
    if (')]}'.includes(char)) depth--
    if (char === ',' && depth === 0) return [trimmed(code, { start, end: at })]
  }
  return [trimmed(code, { start, end })]
}

const OF_THE_LANGUAGE =
  /^(external|public|internal|private|view|pure|payable|virtual|override|returns|memory)$/

/** The names in a function's head that are not keywords. */
function modifiers(code: string): Finding[] {
  return [...code.matchAll(/\bfunction \w*\(/g)].flatMap(({ index, 0: begin }) => {
    const from = closing(code, index + begin.length - 1) + 1
    const head = code.slice(from, from + code.slice(from).search(/[{;]/))
    const results = head.indexOf('returns')
    const words = (results < 0 ? head : head.slice(0, results)).matchAll(/\b\w+\b(\([^)]*\))?/g)
    return [...words]
      .filter(([word]) => !OF_THE_LANGUAGE.test(word.replace(/\(.*/, '')))
      .map(({ index: at, 0: word }): Finding => {
        return { start: from + at, end: from + at + word.length, kind: 'modifier', put: '' }
      })
  })
}

/** Statements that call a function that only refuses, by its name. */
function checks(code: string): Finding[] {
  const CALL = /(?<=[;{}]\s+)(\w+\.)?_?(require|check|only|refuse|limit)[A-Z]\w*\(/g
  return [...code.matchAll(CALL)].flatMap(({ index, 0: begin }) => {
    const end = closing(code, index + begin.length - 1) + 1
    return code[end] === ';'
      ? [{ start: index, end: end + 1, kind: 'check' as const, put: '' }]
      : []
  })
}
