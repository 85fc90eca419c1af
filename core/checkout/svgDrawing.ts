/**
 * How much a browser draws of an SVG. Its parts may use each other, any of them many times over: a few hundred
 * characters can draw for hours. So what is drawn is counted before anybody is shown it.
 */

/** An element, with all that is drawn because of it. */
export interface Drawn {
  readonly name: string
  readonly id: string | null
  readonly classes: readonly string[]
  /** The ids that it refers to. */
  readonly refers: readonly string[]
  readonly parts: Drawn[]
  /** Characters of its tag, and of the text in it. */
  length: number
}

/** A reference in CSS, in attributes and in rules, to a part of the same drawing. */
const REFERENCE = /url\(\s*["']?#([\w.-]+)/gi
/** What may hold braces that are none: comments and strings; a reference may be written as a string. */
const LITERAL =
  /url\(\s*["']?#([\w.-]+)["']?\s*\)|\/\*[\s\S]*?(?:\*\/|$)|"[^"\n\r\f]*"|'[^'\n\r\f]*'/gi
const RULE = /([^{}]*)\{([^{}]*)\}/g
/** All elements, those of a name, a class or an id. */
const SELECTOR = /^(?:\*|[.#]?[\w-]+)$/

/** Sixteen times what a file may have, in characters. */
const MOST_DRAWN = 1_048_576
/** Elements in elements, and what they use in those. */
const MOST_DEEP = 200

interface Extent {
  /** In characters. */
  readonly length: number
  readonly depth: number
}

const ENDLESS: Extent = { length: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY }

/** The ids that a value refers to. */
export function referencesIn(value: string): readonly string[] {
  return [...value.matchAll(REFERENCE)].map(([, id = '']) => id)
}

/** What is wrong with how much is drawn, as what to change; null when nothing is. */
export function drawingProblem(root: Drawn, styles: readonly string[]): string | null {
  const all = allOf(root)
  const rules = rulesOf(styles)
  if (rules === null) return 'must refer to its parts in rules for one class, id or element only'
  const byId = Map.groupBy(all, ({ id }) => id ?? '')
  const counted = new Map<Drawn, Extent>()

  function extentOf(drawn: Drawn, above: number): Extent {
    const known = counted.get(drawn)
    if (known !== undefined) return known
    // Whoever comes back here has no end.
    counted.set(drawn, ENDLESS)
    if (above > MOST_DEEP) return ENDLESS
    const ruled = selectorsOf(drawn).flatMap((selector) => [...(rules?.get(selector) ?? [])])
    const used = [...drawn.refers, ...ruled].flatMap((id) => byId.get(id) ?? [])
    let { length } = drawn
    let depth = 0
    for (const one of [...drawn.parts, ...used]) {
      const extent = extentOf(one, above + 1)
      length += extent.length
      depth = Math.max(depth, extent.depth)
    }
    const extent = { length, depth: depth + 1 }
    counted.set(drawn, extent)
    return extent
  }

  const { length, depth } = extentOf(root, 0)
  return length <= MOST_DRAWN && depth <= MOST_DEEP
    ? null
    : 'must not use its parts again and again: draw them once'
}

function allOf(root: Drawn): readonly Drawn[] {
  const all = [root]
  // Grows while it is gone through.
  for (const drawn of all) all.push(...drawn.parts)
  return all
}

/** What the rules of a style sheet refer to, by their selectors; null where that can't be told. */
type Rules = ReadonlyMap<string, ReadonlySet<string>>

function rulesOf(sheets: readonly string[]): Rules | null {
  const rules = new Map<string, Set<string>>()
  for (const sheet of sheets) {
    const plain = sheet.replace(LITERAL, (_, id?: string) =>
      id === undefined ? ' ' : `url(#${id})`,
    )
    let found = 0
    for (const [, selectors = '', declarations = ''] of plain.matchAll(RULE)) {
      const refers = referencesIn(declarations)
      found += refers.length
      for (const selector of refers.length > 0 ? selectors.split(',') : []) {
        const name = selector.trim()
        if (!SELECTOR.test(name)) return null
        rules.set(name, new Set([...(rules.get(name) ?? []), ...refers]))
      }
    }
    // What is left over was read in another way than browsers read it.
    if (found !== referencesIn(plain).length || /["']/.test(plain)) return null
  }
  return rules
}

/** The selectors that are for an element. */
function selectorsOf({ name, id, classes }: Drawn): readonly string[] {
  return ['*', name, ...classes.map((one) => `.${one}`), `#${id}`]
}
