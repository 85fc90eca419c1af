import { type Drawn, drawingProblem, referencesIn } from './svgDrawing.ts'

/**
 * Which SVG is taken as a logo: one of known elements and attributes that draw, and nothing that runs, loads
 * or animates. It is read by a grammar that is narrower than XML's, so that a browser can't read it in another
 * way than we do: what does not fit is refused and not mended.
 */

const ELEMENTS = new Set(
  (
    'svg g path rect circle ellipse line polyline polygon defs symbol use clipPath mask pattern ' +
    'linearGradient radialGradient stop title desc text tspan style'
  ).split(' '),
)

const ATTRIBUTES = new Set(
  (
    'xmlns xmlns:xlink xml:space version viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy ' +
    'r rx ry fx fy fr d points transform id class role aria-label aria-hidden aria-labelledby ' +
    'href xlink:href fill fill-opacity fill-rule clip-rule clip-path clipPathUnits mask maskUnits ' +
    'maskContentUnits mask-type opacity stroke stroke-width stroke-linecap stroke-linejoin ' +
    'stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity stop-color stop-opacity ' +
    'offset gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits ' +
    'patternTransform font-family font-size font-weight font-style text-anchor letter-spacing ' +
    'dominant-baseline dx dy color display visibility overflow enable-background vector-effect ' +
    'paint-order shape-rendering text-rendering pathLength style'
  ).split(' '),
)

const NAMESPACES: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
}

const DECLARATION =
  /^\uFEFF?\s*<\?xml\s+version="1\.[01]"(?:\s+encoding="[Uu][Tt][Ff]-8")?[^<>?]*\?>/
const TOKEN =
  /<!--(?:(?!--)[\s\S])*-->|<\/([A-Za-z]+)\s*>|<([A-Za-z]+)((?:\s+[A-Za-z][\w:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/y
const ATTRIBUTE = /([A-Za-z][\w:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos);)/
/** Nothing is loaded by CSS, nothing is escaped, and no rule is more than a rule. */
const UNSAFE_CSS =
  /[\\@<&]|url\s*\((?!\s*["']?#[\w.-]+["']?\s*\))|expression|javascript:|image-set|-moz-binding|behavior/i

/** What is wrong with an SVG, as what to change; null when nothing is. */
export function checkSvg(text: string): string | null {
  const body = text.replace(DECLARATION, '').trim()
  const open: Drawn[] = []
  /** By their elements: comments and other elements between parts of a rule are nothing to browsers. */
  const styles = new Map<Drawn, string>()
  let root: Drawn | null = null
  TOKEN.lastIndex = 0
  for (let at = 0; at < body.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(body)
    if (token === null)
      return `must be plain SVG: what begins with ${excerptAt(body, at)} is not taken`
    const [whole, closed, opened, attributes = '', ownEnd] = token
    const inside = open.at(-1)
    if (whole.startsWith('<!--')) continue
    if (closed !== undefined) {
      if (open.pop()?.name !== closed) return `must close each element: </${closed}> closes none`
    } else if (opened !== undefined) {
      if (inside === undefined && (root !== null || opened !== 'svg'))
        return 'must be one <svg> element'
      const problem = elementProblem(opened, attributes)
      if (problem !== null) return problem
      const drawn = drawnOf(opened, attributes)
      root ??= drawn
      inside?.parts.push(drawn)
      if (ownEnd === '') open.push(drawn)
    } else {
      const problem = textProblem(whole, inside)
      if (problem !== null) return problem
      if (inside === undefined) continue
      inside.length += whole.length
      if (inside.name === 'style') styles.set(inside, (styles.get(inside) ?? '') + whole)
    }
  }
  if (root === null || open.length > 0) return 'must be one whole <svg> element'
  const sheets = [...styles.values()]
  if (sheets.some((sheet) => UNSAFE_CSS.test(sheet))) return 'must not load anything in <style>'
  return drawingProblem(root, sheets)
}

function elementProblem(name: string, attributes: string): string | null {
  if (!ELEMENTS.has(name)) return `must not have the element <${name}>`
  for (const [attribute, value] of attributesIn(attributes)) {
    if (!ATTRIBUTES.has(attribute)) return `must not have the attribute ${attribute}`
    if (ENTITY.test(value)) return `must not have entities in ${attribute}`
    const namespace = NAMESPACES[attribute]
    if (namespace !== undefined && value !== namespace) return `must not name another ${attribute}`
    if (attribute.endsWith('href') && !/^#[\w.-]+$/.test(value)) {
      return `must only refer to parts of itself: ${attribute} must begin with #`
    }
    if (UNSAFE_CSS.test(value)) return `must not load or run anything in ${attribute}`
  }
  return null
}

function attributesIn(text: string): readonly (readonly [name: string, value: string])[] {
  return [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [
    name,
    double ?? single ?? '',
  ])
}

function drawnOf(name: string, text: string): Drawn {
  const attributes = attributesIn(text)
  const given = new Map(attributes)
  const refers = attributes.flatMap(([attribute, value]) =>
    attribute.endsWith('href') ? [value.slice(1)] : referencesIn(value),
  )
  const classes = (given.get('class') ?? '').split(/\s+/)
  return { name, id: given.get('id') ?? null, classes, refers, parts: [], length: text.length + 1 }
}

function textProblem(text: string, inside: Drawn | undefined): string | null {
  if (inside === undefined) return text.trim() === '' ? null : 'must be one <svg> element alone'
  return ENTITY.test(text) ? 'must not have entities of its own' : null
}

function excerptAt(text: string, at: number): string {
  return JSON.stringify(text.slice(at, at + 20))
}
