/**
 * Tells the parts of a TypeScript file apart. A mask has the length of what it masks: comments are
 * blanks in it, and strings and whatever else is of another language are underscores.
 */

export interface Source {
  /** The code: without comments, strings, templates, regular expressions and what is logged. */
  readonly code: string
  /** The SQL of each template of a connection: without comments, strings and interpolated code. */
  readonly templates: readonly Template[]
}

export interface Template {
  /** Where the SQL begins in the file. */
  readonly start: number
  readonly sql: string
}

const SQL_TAG = /\b(?:sql|database|session)(<[^`]*>)?$/
const LOGGING = /\blog\.(trace|debug|info|warn|error|fatal)\(/g
/** After one of these a slash begins a regular expression; elsewhere it divides. */
const BEFORE_REGEXP = /(^|[(,=:[!&|?{};\n]|=>|\breturn)\s*$/

export function readSource(text: string): Source {
  const reader = new Reader(text)
  reader.readCode(0)
  return { code: withoutLogging(reader.code.join('')), templates: reader.templates }
}

class Reader {
  readonly code: string[]
  readonly templates: Template[] = []

  constructor(private readonly text: string) {
    this.code = text.split('')
  }

  /** Reads code up to the bracket that closes it, or to the end. Returns where that is. */
  readCode(from: number): number {
    let depth = 0
    let at = from
    while (at < this.text.length) {
      const char = this.text[at]
      if (char === '}' && depth === 0) return at
      if (char === '{') depth++
      if (char === '}') depth--
      at = this.readToken(at)
    }
    return at
  }

  private readToken(at: number): number {
    const char = this.text[at] ?? ''
    const two = this.text.slice(at, at + 2)
    if (two === '//') return this.hide(at, this.find('\n', at), ' ')
    if (two === '/*') return this.hide(at, this.find('*/', at + 2) + 2, ' ')
    if (char === "'" || char === '"') return this.hide(at, this.endOfString(at, char), '_')
    if (char === '`') return this.readTemplate(at)
    if (char === '/' && BEFORE_REGEXP.test(this.code.slice(Math.max(0, at - 40), at).join(''))) {
      return this.hide(at, this.endOfRegexp(at), '_')
    }
    return at + 1
  }

  private readTemplate(start: number): number {
    const isSql = SQL_TAG.test(this.text.slice(Math.max(0, start - 300), start))
    const sql: string[] = []
    let at = start + 1
    while (at < this.text.length && this.text[at] !== '`') {
      at = this.readPart(at, isSql, sql)
    }
    this.code[start] = '_'
    this.code[at] = '_'
    if (isSql) this.templates.push({ start: start + 1, sql: sql.join('') })
    return at + 1
  }

  /** Reads an interpolation, a comment, a string or a character of a template. */
  private readPart(at: number, isSql: boolean, sql: string[]): number {
    const two = this.text.slice(at, at + 2)
    if (two === '${') {
      const end = this.readCode(at + 2) + 1
      sql.push('_'.repeat(end - at))
      this.code[at] = '_'
      return end
    }
    let end = at + (this.text[at] === '\\' ? 2 : 1)
    let mask = this.text.slice(at, end)
    if (isSql && two === '--') {
      end = this.find('\n', at)
      mask = ' '.repeat(end - at)
    } else if (isSql && this.text[at] === "'") {
      end = this.find("'", at + 1) + 1
      mask = '_'.repeat(end - at)
    }
    sql.push(mask)
    return this.hide(at, end, '_')
  }

  /** A comment's line ends stay, because statements end with lines. */
  private hide(from: number, until: number, mask: ' ' | '_'): number {
    for (let at = from; at < until; at++) {
      if (mask === '_' || this.text[at] !== '\n') this.code[at] = mask
    }
    return until
  }

  private find(what: string, from: number): number {
    const at = this.text.indexOf(what, from)
    return at < 0 ? this.text.length : at
  }

  private endOfString(start: number, quote: string): number {
    let at = start + 1
    while (at < this.text.length && this.text[at] !== quote) at += this.text[at] === '\\' ? 2 : 1
    return at + 1
  }

  private endOfRegexp(start: number): number {
    let at = start + 1
    let isClass = false
    while (at < this.text.length && (isClass || this.text[at] !== '/')) {
      if (this.text[at] === '[') isClass = true
      if (this.text[at] === ']') isClass = false
      at += this.text[at] === '\\' ? 2 : 1
    }
    return at + 1
  }
}

function withoutLogging(code: string): string {
  let masked = code
  for (const { index, 0: call } of code.matchAll(LOGGING)) {
    const open = index + call.length - 1
    const end = closing(code, open)
    masked = masked.slice(0, open + 1) + '_'.repeat(end - open - 1) + masked.slice(end)
  }
  return masked
}

/** Where the bracket closes that opens here. */
export function closing(mask: string, open: number): number {
  let depth = 0
  for (let at = open; at < mask.length; at++) {
    if ('([{'.includes(mask[at] ?? ' ')) depth++
    if (')]}'.includes(mask[at] ?? ' ') && --depth === 0) return at
  }
  return mask.length
}
