/** Solidity source with its comments and strings blanked: every character keeps its position. */
export function maskedSource(text: string): string {
  return text.replaceAll(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g,
    (piece) => piece.replaceAll(/[^\n]/g, ' '),
  )
}

const OPENING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' }

/** The position of the bracket that closes the one at `open`. */
export function closing(code: string, open: number): number {
  const begin = code[open] ?? ''
  const end = OPENING[begin]
  if (end === undefined) throw new Error(`no bracket opens at ${open}`)
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if (code[at] === begin) depth++
    if (code[at] === end && --depth === 0) return at
  }
  throw new Error(`the bracket at ${open} is never closed`)
}

/** A piece of a text, from `start` up to `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The span without the blanks at its ends. */
export function trimmed(code: string, { start, end }: Span): Span {
  const piece = code.slice(start, end)
  return {
    start: start + (piece.length - piece.trimStart().length),
    end: end - (piece.length - piece.trimEnd().length),
  }
}

/** The operands between the given operators at the span's own level, brackets left whole. */
export function operandsOf(code: string, span: Span, operator: '&&' | '||'): Span[] {
  const operands: Span[] = []
  let [start, depth] = [span.start, 0]
  for (let at = span.start; at < span.end; at++) {
    const char = code[at] ?? ''
    if ('([{'.includes(char)) depth++
    if (')]}'.includes(char)) depth--
    if (depth !== 0 || !code.startsWith(operator, at)) continue
    operands.push(trimmed(code, { start, end: at }))
    start = at + operator.length
  }
  if (operands.length === 0) return []
  return [...operands, trimmed(code, { start, end: span.end })]
}

export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
