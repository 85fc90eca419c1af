import { type Fault, type Finding, numbered } from './fault.ts'
import { closing, readSource, type Template } from './source.ts'

/**
 * The operators that plant faults without a table. They rely on the formatter: a binary operator has
 * a blank before and a blank or a line's end behind it, so `a < b` compares and `Map<A, B>` doesn't.
 */

const FLIPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const COMPARISON = /(?<=\S )(<=?|>=?|===|!==)(?=\s)/g
const SQL_COMPARISON = /(?<=\S )(<=?|>=?)(?=\s)/g
const GUARD = /\bif (\()/g
const LEAVES = /^\)\s*(\{\s*)?(return|throw|continue|break)\b/

/** All faults that the operators plant in a file, in the order of their places. */
export function scan(file: string, text: string): Fault[] {
  const { code, templates } = readSource(text)
  const inCode = [...comparisons(code), ...operands(code), ...guards(code)]
  const inSql = templates.flatMap((template) => [
    ...sqlComparisons(template),
    ...conditions(template),
  ])
  const findings = [...inCode, ...inSql].map(({ name, start, end, put }): Finding => {
    const find = text.slice(start, end)
    return { name, start, find, put: put(find) }
  })
  return numbered(
    file,
    findings.filter(({ find, put }) => find !== put),
  )
}

/** A place that an operator has found, and what it puts there. */
interface Place {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly put: (find: string) => string
}

const flip = (find: string) => FLIPPED[find] ?? find
const drop = () => 'true'

function comparisons(code: string): Place[] {
  return [...code.matchAll(COMPARISON)].map(({ index, 0: operator }) => ({
    ...{ name: 'comparison', start: index, end: index + operator.length, put: flip },
  }))
}

function guards(code: string): Place[] {
  return [...code.matchAll(GUARD)].flatMap(({ index, 0: begin }) => {
    const open = index + begin.length - 1
    const end = closing(code, open)
    if (!LEAVES.test(code.slice(end, end + 200))) return []
    return [{ name: 'guard', start: open + 1, end, put: (find: string) => `!(${find})` }]
  })
}

/** Each operand of an `&&`, in its turn. */
function operands(code: string): Place[] {
  const found = new Map<number, Place>()
  for (const { index } of code.matchAll(/ &&(?=\s)/g)) {
    for (const [start, end] of [leftOf(code, index), rightOf(code, index + 3)]) {
      found.set(start, { name: 'and', start, end, put: drop })
    }
  }
  return [...found.values()]
}

/** What binds less tightly than `&&`, or as tightly, and so ends its operands. */
const ENDS_OPERAND = /^(&&|\|\||\?\?|=>|[,;:]|\?(?!\.))/
const BEGINS_OPERAND = /(&&|\|\||\?\?|=>|[,;:?]| =|\breturn|\bcase)\s$/

function leftOf(code: string, operator: number): [number, number] {
  let depth = 0
  let start = operator
  while (start > 0) {
    const char = code[start - 1] ?? ''
    if (')]}'.includes(char)) depth++
    if ('([{'.includes(char) && --depth < 0) break
    if (depth === 0 && BEGINS_OPERAND.test(code.slice(Math.max(0, start - 8), start))) break
    start--
  }
  return trimmed(code, start, operator)
}

function rightOf(code: string, from: number): [number, number] {
  let depth = 0
  let end = from + (code.slice(from).match(/^\s*/)?.[0].length ?? 0)
  while (end < code.length) {
    const char = code[end] ?? ''
    if ('([{'.includes(char)) depth++
    if (')]}'.includes(char) && --depth < 0) break
    if (depth === 0 && ENDS_OPERAND.test(code.slice(end, end + 3))) break
    if (depth === 0 && char === '\n' && endsStatement(code, end)) break
    end++
  }
  return trimmed(code, from, end)
}

/** A statement ends with its line unless an operator stands before or behind the line's end. */
function endsStatement(code: string, lineEnd: number): boolean {
  const isOpen = /(===|!==|[<>+\-*/%=])\s*$/.test(code.slice(0, lineEnd))
  return !isOpen && !/^\s*(\.|\?\.)/.test(code.slice(lineEnd))
}

function sqlComparisons({ start, sql }: Template): Place[] {
  return [...sql.matchAll(SQL_COMPARISON)].map(({ index, 0: operator }) => ({
    ...{ name: 'sql comparison', start: start + index, end: start + index + operator.length },
    put: flip,
  }))
}

/** The condition behind each `where` and each `and`. */
function conditions({ start, sql }: Template): Place[] {
  const ranges = new Set([...sql.matchAll(/\bbetween\b[^()]*?\band\b/gi)].map(endOf))
  return [...sql.matchAll(/\b(where|and)\b/gi)]
    .filter((word) => !ranges.has(endOf(word)))
    .map((word): Place => {
      const [from, until] = trimmed(sql, endOf(word), endOfCondition(sql, endOf(word)))
      const name = word[0].toLowerCase() === 'where' ? 'sql where' : 'sql and'
      return { name, start: start + from, end: start + until, put: drop }
    })
    .filter(({ start: from, end }) => end > from)
}

const SQL_WORD = /^[a-z_]\w*/i
const ENDS_CONDITION =
  /^(and|or|order|group|having|window|returning|limit|offset|for|on|do|union|except|intersect|join|left|cross|inner|where|then|else|when)$/i

function endOfCondition(sql: string, from: number): number {
  let depth = 0
  let isRange = false
  let at = from
  while (at < sql.length) {
    const word = SQL_WORD.exec(sql.slice(at, at + 60))?.[0]
    if (word === undefined) {
      if (sql[at] === '(' || sql[at] === '[') depth++
      if ((sql[at] === ')' || sql[at] === ']') && --depth < 0) return at
      if (depth === 0 && (sql[at] === ',' || sql[at] === ';')) return at
      at++
      continue
    }
    if (/^case$/i.test(word)) depth++
    else if (/^end$/i.test(word) && --depth < 0) return at
    else if (depth === 0 && /^between$/i.test(word)) isRange = true
    else if (depth === 0 && isRange && /^and$/i.test(word)) isRange = false
    else if (depth === 0 && ENDS_CONDITION.test(word)) return at
    at += word.length
  }
  return at
}

const endOf = (match: RegExpExecArray) => match.index + match[0].length

function trimmed(mask: string, from: number, until: number): [number, number] {
  const part = mask.slice(from, until)
  return [from + part.length - part.trimStart().length, from + part.trimEnd().length]
}
